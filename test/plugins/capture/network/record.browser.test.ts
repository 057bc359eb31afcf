import type { ServerResponse } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { ACTED, acting, openHarProber, type OwnEntry } from './har-prober.js';
import { BINARY, openTrafficSite, TEXT } from './traffic-site.js';

const prober = openHarProber();
afterAll(() => prober[Symbol.asyncDispose]());

const header = (headers: readonly { name: string; value: string }[], wanted: string) =>
  headers.filter(({ name }) => name.toLowerCase() === wanted).map(({ value }) => value);
const bytesOf = ({ content }: OwnEntry['response']) => Buffer.from(content.text ?? '', content.encoding === 'base64' ? 'base64' : 'utf8');

describe('what came over the network', () => {
  it('a page of a data: URL has its times, though it was not asked of the network', async () => {
    const har = await prober.har({ url: 'data:text/html,<title>own</title>' });
    const [page] = har.log.pages ?? [];
    expect(page?.title).toBe('own');
    expect(page?.pageTimings.onContentLoad).toBeGreaterThanOrEqual(0);
    expect(page?.pageTimings.onLoad).toBeGreaterThanOrEqual(page?.pageTimings.onContentLoad ?? 0);
  });

  it('redirect hops are entries of their own, with raw header lines', async () => {
    await using site = await openTrafficSite();
    const har = await prober.har({ url: site.url('/first') });
    expect(har.log.entries.map(({ request, response }) => [request.url, response.status, response.redirectURL])).toEqual([
      [site.url('/first'), 302, '/second'],
      [site.url('/second'), 301, '/landed'],
      [site.url('/landed'), 200, ''],
    ]);
    const { response } = har.one('/first');
    expect(response.headers.slice(0, 4)).toEqual([
      { name: 'Location', value: '/second' },
      { name: 'X-CaSe', value: 'Kept' },
      { name: 'Set-Cookie', value: 'a=1; Path=/; HttpOnly' },
      { name: 'Set-Cookie', value: 'b=2; SameSite=Lax' },
    ]);
    expect(response.cookies).toEqual([
      { name: 'a', value: '1', path: '/', httpOnly: true, secure: false },
      { name: 'b', value: '2', httpOnly: false, secure: false, sameSite: 'Lax' },
    ]);
    expect(har.one('/landed').request.cookies).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ]);
    expect(har.log.pages).toMatchObject([{ title: 'landed' }]);
  });

  it('compressed bodies are there as the page saw them, with their size on the wire', async () => {
    await using site = await openTrafficSite({ '/': acting(`for (const path of ['/gzip', '/brotli']) await (await fetch(path)).text()`) });
    const har = await prober.har({ url: site.url('/'), ...ACTED });
    for (const path of ['/gzip', '/brotli']) {
      const { response } = har.one(path);
      expect(response.content).toMatchObject({ size: Buffer.byteLength(TEXT), text: TEXT });
      expect(response.bodySize).toBeGreaterThan(0);
      expect(response.bodySize + (response.content.compression ?? 0)).toBe(response.content.size);
      expect(header(response.headers, 'content-encoding')).toHaveLength(1);
    }
  });

  it('bodies are byte for byte, as text where they are text and base64 where they are not', async () => {
    await using site = await openTrafficSite({
      '/': acting(`await (await fetch('/binary')).arrayBuffer(); await (await fetch('/latin1')).text(); await fetch('/json')`),
    });
    const har = await prober.har({ url: site.url('/'), ...ACTED });
    expect(bytesOf(har.one('/binary').response)).toEqual(BINARY);
    expect(bytesOf(har.one('/latin1').response)).toEqual(Buffer.from('é', 'latin1'));
    expect(har.one('/latin1').response.content.encoding).toBe('base64');
    expect(har.one('/json').response.content).toMatchObject({ text: '{"n":1}', mimeType: 'application/json' });
  });

  it('a confirmed cache entry is a 304 with its body, a cached one says from where', async () => {
    await using site = await openTrafficSite({
      '/': acting(`for (const path of ['/etag', '/etag', '/kept', '/kept']) await (await fetch(path)).text()`),
    });
    const har = await prober.har({ url: site.url('/'), ...ACTED });
    const [first, second] = har.all('/etag');
    expect(first?.response).toMatchObject({ status: 200, content: { text: 'tagged' } });
    expect(second?.response).toMatchObject({ status: 304, bodySize: 0, content: { text: 'tagged' } });
    const [, cached] = har.all('/kept');
    expect(cached?._fromCache).toMatch(/^(memory|disk)$/);
    expect(cached?.response).toMatchObject({ status: 200, bodySize: 0, content: { text: 'kept' } });
    expect(cached).not.toHaveProperty('serverIPAddress');
  });

  it('answers without content are entries without it', async () => {
    await using site = await openTrafficSite({ '/': acting(`await fetch('/nothing'); await fetch('/json', { method: 'HEAD' })`) });
    const har = await prober.har({ url: site.url('/'), ...ACTED });
    expect(har.one('/nothing').response).toMatchObject({ status: 204, content: { size: 0 } });
    expect(har.one('/json')).toMatchObject({ request: { method: 'HEAD' }, response: { status: 200, content: { size: 0 } } });
    expect(har.one('/json').response.content).not.toHaveProperty('text');
  });

  it('what a page does not read of an answer without content is no failure', async () => {
    await using site = await openTrafficSite({
      '/': acting(`await fetch('/nothing'); await fetch('/json', { method: 'HEAD' }); await fetch('/empty')`),
      '/empty': (_request, response) => response.writeHead(200, { 'content-length': 0 }).end(),
    });
    const har = await prober.har({ url: site.url('/'), ...ACTED });
    for (const end of ['/nothing', '/json', '/empty']) {
      const { response } = har.one(end);
      expect(response, end).not.toHaveProperty('_error');
      expect(response, end).toMatchObject({ bodySize: 0, _transferSize: response.headersSize, content: { size: 0 } });
      expect(response.content, end).not.toHaveProperty('comment');
    }
  });

  it('nothing that came uncoded is told as compressed', async () => {
    const script = (body: string) => (_request: unknown, response: ServerResponse) =>
      response.setHeader('content-type', 'text/javascript').end(body);
    await using site = await openTrafficSite({
      '/': acting(`
        const worker = new Worker('/worker.js'); await new Promise((resolve) => { worker.onmessage = resolve });
        for (const path of ['/etag', '/etag']) await (await fetch(path)).text()`),
      '/worker.js': script(`importScripts('/imported.js'); postMessage('')`),
      '/imported.js': script(`/* ${'long '.repeat(10_000)} */`),
    });
    const har = await prober.har({ url: site.url('/'), ...ACTED });
    for (const { request, response } of har.log.entries) expect(response.content, request.url).not.toHaveProperty('compression');
    // Chromium does not count these, or their headers alone.
    for (const end of ['/worker.js', '/imported.js']) expect(har.one(end).response, end).toMatchObject({ bodySize: -1, _transferSize: -1 });
  });

  it('a confirmed answer has the words of its own status line', async () => {
    await using site = await openTrafficSite({
      '/': acting(`for (const path of ['/etag', '/etag']) await (await fetch(path)).text()`),
    });
    const [, second] = (await prober.har({ url: site.url('/'), ...ACTED })).all('/etag');
    expect(second?.response).toMatchObject({ status: 304, statusText: 'Not Modified' });
    expect(second?.response._transferSize).toBe(second?.response.headersSize);
  });

  it('times add up, with the server address and not that of the proxy', async () => {
    await using site = await openTrafficSite({ '/': acting(`await fetch('/json')`) });
    const har = await prober.har({ url: site.url('/', 'localhost'), ...ACTED });
    for (const { time, timings, startedDateTime, serverIPAddress } of har.log.entries) {
      const { blocked = -1, dns = -1, connect = -1, ssl = -1, send = -1, wait, receive } = timings;
      expect(Math.min(send, wait, receive)).toBeGreaterThanOrEqual(0);
      const sum = [blocked, dns, connect, send, wait, receive].reduce<number>((total, part) => total + Math.max(0, part), 0);
      expect(time).toBeCloseTo(sum, 2);
      expect(ssl).toBeLessThanOrEqual(connect);
      expect(startedDateTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(['127.0.0.1', '::1']).toContain(serverIPAddress);
    }
    expect(har.log.pages?.[0]?.pageTimings.onLoad).toBeGreaterThan(0);
    // One connection at a time is enough for two requests in a row: it is the same, and has a number.
    expect(har.log.entries.map(({ connection }) => connection)).toEqual(
      har.log.entries.map(() => expect.stringMatching(/^\d+$/) as string),
    );
    expect(new Set(har.log.entries.map(({ connection }) => connection)).size).toBe(1);
  });
});

describe('what was sent', () => {
  it('forms come with their fields and their text', async () => {
    await using site = await openTrafficSite({
      '/': acting(`
        await fetch('/form', { method: 'POST', body: new URLSearchParams({ 'a b': '1&2', ü: 'ö' }) });
        const data = new FormData(); data.set('field', 'ü'); data.set('file', new File(['in the file'], 'ä.txt', { type: 'text/plain' }));
        await fetch('/multi', { method: 'POST', body: data });
        await fetch('/bytes', { method: 'POST', body: new Uint8Array([0, 255, 1]) });
        await fetch('/long', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'y'.repeat(200_000) });`),
    });
    const har = await prober.har({ url: site.url('/'), ...ACTED });
    expect(har.one('/form').request.postData).toMatchObject({
      text: 'a+b=1%262&%C3%BC=%C3%B6',
      params: [
        { name: 'a b', value: '1&2' },
        { name: 'ü', value: 'ö' },
      ],
    });
    expect(har.one('/form').request.bodySize).toBe(23);
    expect(har.one('/multi').request.postData?.params).toEqual([
      { name: 'field', value: 'ü' },
      { name: 'file', fileName: 'ä.txt', contentType: 'text/plain' },
    ]);
    expect(har.one('/bytes').request.postData).toMatchObject({ text: Buffer.from([0, 255, 1]).toString('base64'), encoding: 'base64' });
    expect(har.one('/long').request.postData?.text).toBe('y'.repeat(200_000));
    expect(site.posted.get('/long')?.length).toBe(200_000);
  });

  it("the request's own headers are in it, userinfo and the proxy's are not", async () => {
    await using site = await openTrafficSite({ '/%C3%BC': acting(`await fetch(location.origin + '/json')`) });
    const url = site.url('/%C3%BC?q=%F0%9F%90%BB&q=2').replace('//', '//user:secret@');
    const har = await prober.har({ url, header: ['X-Own: mine'], ...ACTED });
    const { request } = har.one('/%C3%BC?q=%F0%9F%90%BB&q=2');
    expect(header(request.headers, 'x-own')).toEqual(['mine']);
    expect(request.queryString).toEqual([
      { name: 'q', value: '🐻' },
      { name: 'q', value: '2' },
    ]);
    expect(har.text).not.toContain('secret');
    expect(har.one('/json')).toHaveProperty('_initiator');
    expect(har.text).not.toMatch(/proxy-/i);
  }, 60_000);
});

it('preflights are entries of their own', async () => {
  const allowed = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'x-own' };
  await using site = await openTrafficSite({
    '/': acting(`await (await fetch('http://localhost:' + location.port + '/crossing', { headers: { 'X-Own': '1' } })).text()`),
    '/crossing': (_request, response) => response.writeHead(200, { ...allowed, 'content-type': 'text/plain' }).end('across'),
  });
  const har = await prober.har({ url: site.url('/'), ...ACTED });
  expect(
    har
      .all('/crossing')
      .map(({ request, response, _resourceType }) => [request.method, _resourceType, response.status])
      .sort(),
  ).toEqual([
    ['GET', 'fetch', 200],
    ['OPTIONS', 'preflight', 200],
  ]);
});

it('a document that is a long data: URL is not repeated with each request', async () => {
  await using site = await openTrafficSite();
  const images = Array.from({ length: 20 }, (_, index) => `<img src="${site.url('/json')}?${String(index)}">`).join('');
  const har = await prober.har({ url: `data:text/html,${images}<!--${'long '.repeat(20_000)}-->` });
  expect(har.log.entries).toHaveLength(20);
  expect(har.text.length).toBeLessThan(100_000);
});

describe('what failed', () => {
  it('is there with status 0 and the reason', async () => {
    await using site = await openTrafficSite({
      '/': acting(
        `await Promise.allSettled(['http://nowhere.invalid/dns', 'http://127.0.0.1:1/unsafe', '/reset'].map((url) => fetch(url)))`,
      ),
      '/reset': (request) => request.socket.resetAndDestroy(),
      '/blocked': acting('', `<meta http-equiv="content-security-policy" content="img-src 'none'"><img src="/csp">`),
    });
    const har = await prober.har({ url: site.url('/'), ...ACTED });
    const failures = Object.fromEntries(['/dns', '/unsafe', '/reset'].map((end) => [end, har.all(end).at(-1)?.response]));
    expect(failures).toMatchObject({
      '/dns': { status: 0, _error: 'net::ERR_NAME_NOT_RESOLVED' },
      '/unsafe': { status: 0, _error: 'net::ERR_UNSAFE_PORT' },
      '/reset': { status: 0 },
    });
    expect(failures['/reset']?._error).toMatch(/^net::ERR_(EMPTY_RESPONSE|CONNECTION_RESET)$/);
    const blocked = await prober.har({ url: site.url('/blocked'), ...ACTED });
    expect(blocked.one('/csp').response).toMatchObject({ status: 0, _error: 'net::ERR_BLOCKED_BY_CSP', _errorReason: 'csp' });
  });

  it('a refused connection is told as one', async () => {
    const gone = await openTrafficSite();
    const refused = gone.url('/refused');
    await gone[Symbol.asyncDispose]();
    await using site = await openTrafficSite({ '/': acting(`await fetch('${refused}', { mode: 'no-cors' }).catch(() => 0)`) });
    const har = await prober.har({ url: site.url('/'), ...ACTED });
    expect(har.one('/refused').response).toMatchObject({ status: 0, _error: 'net::ERR_CONNECTION_REFUSED' });
  });

  it('what is under way at the end is there as far as it came, and nothing waits for it', async () => {
    await using site = await openTrafficSite({
      '/': acting(`
        await new Promise((resolve) => { new EventSource('/events').onmessage = resolve });
        fetch('/never');
        const socket = new WebSocket('ws://' + location.host + '/socket');
        await new Promise((resolve) => { socket.onopen = resolve });
        socket.send('text \\u2028 line'); socket.send(new Uint8Array([1, 2, 3]));
        let heard = 0; await new Promise((resolve) => { socket.onmessage = () => { heard += 1; if (heard === 2) resolve() } });`),
    });
    const har = await prober.har({ url: site.url('/'), ...ACTED });
    expect(har.one('/events').response).toMatchObject({
      status: 200,
      _error: 'net::ERR_IO_PENDING',
      content: { text: 'data: one\n\n', comment: 'partial: 11 bytes' },
    });
    expect(har.one('/never').response).toMatchObject({ status: 0, _error: 'net::ERR_IO_PENDING' });
    const socket = har.one('/socket');
    expect(socket).toMatchObject({ _resourceType: 'websocket', response: { status: 101 } });
    expect(socket._webSocketMessages?.map(({ type, opcode, data }) => [type, opcode, data])).toEqual([
      ['send', 1, 'text \u2028 line'],
      ['send', 2, 'AQID'],
      ['receive', 1, 'text \u2028 line'],
      ['receive', 2, 'AQID'],
    ]);
    expect(new Date((socket._webSocketMessages?.[0]?.time ?? 0) * 1000).getFullYear()).toBeGreaterThan(2000);
  });
});
