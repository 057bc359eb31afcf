import { once } from 'node:events';
import { createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { definePlugin, isPlatenError, type CollectedAssets } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import exchanges from '@platen/plugin-network';
import har from '@platen/plugin-har';
import networkLog from '@platen/plugin-network-log';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import pprof from '@platen/plugin-pprof';
import storage from '@platen/plugin-storage';
import trace from '@platen/plugin-trace';
import wait from '@platen/plugin-wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTrafficSite, type TrafficSite } from '../capture/network/traffic-site.js';
import { readHar } from '../capture/network/har-prober.js';
import { listTop } from './pprof/go-pprof.js';
import { readTrace } from './trace/read-trace.js';

const crash = definePlugin({
  name: 'crash',
  apply({ hooks }) {
    hooks.waitFor.tapPromise('crash', async ({ page, plan }) => {
      if (!plan.url.endsWith('/crash')) return undefined;
      return page.send('Page.crash').then(
        () => undefined,
        () => undefined,
      );
    });
  },
});
const host = createTestKernel({ plugins: [pixels, png, wait, exchanges, har, networkLog, trace, pprof, storage, crash] });
const ALL = { with_har: true, with_network_log: true, with_trace: true, with_pprof_cpu: true, with_pprof_memory: true, with_storage: true };

let site: TrafficSite;
beforeAll(async () => {
  site = await openTrafficSite({
    '/hangs': (_request, response) =>
      response.setHeader('content-type', 'text/html').end('<script>localStorage.seen = 1</script><img src="/never">'),
    '/never': () => undefined,
    '/loops': (_request, response) =>
      response.setHeader('content-type', 'text/html').end('<script>onload = () => setTimeout(function spin() { for (;;); })</script>'),
    '/crash': (_request, response) => response.setHeader('content-type', 'text/html').end('<p>x'),
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** The code of a render's failure, and what it left. */
async function fail(path: string, params: object): Promise<{ readonly code: string; readonly assets: CollectedAssets }> {
  const error: unknown = await host.render({ url: site.url(path), ...ALL, ...params }).catch((thrown: unknown) => thrown);
  if (!isPlatenError(error) || error.assets === undefined) throw new Error('the render left nothing');
  return { code: error.code, assets: error.assets };
}

const bytesOf = async ({ kept }: CollectedAssets, wanted: string): Promise<Buffer> => {
  const asset = kept.find(({ name }) => name === wanted);
  if (asset === undefined) throw new Error(`there is no ${wanted}`);
  return buffer(asset.open());
};

const names = ({ kept }: CollectedAssets) => kept.map(({ name }) => name).sort();

/** An address where nobody listens. */
async function refusing(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${String(address.port)}/`;
}

describe('a navigation that fails', () => {
  it.each([
    ['refused', refusing, 'net::ERR_CONNECTION_REFUSED'],
    ['of an unknown host', () => Promise.resolve('http://nowhere.invalid/'), 'net::ERR_NAME_NOT_RESOLVED'],
  ])('%s leaves its error, the exchange in the HAR, and the trace, time after time', async (_name, target, netError) => {
    const url = await target();
    for (let time = 0; time < 4; time++) {
      const error: unknown = await host.render({ url, ...ALL }).catch((thrown: unknown) => thrown);
      if (!isPlatenError(error) || error.assets === undefined) throw new Error('the render left nothing');
      expect([error.code, error.details.target]).toEqual(['target_unreachable', expect.objectContaining({ net_error: netError })]);
      expect(error.assets.missing).toEqual([]);
      expect(names(error.assets)).toEqual(['har', 'network_log', 'pprof_cpu', 'pprof_memory', 'storage', 'trace']);
      expect((await bytesOf(error.assets, 'trace')).length).toBeGreaterThan(1000);
      const har = await readHar((await bytesOf(error.assets, 'har')).toString());
      expect(har.log.entries.map(({ request }) => request.url)).toEqual([url]);
    }
  });
});

describe('a render that runs past its timeout', () => {
  it('leaves all that was recorded: the page is there, and is asked', async () => {
    const { code, assets } = await fail('/hangs', { timeout: 4 });
    expect([code, assets.missing]).toEqual(['render_timeout', []]);
    expect(names(assets)).toEqual(['har', 'network_log', 'pprof_cpu', 'pprof_memory', 'storage', 'trace']);
    const log = await readHar((await bytesOf(assets, 'har')).toString());
    expect(log.one('/never').response).toMatchObject({ status: 0, _error: 'net::ERR_IO_PENDING' });
    expect((await readTrace(await bytesOf(assets, 'trace'))).navigations).toEqual([site.url('/hangs')]);
    expect((await bytesOf(assets, 'storage')).toString()).toContain('"seen"');
  });

  it('leaves the profile and the trace of a script that does not end, and says what it ran', async () => {
    const { code, assets } = await fail('/loops', { timeout: 3 });
    expect(code).toBe('render_timeout');
    expect(names(assets)).toEqual(expect.arrayContaining(['har', 'network_log', 'pprof_cpu', 'trace']));
    expect((await listTop(await bytesOf(assets, 'pprof_cpu'), { unit: 'ms' }))[0]?.place).toContain('spin ');
  });

  it('leaves what needs no page, and says why the rest is missing, where the target never answers', async () => {
    const { code, assets } = await fail('/never', { timeout: 4 });
    expect(code).toBe('render_timeout');
    expect(names(assets)).toEqual(expect.arrayContaining(['har', 'network_log']));
    expect(assets.missing).toContainEqual({ name: 'pprof_cpu', reason: 'the page did not answer within 1 s' });
    expect([...names(assets), ...assets.missing.map(({ name }) => name)].sort()).toEqual(
      ['har', 'network_log', 'pprof_cpu', 'pprof_memory', 'storage', 'trace'].sort(),
    );
  });
});

describe('a render whose page crashes', () => {
  it('leaves what was heard of it, and says why its profiles and its trace are missing', async () => {
    const { code, assets } = await fail('/crash', { timeout: 20 });
    expect([code, names(assets)]).toEqual(['page_crashed', ['har', 'network_log']]);
    const crashed = ['pprof_cpu', 'pprof_memory', 'trace'].map((name) => ({ name, reason: 'the page crashed' }));
    expect(assets.missing).toEqual(expect.arrayContaining(crashed));
    expect(assets.missing.map(({ name }) => name)).toContain('storage');
  });
});
