import { Readable } from 'node:stream';
import { definePlugin, NO_ASSETS, PlatenError, type RenderResult } from '@platen/kernel';
import type {} from '@platen/server';
import { afterEach, describe, expect, it } from 'vitest';
import { closeAll, openCached, picture, renderedAs } from './cached-server.js';

afterEach(closeAll);

const PAGE = 'url=http://a.test/';

async function textOf(answer: Promise<Response>): Promise<string> {
  return await (await answer).text();
}

describe('L3: not from the cache and not into it', () => {
  const cases: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['cookie', { cookie: ['a=b'] }],
    ['header', { header: ['A: b'] }],
    ['with_storage', { with_storage: true }],
    ['with_storage=false, which is not the default', { with_storage: false }],
    ['navigate', { navigate: 'log in' }],
    ['a secret parameter', { proxy: 'http://proxy.test/' }],
    ['credentials in the URL', { url: 'http://user:secret@a.test/' }],
    ["a key in a model's address", { llm_format_model: 'openai://KEY@host/?model=x' }],
  ];
  it.each(cases)('%s', async (_name, params) => {
    const server = await openCached();
    const body = { url: 'http://a.test/', ...params };
    for (let time = 1; time <= 2; time += 1) {
      const answer = await server.post(body);
      expect(answer.headers.get('cache-status')).toBe('platen; fwd=bypass');
      expect(answer.headers.has('etag')).toBe(false);
      expect(await answer.text()).toBe(`picture ${String(time)}`);
    }
    expect(await server.files()).toEqual([]);
    expect(server.records.map(({ cache }) => cache)).toEqual(['bypass', 'bypass']);
  });

  it('what is empty or says no is none of these', async () => {
    const server = await openCached();
    await server.post({ url: 'http://a.test/?to=me@b.test', cookie: [], diagnostics: false });
    const answer = await server.post({ url: 'http://a.test/?to=me@b.test', cookie: [], diagnostics: false });
    expect(answer.headers.get('cache-status')).toBe('platen; fwd=method; stored');
  });

  it.each([
    ['a picture', () => Buffer.from('a')],
    ['a stream of unknown length', () => Readable.from([Buffer.from('a')])],
  ])('%s where no entry has room is not said to be stored', async (_name, body) => {
    const server = await openCached({ render: () => Promise.resolve(renderedAs(body())), flags: { 'server-cache-size-limit': 100 } });
    const answer = await server.get(PAGE);
    expect(await answer.text()).toBe('a');
    expect(answer.headers.get('cache-status')).toBe('platen; fwd=uri-miss');
  });

  it('failures, each of which is told to the next asker anew', async () => {
    let isBroken = true;
    const server = await openCached({
      render: (plan, options) => (isBroken ? Promise.reject(new PlatenError('page_crashed', 'it crashed')) : picture(2)(plan, options)),
    });
    const failed = await server.get(PAGE);
    expect(failed.status).toBe(502);
    expect(failed.headers.get('cache-status')).toBe('platen; fwd=uri-miss');
    expect(failed.headers.get('cache-control')).toBe('no-store');
    expect(server.records.map(({ cache, status }) => [cache, status])).toEqual([['miss', 502]]);
    isBroken = false;
    expect(await textOf(server.get(PAGE))).toBe('picture 2');
  });

  const unkept: readonly (readonly [string, Partial<RenderResult>])[] = [
    ['an error page of the target', { headers: { 'X-Target-Status': '404' } }],
    ['a result without one of its assets', { assets: { kept: [], missing: [{ name: 'har', reason: 'the disk is full' }] } }],
  ];
  it.each(unkept)('%s', async (_name, more) => {
    const server = await openCached({ render: () => renderedAs(Buffer.from('once'), more) });
    const first = await server.get(PAGE);
    expect(first.headers.get('cache-status')).toBe('platen; fwd=uri-miss');
    expect(first.headers.has('cache-control')).toBe(false);
    await server.get(PAGE);
    expect(server.renders()).toBe(2);
    expect(await server.files()).toEqual([]);
  });

  it('a result with an asset that lacks a part', async () => {
    const head = { name: 'har', contentType: 'application/json', extension: 'har', incomplete: 'no room' };
    const server = await openCached({
      render: async (_plan, { store }) => {
        const asset = await store?.put(head, Buffer.from('{}'), new AbortController().signal);
        return renderedAs(Buffer.from('once'), { assets: { kept: asset === undefined ? [] : [asset], missing: [] } });
      },
    });
    expect((await server.get(PAGE)).headers.get('x-missing-assets')).toBe('har;partial;reason="no room"');
    await server.get(PAGE);
    expect(server.renders()).toBe(2);
    expect(await server.files()).toEqual([]);
  });

  it("another plugin's answers, which come first", async () => {
    const report = definePlugin({
      name: 'report',
      serve({ hooks }) {
        hooks.beforeRender.tapPromise('report', async ({ plan }) =>
          plan.url.endsWith('/report') ? { ...(await renderedAs(Buffer.from('report'))), assets: NO_ASSETS } : undefined,
        );
      },
    });
    const server = await openCached({ plugins: [report] });
    const answer = await server.get('url=http://a.test/report');
    expect(await answer.text()).toBe('report');
    expect(answer.headers.has('cache-status')).toBe(false);
    expect(await server.files()).toEqual([]);
  });
});

describe('L3: who asks', () => {
  it('what one may render and another too is kept for both: no result depends on the asker', async () => {
    const doors = definePlugin({
      name: 'doors',
      serve({ hooks }) {
        hooks.authorize.tap('doors', ({ headers: { authorization } }) => {
          if (authorization === undefined) throw new PlatenError('unauthorized', 'credentials are required');
          return { identity: String(authorization) };
        });
      },
    });
    const server = await openCached({ plugins: [doors] });
    const as = (authorization: string, query = PAGE) => server.get(query, { headers: { authorization } });
    expect(await textOf(as('alice'))).toBe('picture 1');
    expect(await textOf(as('bob'))).toBe('picture 1');
    expect((await server.get(PAGE)).status).toBe(401);
    expect(await textOf(as('alice', `${PAGE}&cookie=session%3Dalice`))).toBe('picture 2');
    expect(await textOf(as('bob', `${PAGE}&cookie=session%3Dalice`))).toBe('picture 3');
  });

  it('headers of the request have no say', async () => {
    const server = await openCached();
    await server.get(PAGE, { headers: { 'x-forwarded-host': 'evil.test', 'accept-language': 'de' } });
    const answer = await server.get(PAGE);
    expect(await answer.text()).toBe('picture 1');
    expect(JSON.stringify([...answer.headers])).not.toContain('evil');
  });
});

it('the command line has none of it', async () => {
  const cached = await openCached();
  const answered = await cached.server.hooks.beforeRender.promise({
    id: 'one',
    endpoint: 'command line',
    plan: cached.kernel.plan({ url: 'http://a.test/' }),
    signal: new AbortController().signal,
    header: () => undefined,
    reportCacheStatus: () => undefined,
    render: () => Promise.reject(new Error('not asked for')),
  });
  expect(answered).toBeUndefined();
});
