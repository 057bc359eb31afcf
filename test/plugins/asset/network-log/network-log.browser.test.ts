import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { ACTED, acting, openHarProber } from '../../capture/network/har-prober.js';
import { openTrafficSite } from '../../capture/network/traffic-site.js';

const prober = openHarProber();
afterAll(() => prober[Symbol.asyncDispose]());

interface Line {
  readonly t: number;
  readonly wall: string;
  readonly session: string;
  readonly target: string;
  readonly frame?: string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

async function renderLog(params: Readonly<Record<string, unknown>>) {
  const { assets } = await prober.host.render({ output_type: 'har', with_network_log: true, ...params });
  const [asset] = assets.kept;
  const written = asset ? await text(asset.open()) : '';
  expect(written.endsWith('\n')).toBe(true);
  return {
    asset,
    written,
    lines: written
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line),
  };
}

it('is a line for each event of Network and Page, with its time, session, target and frame', async () => {
  await using site = await openTrafficSite({
    '/': acting(`const worker = new Worker('/worker.js'); await new Promise((resolve) => { worker.onmessage = resolve })`),
    '/worker.js': (_request, response) =>
      response.setHeader('content-type', 'text/javascript').end(`fetch('/json').then((r) => r.text()).then(() => postMessage(''))`),
  });
  const started = Date.now();
  const { asset, lines } = await renderLog({ url: site.url('/'), ...ACTED });
  expect(asset).toMatchObject({ name: 'network_log', contentType: 'application/x-ndjson', extension: 'network.jsonl' });
  expect(new Set(lines.map(({ method }) => method.split('.')[0]))).toEqual(new Set(['Network', 'Page']));
  for (const { t, wall, session, target } of lines) {
    expect(Date.parse(wall)).toBeGreaterThanOrEqual(started);
    expect([t >= 0, session.length > 8, target.length > 8]).toEqual([true, true, true]);
  }
  expect(lines.map(({ t }) => t)).toEqual(lines.map(({ t }) => t).sort((a, b) => a - b));
  const sent = lines.filter(({ method }) => method === 'Network.requestWillBeSent');
  expect(sent.map(({ params }) => (params['request'] as { url: string }).url)).toEqual(
    expect.arrayContaining([site.url('/'), site.url('/worker.js'), site.url('/json')]),
  );
  expect(new Set(sent.map(({ session }) => session)).size).toBe(2);
  const navigated = lines.find(({ method }) => method === 'Page.frameNavigated');
  expect(navigated?.frame).toBe((navigated?.params['frame'] as { id: string }).id);
});

it('holds no body, no userinfo and nothing of the proxy', async () => {
  await using site = await openTrafficSite({
    '/': acting(`await (await fetch(location.origin + '/json?a=1@2')).text()`, '<img src="/json">'),
  });
  const { written } = await renderLog({ url: site.url('/').replace('//', '//user:hidden@'), ...ACTED });
  expect(written).not.toContain('hidden');
  expect(written).not.toMatch(/proxy-/i);
  expect(written).not.toContain('"n":1');
  expect(written).not.toContain('"data":');
  expect(written).toContain('/json?a=1@2');
});
