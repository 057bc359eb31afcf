import { NO_ASSETS, silentLogger } from '@platen/kernel';
import { expect, it } from 'vitest';
import { createFront } from '../../../plugins/service/cluster/src/front.js';
import { type FakeRender, useServers } from '../test-server.js';

const open = useServers();

/** The output is the name of an asset. */
const nameAsset: FakeRender = async ({ url }, { store, publishAsset, signal }) => {
  if (store === undefined || publishAsset === undefined || signal === undefined) throw new Error('the server offers no store');
  const asset = await store.put({ name: 'screenshot', contentType: 'image/png', extension: 'png' }, Buffer.from('the bytes'), signal);
  const body = Buffer.from(await publishAsset(asset, url, store));
  return { output: { contentType: 'text/plain', extension: 'txt', body }, assets: NO_ASSETS, headers: {}, timings: {} };
};

it('an asset that an output names can be fetched by its id', async () => {
  const server = await open({ render: nameAsset });
  const response = await server.get('url=http://a.test/named');
  expect(response.status).toBe(200);
  const found = await fetch(`${server.url}/assets?id=${await response.text()}`);
  expect([found.status, found.headers.get('content-type'), await found.text()]).toEqual([200, 'image/png', 'the bytes']);
  expect(found.headers.get('content-disposition')).toContain('a.test-named.png');
});

it('the front of a cluster carries out such a render by itself: its clients look for the assets there', async () => {
  const queued: string[] = [];
  const queue = { add: (id: string) => Promise.resolve(void queued.push(id)), remove: () => Promise.resolve(), onReturn: () => undefined };
  const options = { queue: queue as never, log: silentLogger, limit: undefined, lockMs: 1000, protections: [], replyTo: () => '' };
  const front = createFront(options);
  const plan = { params: {}, cacheKey: '', namesAssets: true };
  // Only what the front reads of a call.
  const call = { id: 'a', endpoint: 'GET /', plan, signal: AbortSignal.abort(), waitedMs: 0 } as never;
  try {
    await expect(front.execute(call)).resolves.toBeUndefined();
    expect(queued).toEqual([]);
  } finally {
    front.close();
  }
});
