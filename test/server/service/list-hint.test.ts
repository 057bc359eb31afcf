import { definePlugin, invalidParameter } from '@platen/kernel';
import { expect, it } from 'vitest';
import { planRequest } from '../../../server/src/service/render-service.js';
import { useServers } from '../test-server.js';

const open = useServers();

const lists = definePlugin({
  name: 'lists',
  params: {
    words: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, 'x-single': true, description: 'Words.' },
    names: { type: 'array', items: { type: 'string' }, 'x-single': true, description: 'Names.' },
    own: { type: 'array', items: { type: 'string' }, 'x-sources': ['body'], description: 'Of a body.' },
    one: { type: 'string', enum: ['a'], description: 'One.' },
  },
  planFor: { param: 'names' },
  plan({ params }) {
    throw invalidParameter('names', `"names" cannot have ${String(params.names)}`);
  },
});

it.each([
  ['words=a,b', '"words[0]" must be one of: a, b (got "a,b"); a list in a query repeats the key: words=a&words=b'],
  ['words=%5B%22a%22%5D', '"words[0]" must be one of: a, b (got "[\\"a\\"]"); a list in a query repeats the key: words=a&words=b'],
  ['words=c', '"words[0]" must be one of: a, b (got "c")'],
  ['one=a,b', '"one" must be a (got "a,b")'],
  // Also if a plugin refuses it.
  ['names=a,b', '"names" cannot have a,b; a list in a query repeats the key: names=a&names=b'],
  ['names=a', '"names" cannot have a'],
  // No way to write it would help.
  ['own=%5B%5D', '"own" is accepted in a JSON or multipart body only'],
  ['words=a,b&one=b', '"words[0]" must be one of: a, b (got "a,b"); a list in a query repeats the key: words=a&words=b (and 1 more)'],
])('%s is refused, and the error says how a list is written', async (query, detail) => {
  const server = await open({ plugins: [lists] });
  const response = await server.get(`url=http://a.test/&${query}`);
  const problem = (await response.json()) as { readonly detail: string; readonly errors: readonly { readonly detail: string }[] };
  expect([response.status, problem.detail]).toEqual([400, detail]);
  expect(detail.startsWith(problem.errors[0]?.detail ?? '-')).toBe(true);
});

it('on the command line it names the flag, and in a body nothing', async () => {
  const { kernel } = await open({ plugins: [lists] });
  const plan = (source: 'flags' | 'body') => () => planRequest(kernel, { raw: { url: 'http://a.test/', words: ['a,b'] }, source });
  expect(plan('flags')).toThrow('a list repeats the flag: --words a --words b');
  expect(plan('body')).toThrow(/\(got "a,b"\)$/);
});
