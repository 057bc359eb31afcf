import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { BrowserVariant, DeviceProfile } from '../../../kernel/src/browser/contract.js';
import { InterceptStage } from '../../../kernel/src/browser/contract.js';
import { openPool } from './open-pool.js';

const PROFILE = {
  width: 390,
  height: 844,
  deviceScaleFactor: 3,
  mobile: true,
  touchPoints: 5,
  userAgent: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.1.2 Mobile Safari/537.36',
  platform: 'Linux armv81',
  acceptLanguage: 'fr-CH,fr',
} as const satisfies DeviceProfile;

const EXPECTED = {
  userAgent: PROFILE.userAgent,
  appVersion: PROFILE.userAgent.replace('Mozilla/', ''),
  platform: PROFILE.platform,
  languages: 'fr-CH,fr',
  brands: 'Chromium 145,Google Chrome 145,Not:A-Brand 99'.split(',').sort().join(),
  mobile: true,
  system: 'Android',
};

/** Every context sends what it sees as the one request of its own. */
const REPORT = `
async function report(who) {
  const { userAgent, appVersion, platform, languages, userAgentData: data } = navigator;
  const brands = data.brands.map(({ brand, version }) => brand + ' ' + version).sort().join();
  const seen = { userAgent, appVersion, platform, languages: languages.join(), brands, mobile: data.mobile, system: data.platform };
  await fetch('/report?who=' + who, { method: 'POST', body: JSON.stringify(seen) });
}`;

const html = (body: string) => `<!doctype html><meta charset=utf-8>${body}`;
const script = (text: string) => ({ type: 'text/javascript', body: `${REPORT};${text}` });
const page = (text: string) => ({ type: 'text/html', body: html(`<script>${REPORT};${text}</script>`) });

const FILES: Readonly<Record<string, { type: string; body: string }>> = {
  '/page': page(`
    report('page');
    new Worker('/worker.js');
    new SharedWorker('/shared.js');
    navigator.serviceWorker.register('/service.js');
    new AudioContext().audioWorklet.addModule('/worklet.js').then(() => fetch('/report?who=worklet', { method: 'POST', body: 'null' }));
    const frame = document.createElement('iframe');
    frame.src = 'http://localhost:' + location.port + '/frame';
    document.documentElement.append(frame);
  `),
  '/frame': page(`report('frame')`),
  '/popup': page(`report('popup')`),
  '/popup-noopener': page(`report('popup-noopener')`),
  '/worker.js': script(`report('worker'); new Worker('/nested.js')`),
  '/worklet.js': { type: 'text/javascript', body: 'registerProcessor("none", class extends AudioWorkletProcessor {})' },
  '/nested.js': script(`report('nested')`),
  '/shared.js': script(`report('shared'); onconnect = () => {}`),
  '/service.js': script(`report('service')`),
};

/** The audio worklet has no `navigator`: it counts as reported once it is loaded. */
const WHO = ['page', 'frame', 'popup', 'popup-noopener', 'worker', 'nested', 'shared', 'service'];

interface Gate extends AsyncDisposable {
  readonly base: string;
  readonly reports: Map<string, unknown>;
  readonly headers: { readonly url: string; readonly headers: IncomingMessage['headers'] }[];
  /** Resolves when all contexts have reported. */
  readonly complete: Promise<void>;
}

async function openGate(): Promise<Gate> {
  const reports = new Map<string, unknown>();
  const headers: { url: string; headers: IncomingMessage['headers'] }[] = [];
  let finish = () => {};
  const complete = new Promise<void>((resolve) => (finish = resolve));
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://gate');
    headers.push({ url: url.pathname + url.search, headers: request.headers });
    const who = url.searchParams.get('who');
    if (who !== null) {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        reports.set(who, JSON.parse(body));
        response.end();
        if ([...WHO, 'worklet'].every((name) => reports.has(name))) finish();
      });
      return;
    }
    const file = FILES[url.pathname];
    response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' }).end(file?.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    base: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    reports,
    headers,
    complete,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describe.each<BrowserVariant>(['shell', 'full'])('every target of a render (%s)', (variant) => {
  test('is configured before its first statement and its first request, and passes the intercept handlers', async () => {
    await using gate = await openGate();
    await using pool = openPool();
    await using lease = await pool.lease({ variant, profile: PROFILE });
    const intercepted: string[] = [];
    lease.intercept.use({
      name: 'test',
      stage: InterceptStage.filter,
      request({ url }) {
        intercepted.push(url.pathname + url.search);
        return undefined;
      },
    });
    await lease.page.goto(`${gate.base}/page`);
    await lease.page.lifecycle.reached('load');
    await lease.page.evaluateInMainWorld(`void (window.kept = open('/popup'))`);
    await lease.page.evaluateInMainWorld(`void open('/popup-noopener', '', 'noopener')`);
    await gate.complete;

    expect(Object.fromEntries(gate.reports)).toEqual({ ...Object.fromEntries(WHO.map((who) => [who, EXPECTED])), worklet: null });
    for (const path of ['/worker.js', '/shared.js', '/service.js', '/worklet.js', '/frame', '/popup', '/popup-noopener'])
      expect(intercepted).toContain(path);
    for (const who of WHO) expect(intercepted).toContain(`/report?who=${who}`);
    const strangers = gate.headers.filter(
      ({ headers }) => headers['user-agent'] !== PROFILE.userAgent || headers['accept-language'] !== 'fr-CH,fr;q=0.9',
    );
    expect(strangers.map(({ url, headers }) => [url, headers['user-agent'], headers['accept-language']])).toEqual([]);
    // The page can be drawn although popups stand in front of it.
    expect((await lease.page.screenshot({ format: 'png' })).readUInt32BE(16)).toBe(PROFILE.width * PROFILE.deviceScaleFactor);
    expect(lease.page.targets.all.map(({ kind }) => kind).sort()).toEqual([
      'iframe',
      'page',
      'page',
      'page',
      'service_worker',
      'shared_worker',
      'worker',
      'worker',
      'worklet',
    ]);
  });
});
