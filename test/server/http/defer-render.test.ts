import { stat } from 'node:fs/promises';
import { PlatenError, type ServerApi } from '@platen/kernel';
import type { DeferrableCall } from '@platen/server';
import { expect, it } from 'vitest';
import { serving, useServers } from '../test-server.js';

const start = useServers();
const ASYNC = { prefer: 'respond-async' };

/** A server with a plugin that accepts renders of `http://later.test/` alone, and has no room for those of `http://full.test/`. */
async function open() {
  const calls: DeferrableCall[] = [];
  let api: ServerApi | undefined;
  const guest = serving((server) => {
    api = server;
    server.hooks.defer.tap('guest', (call) => {
      calls.push(call);
      if (call.plan.url.includes('full')) throw new PlatenError('too_many_requests', 'no room', { retry_after: 7 });
      return call.plan.url.includes('later') ? { location: '/guest/1', body: { id: '1' } } : undefined;
    });
  });
  const server = await start({ plugins: [guest] });
  if (api === undefined) throw new Error('the plugin has received no API');
  return { server, calls, api };
}

it('a tap accepts a valid request that prefers not to wait, with its parameters and headers', async () => {
  const { server, calls } = await open();
  const response = await server.post(
    { url: 'http://later.test/', full_page: true },
    { headers: { ...ASYNC, 'content-type': 'application/json', 'x-own': 'value' } },
  );
  expect([response.status, response.headers.get('location'), await response.json()]).toEqual([202, '/guest/1', { id: '1' }]);
  expect(calls).toMatchObject([{ endpoint: 'POST /', source: 'body', raw: { url: 'http://later.test/', full_page: true } }]);
  expect([calls[0]?.requestHeader('X-Own'), calls[0]?.requestHeader('X-Other')]).toEqual(['value', '']);
  // It is not counted as a render: the plan is that of the render to come.
  expect(server.records).toMatchObject([{ status: 202, format: 'png' }]);
  expect(server.records[0]?.plan).toBeUndefined();
});

it.each([
  ['the tap leaves it', 'url=http://now.test/', ASYNC, 200, 1],
  ['the client would wait', 'url=http://later.test/', {}, 200, 0],
  ['the tap has no room', 'url=http://full.test/', ASYNC, 429, 1],
  ['the parameters are invalid', 'url=http://later.test/&fullpage=1', ASYNC, 400, 0],
])('is not accepted if %s', async (_, query, headers, status, asked) => {
  const { server, calls } = await open();
  const response = await server.get(query, { headers });
  expect([response.status, calls.length]).toEqual([status, asked]);
  if (status === 429) expect(response.headers.get('retry-after')).toBe('7');
  if (status === 200) expect(response.headers.get('vary')).toContain('Prefer');
});

it('the API makes error documents without secrets, and opens private folders', async () => {
  const { server, api } = await open();
  expect(api.toProblem(new Error('/home/secret'), 'mine')).toMatchObject({ code: 'internal', instance: 'mine' });
  expect(JSON.stringify(api.toProblem(new Error('/home/secret'), 'mine'))).not.toContain('secret');
  const folder = await api.openFolder('mine', server.assetFolder);
  expect(folder).toBe(`${server.assetFolder}/mine`);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});
