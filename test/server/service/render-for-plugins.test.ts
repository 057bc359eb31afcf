import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { NO_ASSETS, type PlatenError, type ServerApi } from '@platen/kernel';
import type {} from '@platen/server';
import { describe, expect, it } from 'vitest';
import { type FakeRender, output, rendered, serving, type TestServerOptions, useServers } from '../test-server.js';

const start = useServers();

/** A server with the API that one of its plugins has received. */
async function open(options: TestServerOptions = {}) {
  let received: ServerApi | undefined;
  const guest = serving((server) => {
    received = server;
  });
  const server = await start({ ...options, plugins: [guest, ...(options.plugins ?? [])] });
  if (received === undefined) throw new Error('the plugin has received no API');
  return { server, api: received };
}

const request = (raw: unknown, signal = new AbortController().signal) => ({ endpoint: 'guest', source: 'mcp', raw, signal }) as const;

const HAR = { name: 'har', contentType: 'application/json', extension: 'har' };
const withAsset: FakeRender = async (plan, options) => {
  const kept = await options.store?.put(HAR, Buffer.from('{}'), new AbortController().signal);
  return { ...(await rendered(plan, options)), assets: { kept: kept === undefined ? [] : [kept], missing: [] } };
};

describe('render', () => {
  it('validates, admits and renders like POST /, and is reported once', async () => {
    const admitted: string[] = [];
    const limits = {
      name: 'limits',
      serve: ({ hooks }: ServerApi) => hooks.admit.tap('limits', ({ endpoint }) => void admitted.push(endpoint)),
    };
    const { server, api } = await open({ plugins: [limits] });
    const { plan, id, output: made } = await api.render(request({ url: 'http://a.test/', navigator_data: { a: 'b' } }));
    expect(made.body).toEqual(Buffer.from('a png'));
    expect(admitted).toEqual(['guest']);
    expect(server.records).toMatchObject([{ id, endpoint: 'guest', format: 'png', status: 200, bytes: 5, plan, timings: { capture: 4 } }]);
    expect(api.openEndpoints()).toEqual([]);
  });

  it('rejects with the error of the request or of the render, and reports it', async () => {
    const { server, api } = await open();
    await expect(api.render(request({ url: 'http://a.test/', fullpage: true }))).rejects.toMatchObject({ code: 'invalid_parameters' });
    expect(server.records).toMatchObject([{ endpoint: 'guest', status: 400, code: 'invalid_parameters', bytes: 0 }]);
  });

  it('is in progress until its body has been read', async () => {
    const body = Readable.from([Buffer.from('some '), Buffer.from('bytes')], { objectMode: false });
    const render: FakeRender = async (plan, options) => ({
      ...(await rendered(plan, options)),
      output: { ...output('png'), body },
    });
    const { server, api } = await open({ render });
    const { output: made } = await api.render(request({ url: 'http://a.test/' }));
    expect(api.openEndpoints()).toEqual(['guest']);
    const over = server.finished(() => true);
    expect(await text(made.body as Readable)).toBe('some bytes');
    expect(await over).toMatchObject({ status: 200, bytes: 10 });
    expect(api.openEndpoints()).toEqual([]);
  });

  it('that is not read any further closes its source and counts as left by its client', async () => {
    const source = new Readable({ read() {} });
    source.push('begun');
    const render: FakeRender = async (plan, options) => ({
      ...(await rendered(plan, options)),
      output: { ...output('png'), body: source },
    });
    const { server, api } = await open({ render });
    const { output: made } = await api.render(request({ url: 'http://a.test/' }));
    const closed = finished(source).catch((error: unknown) => error);
    const over = server.finished(() => true);
    (made.body as Readable).destroy();
    await closed;
    expect(await over).toMatchObject({ status: 499, code: 'client_closed' });
  });

  it.each([
    ['its caller leaves', 'client_closed', (leave: AbortController) => leave.abort()],
    ['the server is stopped', 'draining', (_leave: AbortController, close: () => void) => close()],
  ])('is aborted when %s', async (_, code, act) => {
    const leave = new AbortController();
    let began: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      began = resolve;
    });
    const { server, api } = await open({
      render: (_plan, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
          began();
        }),
    });
    const rendering = api.render(request({ url: 'http://a.test/' }, leave.signal)).catch((error: unknown) => error as PlatenError);
    await begun;
    act(leave, () => void server.server.close(0));
    expect(await rendering).toMatchObject({ code });
    expect(server.records).toMatchObject([{ endpoint: 'guest', code }]);
  });
});

describe('assets', () => {
  it('are linked as in the headers of GET /, and found under the link', async () => {
    const { server, api } = await open({ render: withAsset });
    const { plan, assets } = await api.render(request({ url: 'http://a.test/' }));
    const { links, headers } = await api.assets.link(plan, assets);
    expect(links).toMatchObject([{ asset: HAR, fileName: 'a.test.har' }]);
    expect(headers.Link).toBe(`<${links[0]?.url ?? ''}>; rel="related"; type="application/json"; title="har"`);
    expect(await (await fetch(`${server.url}${links[0]?.url ?? ''}`)).text()).toBe('{}');
  });

  it('of a plugin itself are stored, published or discarded', async () => {
    const { api } = await open();
    const { signal } = new AbortController();
    const [kept, dropped] = [await api.assets.put(HAR, Buffer.from('1'), signal), await api.assets.put(HAR, Buffer.from('2'), signal)];
    await api.assets.discard([dropped]);
    const { links } = await api.assets.link({ url: 'http://a.test/' }, { ...NO_ASSETS, kept: [kept] });
    expect(await api.assets.find(links[0]?.asset.id ?? '')).toMatchObject({ asset: { name: 'har', bytes: 1 } });
    expect(await api.assets.find(dropped.id)).toBeUndefined();
  });
});

describe('execute', () => {
  it('renders an admitted call elsewhere, with its plan, its time and its store', async () => {
    const elsewhere = serving(({ hooks }) => {
      hooks.execute.tapPromise('guest', async ({ plan, store, waitedMs, signal }) => {
        if (!plan.url.endsWith('/away')) return undefined;
        const kept = [await store.put(HAR, Buffer.from(String(waitedMs >= 0)), signal)];
        return {
          output: output('png', Buffer.from('from another machine')),
          assets: { kept, missing: [] },
          headers: {},
          timings: { capture: 1 },
        };
      });
    });
    const server = await start({ plugins: [elsewhere] });
    const response = await server.get('url=http://a.test/away');
    expect(response.headers.get('link')).toContain('title="har"');
    expect(await response.text()).toBe('from another machine');
    expect(await (await server.get('url=http://a.test/here')).text()).toBe('a png');
  });
});

describe('readJson', () => {
  it('reads a body within the limits of POST /', async () => {
    const echo = serving((server) => {
      server.hooks.routes.tap('guest', (router) => {
        router.post('/echo', async (ctx) => {
          ctx.body = JSON.stringify(await server.readJson(ctx));
        });
      });
    });
    const { url } = await start({ plugins: [echo] });
    const post = (body: string, type = 'application/json') =>
      fetch(`${url}/echo`, { method: 'POST', headers: { 'content-type': type }, body });
    expect(await (await post('{"a":[1]}')).json()).toEqual({ a: [1] });
    expect((await post('{"a":1,"a":2}')).status).toBe(400);
    expect((await post('{}', 'text/plain')).status).toBe(415);
    expect((await post(JSON.stringify('x'.repeat(9 * 1024 ** 2)))).status).toBe(413);
  });
});
