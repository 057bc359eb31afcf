import { Readable } from 'node:stream';
import { definePlugin, PlatenError, type ServerApi, Stage } from '@platen/kernel';
import egress from '@platen/plugin-egress';
import proxy from '@platen/plugin-proxy';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../../../server/src/log/create-log.js';
import { until } from '../../../helpers/until.js';
import { type FakeRender, output, rendered, serving } from '../../../server/test-server.js';
import { countBytes, promised, useCluster } from './cluster-servers.js';

const { join } = useCluster();

const HAR = { name: 'har', contentType: 'application/json', extension: 'har' };
const never: FakeRender = () => Promise.reject(new Error('a front does not render'));

describe('a render', () => {
  it('is carried out by a worker, with its headers, timings, name and assets', async () => {
    const seen: unknown[] = [];
    const render: FakeRender = async (plan, options) => {
      seen.push(plan.params);
      const kept = await options.store?.put(HAR, Buffer.from('{"a":1}'), new AbortController().signal);
      const made = await rendered(plan, options);
      return { ...made, output: { ...made.output, filename: 'own.png' }, assets: { kept: kept === undefined ? [] : [kept], missing: [] } };
    };
    const front = await join('front', 'whole', { render: never });
    const worker = await join('worker', 'whole', { render });
    const response = await front.post({ url: 'http://a.test/', full_page: true, navigator_data: { a: 'b' } });
    expect(await response.text()).toBe('a png');
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': '5',
      'x-target-status': '200',
      'content-disposition': expect.stringContaining('own.png') as string,
      'server-timing': expect.stringContaining('capture;dur=4.0') as string,
    });
    expect(seen).toMatchObject([{ full_page: true, navigator_data: { a: 'b' } }]);
    const [, link = ''] = /<([^>]+)>/.exec(response.headers.get('link') ?? '') ?? [];
    expect(await (await fetch(`${front.url}${link}`)).text()).toBe('{"a":1}');
    expect(worker.records).toMatchObject([
      { id: front.records.find(({ endpoint }) => endpoint === 'POST /')?.id, endpoint: 'cluster', status: 200 },
    ]);
  });

  it('is one line in the log of its front, and one in that of its worker', async () => {
    const lines: string[] = [];
    const log = createLog({ level: 'info', stream: { write: (text: string) => lines.push(text) } });
    const front = await join('front', 'lines', { render: never, log });
    await join('worker', 'lines', { log });
    await (await front.get('url=http://a.test/')).arrayBuffer();
    await until(() => front.records.length === 2);
    expect(lines.filter((line) => line.includes('"request":')).map((line) => (JSON.parse(line) as { endpoint: string }).endpoint)).toEqual([
      'cluster',
      'GET /',
    ]);
  });

  it('of a server with both roles goes through the queue once', async () => {
    const server = await join('both', 'one');
    expect(await (await server.get('url=http://a.test/')).text()).toBe('a png');
    expect(server.records.map(({ endpoint }) => endpoint).sort()).toEqual(['GET /', 'POST /cluster/jobs/:id/:attempt', 'cluster']);
  });

  it.each([
    ['that has not joined, as the command line', Stage.first],
    ['that listens nowhere, as over stdio', Stage.last],
  ])('of a process %s, is its own', async (_, stage) => {
    const made: unknown[] = [];
    const early = serving(({ hooks, render }) => {
      hooks.start.tapPromise({ name: 'early', stage }, async () => {
        const { signal } = new AbortController();
        made.push((await render({ id: 'id', endpoint: 'mcp', source: 'body', raw: { url: 'http://a.test/' }, signal })).output.contentType);
      });
    });
    await join('front', `early${String(stage)}`, { plugins: [early], render: rendered });
    expect(made).toEqual(['image/png']);
  });

  it('that names an asset is of the front, whose store has it', async () => {
    const front = await join('front', 'asset', { render: rendered });
    expect(await (await front.post({ url: 'http://a.test/', image_selector: 'asset:AAAAAAAAAAAAAAAAAAAAAA' })).text()).toBe('a png');
    expect(front.records.map(({ endpoint }) => endpoint)).toEqual(['POST /']);
  });

  it('that fails has the error and the assets of the worker', async () => {
    const render: FakeRender = async (_plan, { store }) => {
      const kept = await store?.put(HAR, Buffer.from('{}'), new AbortController().signal);
      const assets = { kept: kept === undefined ? [] : [kept], missing: [] };
      throw new PlatenError('selector_empty', 'the element is empty', { assets, target: { url: 'http://a.test/' } });
    };
    const front = await join('front', 'fails', { render: never });
    await join('worker', 'fails', { render });
    const response = await front.get('url=http://a.test/');
    expect(response.status).toBe(422);
    expect(response.headers.get('link')).toContain('title="har"');
    expect(await response.json()).toMatchObject({
      code: 'selector_empty',
      detail: 'the element is empty',
      target: { url: 'http://a.test/' },
    });
  });

  it('that fails unexpectedly says nothing about the worker', async () => {
    const front = await join('front', 'internal', { render: never });
    await join('worker', 'internal', { render: () => Promise.reject(new Error('secret path')) });
    const response = await front.get('url=http://a.test/');
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret path');
  });

  it('of a crawl reports its pages while its archive is sent', async () => {
    const render: FakeRender = async (plan, options) => {
      const body = Readable.from(
        (async function* () {
          for (let done = 1; done <= 20; done += 1) {
            options.onProgress?.({ done, queued: 20 - done, failed: 0, bytes: done * 1000, url: plan.url });
            yield Buffer.alloc(1000, done);
            // Between the header of a frame and its bytes.
            options.onPhase?.('encode');
            await Promise.resolve();
          }
        })(),
        { objectMode: false },
      );
      return { ...(await rendered(plan, options)), output: { ...output('png'), body } };
    };
    const pages: number[] = [];
    const watch = definePlugin({
      name: 'watch',
      serve({ hooks }: ServerApi) {
        hooks.execute.tap({ name: 'watch', stage: -100 }, (call) => {
          Object.assign(call, { onProgress: ({ done }: { done: number }) => pages.push(done) });
          return undefined;
        });
      },
    });
    const front = await join('front', 'crawl', { render: never, plugins: [watch] });
    await join('worker', 'crawl', { render });
    const bytes = Buffer.from(await (await front.get('url=http://a.test/')).arrayBuffer());
    expect(bytes).toEqual(Buffer.concat(Array.from({ length: 20 }, (_, page) => Buffer.alloc(1000, page + 1))));
    expect(pages.length).toBeGreaterThan(0);
  });

  it('that the worker refuses although the front has accepted it names what differs', async () => {
    const missing = definePlugin({
      name: 'model',
      plan() {
        throw new PlatenError('invalid_parameters', 'there is no model');
      },
    });
    const front = await join('front', 'differs', { render: never });
    await join('worker', 'differs', { plugins: [missing] });
    const response = await front.get('url=http://a.test/');
    expect(response.status).toBe(501);
    expect(await response.json()).toMatchObject({
      code: 'feature_unavailable',
      detail: 'the worker refuses the request (there is no model): fronts and workers must have the same version, plugins and flags',
    });
  });

  it.each<[flag: string, value: unknown]>([
    ['block-private-ips', true],
    ['egress-proxy', 'http://user:password@127.0.0.1:1'],
  ])('of a front that keeps pages out of the network, whose worker lacks or has --%s', async (flag, value) => {
    const plugins = [egress, proxy];
    for (const [role, flags, status] of [
      ['lacks', {}, 501],
      ['has', { [flag]: value }, 200],
    ] as const) {
      const name = `${role}-${flag}`;
      const front = await join('front', name, { plugins, render: never, flags: { [flag]: value } });
      await join('worker', name, { plugins, render: rendered, flags });
      const response = await front.get('url=http://a.test/');
      expect(response.status).toBe(status);
      if (status === 501) expect(await response.json()).toMatchObject({ detail: expect.stringContaining(`lacks --${flag}`) as string });
    }
  });

  it('streams 100 MB, as fast as the client reads', async () => {
    const chunk = Buffer.alloc(1024 ** 2);
    let made = 0;
    const render: FakeRender = async (plan, options) => ({
      ...(await rendered(plan, options)),
      output: {
        ...output('png'),
        body: Readable.from(
          (function* () {
            for (; made < 100; made += 1) yield chunk;
          })(),
          { objectMode: false },
        ),
      },
    });
    const front = await join('front', 'large', { render: never });
    await join('worker', 'large', { render });
    const response = await front.get('url=http://a.test/');
    const reader = response.body?.getReader();
    await reader?.read();
    // The sockets and buffers on the way hold a few megabytes.
    expect(made).toBeLessThan(60);
    reader?.releaseLock();
    expect(await countBytes(response.body)).toBeGreaterThan(99 * 1024 ** 2);
    expect(made).toBe(100);
  });
});

describe('a client that leaves', () => {
  it('ends the render of the worker', async () => {
    const [begun, ended] = [promised(), promised<unknown>()];
    const render: FakeRender = (_plan, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          ended.resolve(signal.reason);
          reject(signal.reason as Error);
        });
        begun.resolve();
      });
    const front = await join('front', 'leaves', { render: never });
    await join('worker', 'leaves', { render });
    const leaving = new AbortController();
    const asked = front.get('url=http://a.test/', { signal: leaving.signal }).catch(() => undefined);
    await begun.promise;
    expect(front.server.api.status()).toMatchObject({ in_flight: 1, cluster: { role: 'front', queue: 'up', attempts: 1, lost: 0 } });
    leaving.abort();
    await asked;
    expect(await ended.promise).toMatchObject({ code: 'client_closed' });
    expect(front.server.api.status()).toMatchObject({ in_flight: 0, queued: 0 });
  });

  it('takes its queued job along', async () => {
    const front = await join('front', 'queued', { render: never });
    const leaving = new AbortController();
    const over = front.finished(({ endpoint }) => endpoint === 'GET /');
    const asked = front.get('url=http://a.test/left', { signal: leaving.signal }).catch(() => undefined);
    const other = front.get('url=http://a.test/stays');
    await until(() => front.server.api.status().queued === 2);
    leaving.abort();
    await asked;
    await over;
    const urls: string[] = [];
    await join('worker', 'queued', {
      render(plan, options) {
        urls.push(plan.url);
        return rendered(plan, options);
      },
    });
    expect((await other).status).toBe(200);
    expect(urls).toEqual(['http://a.test/stays']);
  });
});
