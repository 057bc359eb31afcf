import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { ACTED, acting, openHarProber } from './har-prober.js';
import { openTrafficSite, TEXT } from './traffic-site.js';

const prober = openHarProber();
afterAll(() => prober[Symbol.asyncDispose]());

describe('every target', () => {
  it('workers, shared workers, frames of other sites and popups are recorded, each once', async () => {
    await using site = await openTrafficSite({
      '/': acting(`
        const worker = new Worker('/worker.js'); await new Promise((resolve) => { worker.onmessage = resolve });
        const shared = new SharedWorker('/shared.js'); await new Promise((resolve) => { shared.port.onmessage = resolve });
        const told = new Promise((resolve) => { onmessage = resolve });
        const frame = document.createElement('iframe'); frame.src = 'http://localhost:' + location.port + '/frame'; document.body.append(frame); await told;
        const popped = new Promise((resolve) => { onmessage = resolve }); open('/popup'); await popped;`),
      '/frame': acting(`await (await fetch('/json?frame')).text(); parent.postMessage('', '*')`),
      '/popup': acting(`await (await fetch('/json?popup')).text(); opener.postMessage('', '*')`),
      '/worker.js': (_request, response) =>
        response
          .setHeader('content-type', 'text/javascript')
          .end(`fetch('/json?worker').then((r) => r.text()).then(() => postMessage(''))`),
      '/shared.js': (_request, response) =>
        response
          .setHeader('content-type', 'text/javascript')
          .end(`onconnect = ({ ports: [port] }) => fetch('/json?shared').then((r) => r.text()).then(() => port.postMessage(''))`),
    });
    const har = await prober.har({ url: site.url('/'), ...ACTED });
    const texts = ['worker', 'shared', 'frame', 'popup'].map((who) => [
      who,
      har.one(`/json?${who}`)._target,
      har.one(`/json?${who}`).response.content.text,
    ]);
    expect(texts).toEqual([
      ['worker', 'worker', '{"n":1}'],
      ['shared', 'shared_worker', '{"n":1}'],
      ['frame', 'iframe', '{"n":1}'],
      ['popup', undefined, '{"n":1}'],
    ]);
    for (const end of ['/', '/worker.js', '/shared.js', '/frame', '/popup']) {
      const { response } = har.one(end);
      expect(response.status, end).toBe(200);
      expect(response.content.text?.length, end).toBeGreaterThan(10);
    }
    expect(har.log.pages).toHaveLength(1);
  });

  it("a service worker's answers say so, and its own requests are recorded", async () => {
    await using site = await openTrafficSite({
      '/': acting(`
        await navigator.serviceWorker.register('/service.js'); await navigator.serviceWorker.ready;
        if (!navigator.serviceWorker.controller) await new Promise((resolve) => { navigator.serviceWorker.oncontrollerchange = resolve });
        await (await fetch('/made')).text(); await (await fetch('/json?passed')).text();`),
      '/service.js': (_request, response) =>
        response.setHeader('content-type', 'text/javascript').end(`
          onactivate = (event) => event.waitUntil(clients.claim());
          onfetch = (event) => { if (event.request.url.endsWith('/made')) event.respondWith(new Response('by the worker')); else if (event.request.url.includes('passed')) event.respondWith(fetch(event.request)) };`),
    });
    const har = await prober.har({ url: site.url('/'), ...ACTED });
    expect(har.one('/made')).toMatchObject({
      _fetchedViaServiceWorker: true,
      response: { status: 200, content: { text: 'by the worker' } },
    });
    const passed = har.all('/json?passed');
    expect(passed.map(({ _target, _fetchedViaServiceWorker }) => [_target, _fetchedViaServiceWorker])).toEqual([
      [undefined, true],
      ['service_worker', undefined],
    ]);
    expect(har.one('/service.js').response.status).toBe(200);
  });

  it('scripts of service workers have their bodies', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const source = (name: string) => `self.addEventListener('install', () => self.skipWaiting()); self.own = 'ü ${name}';`;
    const scripts = names.map((name) => [
      `/${name}.js`,
      (_request: unknown, response: ServerResponse) => response.setHeader('content-type', 'text/javascript').end(source(name)),
    ]);
    await using site = await openTrafficSite({
      '/': acting(`
        for (const name of ${JSON.stringify(names)}) {
          const { installing } = await navigator.serviceWorker.register('/' + name + '.js', { scope: '/' + name + '/' });
          await new Promise((resolve) => { installing.onstatechange = () => { if (installing.state === 'activated') resolve() } });
        }`),
      ...Object.fromEntries(scripts),
    });
    const har = await prober.har({ url: site.url('/'), ...ACTED });
    expect(names.map((name) => har.one(`/${name}.js`).response.content.text)).toEqual(names.map(source));
  });

  it('scripts of workers that are in flight when the page has loaded are waited for, but not for ever', async () => {
    let sendScripts: (() => void) | undefined;
    const loaded = new Promise<void>((resolve) => {
      sendScripts = resolve;
    });
    const script = (source: string) => (_request: unknown, response: ServerResponse) =>
      void loaded.then(() => response.setHeader('content-type', 'text/javascript').end(source));
    await using site = await openTrafficSite({
      '/': `<!doctype html><script>
        new Worker('/worker.js'); new Worker('/module.js', { type: 'module' }); new SharedWorker('/shared.js');
        new Worker('/missing.js'); new Worker('/endless.js'); navigator.serviceWorker.register('/service.js');
        onload = () => fetch('/loaded')</script>`,
      '/loaded': (_request, response) => {
        sendScripts?.();
        response.writeHead(204).end();
      },
      '/worker.js': script(`importScripts('/imported.js')`),
      '/imported.js': script('1'),
      '/module.js': script(`import '/part.js'`),
      '/part.js': script('2'),
      '/shared.js': script('3'),
      '/service.js': script('4'),
      '/endless.js': () => undefined,
    });
    const har = await prober.har({ url: site.url('/'), wait_for: 'load' });
    for (const name of ['worker', 'imported', 'module', 'part', 'shared', 'service']) {
      const { response } = har.one(`/${name}.js`);
      expect([name, response.status, response._error, response.content.size > 0]).toEqual([name, 200, undefined, true]);
    }
    expect(har.one('/missing.js').response.status).toBe(404);
    expect(har.one('/endless.js').response._error).toBe('net::ERR_IO_PENDING');
  });

  it('a data: target is a page without an entry of its own', async () => {
    await using site = await openTrafficSite();
    const har = await prober.har({ url: `data:text/html,<title>Data</title><img src="${site.url('/json')}">`, wait_for: 'load' });
    expect(har.log.pages).toMatchObject([{ title: 'Data' }]);
    expect(har.log.entries.map(({ request }) => request.url)).toEqual([site.url('/json')]);
  });
});

describe('large bodies', () => {
  it('50 MB arrive byte for byte', async () => {
    const body = Buffer.alloc(50_000_000, 'no two blocks of this are the same length. ');
    await using site = await openTrafficSite({
      '/': acting(`await (await fetch('/large')).arrayBuffer()`),
      '/large': (_request, response) =>
        response.writeHead(200, { 'content-type': 'application/x-bin', 'content-length': body.length }).end(body),
    });
    const { response } = (await prober.har({ url: site.url('/'), ...ACTED, timeout: 60 })).one('/large');
    expect(response.content.size).toBe(body.length);
    expect(
      createHash('sha256')
        .update(Buffer.from(response.content.text ?? '', 'base64'))
        .digest('hex'),
    ).toBe(createHash('sha256').update(body).digest('hex'));
  }, 120_000);

  it('archive_body_size_limit cuts each body, and says where', async () => {
    await using site = await openTrafficSite({ '/': acting(`await (await fetch('/gzip')).text(); await (await fetch('/json')).text()`) });
    const har = await prober.har({ url: site.url('/'), ...ACTED, archive_body_size_limit: 100 });
    const { content } = har.one('/gzip').response;
    expect(content).toMatchObject({ size: Buffer.byteLength(TEXT), comment: 'truncated at 100' });
    expect(Buffer.from(TEXT).subarray(0, 100).toString()).toContain(content.text);
    expect(har.one('/json').response.content).toMatchObject({ text: '{"n":1}' });
    const none = await prober.har({ url: site.url('/'), ...ACTED, archive_body_size_limit: 0 });
    expect(none.log.entries.map(({ response }) => response.content.text ?? '').join('')).toBe('');
    expect(none.log.entries.map(({ response }) => response.content.comment)).toEqual(none.log.entries.map(() => 'truncated at 0'));
  });
});
