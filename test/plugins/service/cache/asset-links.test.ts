import { afterEach, expect, it } from 'vitest';
import type { FakeRender } from '../../../server/test-server.js';
import { closeAll, openCached, renderedAs } from './cached-server.js';

afterEach(closeAll);

const PAGE = 'url=http://a.test/';

const withAsset: FakeRender = async (_plan, { store }) => {
  const head = { name: 'har', contentType: 'application/json', extension: 'har' };
  const kept = await store?.put(head, Buffer.from('{"log":1}'), new AbortController().signal);
  return await renderedAs(Buffer.from('picture'), { assets: { kept: kept === undefined ? [] : [kept], missing: [] } });
};

it('a result may be kept by its asker no longer than a link lives, whatever the lifetime of the result', async () => {
  const server = await openCached({ render: withAsset, flags: { 'server-additional-asset-expiration': 40 } });
  const ageOf = (answer: Response) => Number(/max-age=(\d+)/.exec(answer.headers.get('cache-control') ?? '')?.[1]);
  const first = await server.get(PAGE);
  await server.kept(1);
  const second = await server.get(PAGE);
  expect(second.headers.get('cache-status')).toContain('hit');
  for (const answer of [first, second]) expect(ageOf(answer) - Number(answer.headers.get('age') ?? 0)).toBeLessThanOrEqual(40);
  expect(ageOf(first)).toBeGreaterThan(0);
  const without = await openCached({ flags: { 'server-additional-asset-expiration': 40 } });
  expect(ageOf(await without.get(PAGE))).toBe(3600);
});
