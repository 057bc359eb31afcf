import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createTestKernel } from '@platen/kernel/testing';
import { definePlugin, type Plugin } from '@platen/kernel';
import { Connection } from 'puppeteer-core';
import { afterEach, expect, it, vi } from 'vitest';
import networkLog from '../../../../plugins/asset/network-log/src/index.js';
import exchanges from '../../../../plugins/capture/network/src/index.js';
import har from '../../../../plugins/output/har/src/index.js';
import { acting, openHarProber } from './har-prober.js';
import { openTrafficSite } from './traffic-site.js';

afterEach(() => vi.restoreAllMocks());

setFlagsFromString('--expose-gc');
/** What is held is told from what nobody has collected yet. */
const collectGarbage = runInNewContext('gc') as () => void;

/** An output that costs nothing, and says on which session its page was. */
const bare = definePlugin({
  name: 'bare',
  captures: [{ kind: 'bare' }],
  outputs: [{ type: 'bare', from: 'bare', contentType: 'text/plain', extension: 'txt' }],
  apply({ hooks }) {
    hooks.capture.for('bare').tap('bare', ({ page }) => page.sessionId);
    hooks.encode
      .for('bare')
      .tap('bare', (session) => ({ contentType: 'text/plain', extension: 'txt', body: Buffer.from(String(session)) }));
  },
});

/** The protocol's methods that one render sends to its page. */
async function callsOf(plugins: readonly Plugin[], params: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const sent: { readonly method: string; readonly session: unknown }[] = [];
  // Below every session, and so not among puppeteer's published types.
  const wire = Connection.prototype as unknown as { _rawSend(...args: readonly unknown[]): unknown };
  const send = wire._rawSend;
  vi.spyOn(wire, '_rawSend').mockImplementation(function (this: unknown, ...args) {
    sent.push({ method: String(args[1]), session: args[3] });
    return send.apply(this, args);
  });
  await using host = createTestKernel({ plugins });
  const session = (await (await host.render({ output_type: 'bare', ...params })).bytes()).toString();
  vi.restoreAllMocks();
  return sent.filter((call) => call.session === session).map(({ method }) => method);
}

it('a render that asks for no recorder makes not one protocol call more', async () => {
  await using site = await openTrafficSite({ '/': '<p>plain' });
  const plain = await callsOf([bare], { url: site.url('/') });
  expect(plain).toContain('Page.navigate');
  expect(await callsOf([bare, exchanges, har, networkLog], { url: site.url('/') })).toEqual(plain);
  const recorded = await callsOf([bare, exchanges, har, networkLog], { url: site.url('/'), with_har: true, har_capture_bodies: true });
  expect(recorded.length).toBeGreaterThan(plain.length);
  // What a recorder may not do: change the page's requests.
  expect(recorded.filter((method) => /^Fetch\.|CacheDisabled|BypassServiceWorker|ExtraHTTPHeaders/.test(method))).toEqual(
    plain.filter((method) => method.includes('ExtraHTTPHeaders')),
  );
});

it('memory does not grow with a body: 300 MB take less than half of that, and leave no file', async () => {
  const size = 300_000_000;
  const chunk = Buffer.alloc(1_000_000, 'x');
  await using site = await openTrafficSite({
    '/': acting(`await (await fetch('/large')).arrayBuffer()`),
    '/small': acting(`await (await fetch('/json')).text()`),
    '/large': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': size });
      let sent = 0;
      const more = (): void => {
        while (sent < size) {
          sent += chunk.length;
          if (!response.write(chunk)) {
            response.once('drain', more);
            return;
          }
        }
        response.end();
      };
      more();
    },
  });
  await using prober = openHarProber();
  const render = async (path: string) => {
    // The page has its body before the recorder has heard its end.
    const { output } = await prober.host.render({ output_type: 'har', url: site.url(path), wait_for: 'networkidle0', timeout: 90 });
    let bytes = 0;
    if (Buffer.isBuffer(output.body)) throw new Error('the HAR was held whole');
    for await (const piece of output.body as AsyncIterable<Buffer>) bytes += piece.length;
    return bytes;
  };
  const held = () => {
    collectGarbage();
    const { external, heapUsed } = process.memoryUsage();
    return external + heapUsed;
  };
  // What is there once, for every render, is there now.
  await render('/small');
  const before = held();
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, held() - before);
  }, 250);
  try {
    expect(await render('/')).toBeGreaterThan(size);
  } finally {
    clearInterval(watch);
  }
  expect(peak).toBeLessThan(size / 2);
  const left = (await readdir(tmpdir())).filter((name) => name.startsWith(`platen-spool-${String(process.pid)}-`));
  expect(left).toEqual([]);
}, 180_000);
