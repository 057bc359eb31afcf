import { Readable } from 'node:stream';
import { NO_ASSETS, PlatenError, type RenderOptions } from '@platen/kernel';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DiskStore } from '../../../server/src/assets/disk-store.js';
import { type FakeRender, openServer, rendered, type TestServer } from '../test-server.js';

const HAR = { name: 'har', contentType: 'application/json', extension: 'har', forViewers: true };
const BYTES = '{"log":{"version":"1.2"}}';
const { signal } = new AbortController();

const collect = async ({ store }: RenderOptions) => {
  if (store === undefined) throw new Error('no store was given');
  const tree = { name: 'axtree', contentType: 'application/json', extension: 'axtree.json' };
  return {
    kept: [await store.put(HAR, Readable.from([Buffer.from(BYTES)]), signal), await store.put(tree, Buffer.from('{}'), signal)],
    missing: [{ name: 'trace', reason: 'the "disk" is full' }],
  };
};
const withAssets: FakeRender = async (plan, options) => ({ ...(await rendered(plan, options)), assets: await collect(options) });

const LINKS =
  /^<(\/assets\?id=[\w-]{22})>; rel="related"; type="application\/json"; title="har", <(\/assets\?id=[\w-]{22})>; rel="related"; type="application\/json"; title="axtree"$/;

/** The path of the first asset of a render. */
async function renderedAsset(server: TestServer): Promise<string> {
  const response = await server.get('url=http://site.test/docs/start');
  const path = LINKS.exec(response.headers.get('link') ?? '')?.[1];
  if (path === undefined) throw new Error('no link');
  return server.url + path;
}

describe('Link (interface: Render response; decisions: rel="related", type, title, path-absolute, comma-joined)', () => {
  it.each(['GET', 'HEAD'])('a %s answer links to each asset, and says which are missing and why', async (method) => {
    await using server = await openServer({ render: withAssets });
    const response = await server.get('url=http://site.test/', { method });
    expect(response.status).toBe(200);
    expect(response.headers.get('link')).toMatch(LINKS);
    expect(response.headers.get('x-missing-assets')).toBe('trace;reason="the \\"disk\\" is full"');
  });

  it('so does the error of a render that left assets', async () => {
    await using server = await openServer({
      render: async (_plan, options) => {
        throw new PlatenError('target_status', 'the target responded with status 404').withAssets(await collect(options));
      },
    });
    const response = await server.get('url=http://site.test/');
    expect(response.status).toBe(502);
    const path = LINKS.exec(response.headers.get('link') ?? '')?.[1] ?? '';
    expect(await (await fetch(server.url + path)).text()).toBe(BYTES);
  });

  it('an asset without a part of it is linked, and told to be partial', async () => {
    await using server = await openServer({
      render: async (plan, options) => {
        const asset = await options.store?.put({ ...HAR, incomplete: 'no "room"' }, Buffer.from(BYTES), signal);
        return { ...(await rendered(plan, options)), assets: { kept: asset === undefined ? [] : [asset], missing: [] } };
      },
    });
    const { headers } = await server.get('url=http://site.test/');
    expect(headers.get('link')).toMatch(/title="har"$/);
    expect(headers.get('x-missing-assets')).toBe('har;partial;reason="no \\"room\\""');
  });

  it('is absent without assets', async () => {
    await using server = await openServer({ render: async (plan, options) => ({ ...(await rendered(plan, options)), assets: NO_ASSETS }) });
    const { headers } = await server.get('url=http://site.test/');
    expect([headers.get('link'), headers.get('x-missing-assets')]).toEqual([null, null]);
  });
});

describe('GET /assets', () => {
  it('is answered when its last byte is sent, whatever its file takes to end', async () => {
    await using server = await openServer({ render: withAssets });
    const url = await renderedAsset(server);
    let body: Readable | undefined;
    const { find } = DiskStore.prototype;
    const spy = vi.spyOn(DiskStore.prototype, 'find').mockImplementation(async function (this: DiskStore, id) {
      const found = await find.call(this, id);
      if (found === undefined || found === 'expired') return found;
      // All bytes, and no end.
      const open = () => {
        body = new Readable({ read: () => undefined });
        body.push(BYTES);
        return body;
      };
      return { ...found, asset: { ...found.asset, open } };
    });
    onTestFinished(() => {
      spy.mockRestore();
    });
    const over = server.finished(({ endpoint }) => endpoint === 'GET /assets');
    const response = await fetch(url, { headers: { connection: 'close' } });
    expect(await response.text()).toBe(BYTES);
    const record = await over;
    expect(record).toMatchObject({ status: 200, bytes: BYTES.length });
    expect(record).not.toHaveProperty('code');
    expect(body?.destroyed).toBe(true);
  });

  it('answers the bytes with type, name, ETag and lifetime', async () => {
    await using server = await openServer({ render: withAssets, flags: { 'server-additional-asset-expiration': 120 } });
    const response = await fetch(await renderedAsset(server));
    expect(await response.text()).toBe(BYTES);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(BYTES.length),
      'content-disposition': 'inline; filename="site.test-docs-start.har"',
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
      etag: expect.stringMatching(/^"[\da-f]{64}"$/) as string,
      'cache-control': expect.stringMatching(/^private, immutable, max-age=1(?:20|1\d)$/) as string,
    });
  });

  it('may be read by pages of other origins where it has viewers there, and else not', async () => {
    await using server = await openServer({ render: withAssets });
    const links = LINKS.exec((await server.get('url=http://site.test/')).headers.get('link') ?? '') ?? [];
    const sent = await Promise.all(
      [links[1] ?? '', links[2] ?? ''].map((path) => fetch(server.url + path, { headers: { origin: 'http://evil.test' } })),
    );
    expect(
      sent.map(({ status, headers }) => [status, headers.get('access-control-allow-origin'), headers.get('cross-origin-resource-policy')]),
    ).toEqual([
      [200, '*', 'cross-origin'],
      [200, null, 'same-origin'],
    ]);
  });

  it('answers HEAD with the same headers and no body', async () => {
    await using server = await openServer({ render: withAssets });
    const response = await fetch(await renderedAsset(server), { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, String(BYTES.length), '']);
  });

  it.each([
    ['bytes=0-4', '{"log', 'bytes 0-4/25'],
    ['bytes=21-', '2"}}', 'bytes 21-24/25'],
    ['bytes=-2', '}}', 'bytes 23-24/25'],
  ])('answers the range %s with 206', async (range, body, contentRange) => {
    await using server = await openServer({ render: withAssets });
    const response = await fetch(await renderedAsset(server), { headers: { range } });
    expect([response.status, await response.text(), response.headers.get('content-range')]).toEqual([206, body, contentRange]);
  });

  it.each(['bytes=0-1,4-5', 'pages=1-2', 'nonsense'])('answers the range %j with the whole', async (range) => {
    await using server = await openServer({ render: withAssets });
    const response = await fetch(await renderedAsset(server), { headers: { range } });
    expect([response.status, await response.text()]).toEqual([200, BYTES]);
  });

  it('answers a range past the end with 416 and the size', async () => {
    await using server = await openServer({ render: withAssets });
    const response = await fetch(await renderedAsset(server), { headers: { range: 'bytes=25-' } });
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */25']);
    expect(await response.json()).toMatchObject({ code: 'range_not_satisfiable' });
  });

  it('heeds If-Match, If-None-Match and If-Range', async () => {
    await using server = await openServer({ render: withAssets });
    const url = await renderedAsset(server);
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    const headers = { 'if-none-match': etag };
    expect((await fetch(url, { headers })).status).toBe(304);
    expect((await fetch(url, { headers: { 'if-match': `"other"` } })).status).toBe(412);
    expect((await fetch(url, { headers: { range: 'bytes=0-1', 'if-range': etag } })).status).toBe(206);
    expect((await fetch(url, { headers: { range: 'bytes=0-1', 'if-range': '"other"' } })).status).toBe(200);
  });

  it.each([
    ['', 400, 'invalid_parameters'],
    ['?id=a&id=b', 400, 'invalid_parameters'],
    ['?id=a&size=1', 400, 'invalid_parameters'],
    [`?id=${'A'.repeat(22)}`, 404, 'not_found'],
    ['?id=..%2F..%2Fetc%2Fpasswd', 404, 'not_found'],
  ])('answers %j with %i %s', async (query, status, code) => {
    await using server = await openServer();
    const response = await fetch(`${server.url}/assets${query}`);
    expect([response.status, await response.json()]).toEqual([status, expect.objectContaining({ code })]);
  });

  it('L6: answers an expired asset with 410', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      await using server = await openServer({ render: withAssets });
      const url = await renderedAsset(server);
      vi.setSystemTime(Date.now() + 3_600_000);
      const response = await fetch(url);
      expect([response.status, await response.json()]).toEqual([410, expect.objectContaining({ code: 'gone' })]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('takes no other method', async () => {
    await using server = await openServer();
    const response = await fetch(`${server.url}/assets?id=x`, { method: 'DELETE' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'HEAD, GET']);
  });
});
