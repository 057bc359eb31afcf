import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { PlatenError } from '@platen/kernel';
import type {} from '@platen/server';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { sendRaw } from '../raw-http.js';
import { openServer, serving, type TestServer } from '../test-server.js';

const PAGE = '/?url=http://a.test/';
const FLAGS = {
  'server-allowed-hosts': ['Render.Example.com', 'bücher.example'],
  'server-allowed-origins': ['https://app.example', 'https://port.example:8443/', 'chrome-extension://abcdef'],
};

const refusing = serving(({ hooks }) => {
  hooks.authorize.tap('guest', () => {
    throw new PlatenError('unauthorized', 'credentials are required');
  });
});

let server: TestServer;
let other = '';
beforeAll(async () => {
  const plugin = serving((api) => {
    api.hooks.routes.tap('guest', (router) => {
      router.get('/private', (ctx) => {
        ctx.body = 'for few';
      });
    });
    api.hooks.start.tapPromise('guest', async () => {
      other = await api.listen({ address: '127.0.0.1', port: 0, paths: ['/private'] });
    });
  });
  server = await openServer({ flags: FLAGS, plugins: [plugin] });
});
afterAll(() => server[Symbol.asyncDispose]());

interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly socketPath?: string;
  readonly port?: number;
}

/** Status, and the code where there is a problem document: without the headers that `fetch` adds. */
async function ask({ path = '/status', headers = {}, ...options }: Asked): Promise<readonly unknown[]> {
  const target = options.socketPath === undefined ? { host: '127.0.0.1', port: server.port } : {};
  const asked = request({ path, headers, agent: false, ...target, ...options }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  if (response.headers['content-type'] === 'application/problem+json') {
    return [response.statusCode, ((await json(response)) as { code: string }).code];
  }
  response.resume();
  return [response.statusCode];
}

const REFUSED = [403, 'origin_refused'];

describe('Host, on a loopback address', () => {
  it.each([
    ['127.0.0.1:PORT', true],
    // The port tells nothing: forwarding changes it.
    ['127.0.0.1:1', true],
    ['127.0.0.1', true],
    ['192.0.2.1:8080', true],
    ['[::1]:PORT', true],
    // Chromium sends no Sec-Fetch-Site to these, which lead to the loopback.
    ['[::ffff:7f00:1]', false],
    ['[::ffff:127.0.0.1]:PORT', false],
    ['[::]:PORT', false],
    ['[0:0::0]', false],
    ['0.0.0.0:PORT', false],
    ['localhost:PORT', true],
    ['LocalHost', true],
    ['localhost.:PORT', true],
    ['', true],
    ['render.example.com', true],
    ['RENDER.example.com.:443', true],
    ['xn--bcher-kva.example', true],
    ['evil.example:PORT', false],
    ['evil.example', false],
    ['localhost.evil.example', false],
    ['127.0.0.1.evil.example', false],
    ['2130706433', false],
    ['render.example.com.evil.example', false],
    ['sub.render.example.com', false],
    ['localhost@evil.example', false],
    ['evil.example@localhost', false],
    ['localhost/evil.example', false],
    ['[evil.example]', false],
    ['::1', false],
  ])('%j: %s', async (host, isTaken) => {
    const headers = { host: host.replace('PORT', String(server.port)) };
    expect(await ask({ headers })).toEqual(isTaken ? [200] : REFUSED);
  });

  it.each([
    ['HTTP/1.0 without one', 'GET /status HTTP/1.0\r\n\r\n', 200],
    [
      'an absolute target, which counts instead',
      'GET http://evil.example/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      403,
    ],
    ['an absolute target of this server', 'GET http://localhost/status HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n', 200],
  ])('%s', async (_name, head, status) => {
    expect((await sendRaw(server.port, head)).status).toBe(status);
  });

  it('every path and every listener asks, and the text names the flag', async () => {
    const headers = { host: 'evil.example' };
    for (const path of [PAGE, '/assets?id=x', '/nowhere', '/private']) expect(await ask({ path, headers }), path).toEqual(REFUSED);
    const port = Number(new URL(other).port);
    expect(await ask({ path: '/private', port })).toEqual([200]);
    expect(await ask({ path: '/private', port, headers })).toEqual(REFUSED);
    expect(server.records.at(-1)?.error?.message).toBe(
      'this server is not known as "evil.example": use its IP address or localhost, or add the name to --server-allowed-hosts',
    );
  });
});

describe('the site that a request comes from, on a loopback address', () => {
  const site = (value: string) => ({ 'sec-fetch-site': value });
  it.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['a client that is no browser', {}, true],
    ['the address bar', { ...site('none'), 'sec-fetch-mode': 'navigate' }, true],
    ['a page of this server', site('same-origin'), true],
    ['a page of another port', site('same-site'), true],
    ['a page of another port that names its origin', { ...site('same-site'), origin: 'http://127.0.0.1:1' }, false],
    ['an image of another site', { ...site('cross-site'), 'sec-fetch-dest': 'image' }, false],
    ['a link of another site', { ...site('cross-site'), 'sec-fetch-mode': 'navigate' }, false],
    ['another origin, in a browser that tells no site', { origin: 'https://evil.example' }, false],
    ['its own origin, in such a browser', { origin: 'http://127.0.0.1:PORT' }, true],
    ['its own origin behind TLS', { host: 'render.example.com:443', origin: 'https://render.example.com' }, true],
    ['an origin that is none', { origin: 'null' }, false],
    ['an origin that cannot be read', { origin: 'http://' }, false],
    ['a proxy that changes the host', { ...site('same-origin'), origin: 'https://proxied.example' }, true],
    ['an allowed origin', { ...site('cross-site'), origin: 'https://app.example' }, true],
    ['an allowed origin with its port', { ...site('cross-site'), origin: 'https://port.example:8443' }, true],
    ['an allowed origin of a browser extension', { ...site('none'), origin: 'chrome-extension://abcdef' }, true],
    ['an image of an allowed origin', { ...site('cross-site'), referer: 'https://app.example/page?x' }, true],
    ['an image of one that begins so', { ...site('cross-site'), referer: 'https://app.example.evil/' }, false],
    ['an image of one that has it in its path', { ...site('cross-site'), referer: 'https://evil.example/https://app.example' }, false],
    [
      'another origin with an allowed referrer',
      { ...site('cross-site'), origin: 'https://evil.example', referer: 'https://app.example/' },
      false,
    ],
    ['an allowed origin of another scheme', { ...site('cross-site'), origin: 'http://app.example' }, false],
  ])('%s', async (_name, given, isTaken) => {
    const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value.replace('PORT', String(server.port))]));
    const before = server.records.filter(({ plan }) => plan !== undefined).length;
    expect(await ask({ path: PAGE, headers })).toEqual(isTaken ? [200] : REFUSED);
    expect(server.records.filter(({ plan }) => plan !== undefined)).toHaveLength(before + Number(isTaken));
  });

  it('who knows the id of an asset was given it', async () => {
    expect(await ask({ path: '/assets?id=AAAAAAAAAAAAAAAAAAAAAA', headers: site('cross-site') })).toEqual([404, 'not_found']);
  });
});

describe('CORS', () => {
  const asking = async (path: string, headers: Readonly<Record<string, string>>, method = 'GET') => {
    const asked = request({ path, method, host: '127.0.0.1', port: server.port, headers, agent: false }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    const { statusCode: status, headers: received } = response;
    return { status, origin: received['access-control-allow-origin'], received };
  };
  const origin = 'https://app.example';
  const PREFLIGHT = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,content-type' };

  it.each([
    ['a render', PAGE, 200],
    ['an error', '/?url=ftp://a.test/', 400],
    ['an unknown path', '/nowhere', 404],
  ])('an allowed origin may read %s', async (_name, path, status) => {
    const { received, ...answer } = await asking(path, { origin });
    expect(answer).toEqual({ status, origin });
    expect(received['access-control-expose-headers']).toBe('*');
    expect(received.vary).toContain('Origin');
  });

  it('a preflight of an allowed origin is answered without a credential, which it cannot have', async () => {
    const guarded = await openServer({ flags: FLAGS, plugins: [refusing] });
    onTestFinished(() => guarded[Symbol.asyncDispose]());
    const preflight = (headers: Readonly<Record<string, string>>) =>
      sendRaw(
        guarded.port,
        `OPTIONS / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}\r\n`)
          .join('')}\r\n`,
      );
    const allowed = await preflight(PREFLIGHT);
    expect(allowed.status).toBe(204);
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-allow-methods': 'GET, POST, DELETE',
    });
    for (const headers of [{ ...PREFLIGHT, origin: 'https://evil.example' }, { origin }, {}])
      expect((await preflight(headers)).status).toBe(401);
  });

  it('another origin, and a client without one, get no permission', async () => {
    expect(await asking(PAGE, { origin: 'https://evil.example' })).toMatchObject({ status: 403, origin: undefined });
    expect(await asking(PAGE, {})).toMatchObject({ status: 200, origin: undefined, received: { vary: expect.stringContaining('Origin') } });
  });
});

describe('on another address than the loopback', () => {
  const FOREIGN = { 'sec-fetch-site': 'cross-site' };
  it.each<[string, Readonly<Record<string, unknown>>, readonly [Readonly<Record<string, string>>, boolean][]]>([
    [
      'without the flags nothing is asked',
      {},
      [
        [{ host: 'evil.example' }, true],
        [FOREIGN, true],
        [{ origin: 'https://evil.example' }, true],
      ],
    ],
    [
      '--server-allowed-origins alone asks for the site',
      { 'server-allowed-origins': ['https://app.example'] },
      [
        [{ host: 'any.example' }, true],
        [FOREIGN, false],
        [{ ...FOREIGN, origin: 'https://app.example' }, true],
      ],
    ],
    [
      '--server-allowed-hosts asks for both',
      { 'server-allowed-hosts': ['render.example'] },
      [
        [{ host: 'evil.example' }, false],
        [{ host: 'render.example' }, true],
        [FOREIGN, false],
        [{}, true],
      ],
    ],
  ])('%s', async (_name, flags, rows) => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
    const socketPath = join(folder, 's');
    const behind = await openServer({ flags: { 'server-bind-address': socketPath, ...flags } });
    onTestFinished(async () => {
      await behind[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    });
    for (const [headers, isTaken] of rows)
      expect(await ask({ socketPath, headers }), JSON.stringify(headers)).toEqual(isTaken ? [200] : REFUSED);
  });
});

describe('rendered content as code of this origin', () => {
  const as = (destination: string) => ({ 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': destination });
  it.each(['script', 'style', 'worker', 'sharedworker', 'serviceworker', 'audioworklet', 'paintworklet', 'xslt'])(
    '%s',
    async (destination) => {
      expect(await ask({ path: `${PAGE}&output_type=html`, headers: as(destination) })).toEqual(REFUSED);
      expect(await ask({ path: '/assets?id=x', headers: as(destination) })).toEqual(REFUSED);
      expect(await ask({ headers: as(destination) })).toEqual([200]);
    },
  );

  it.each(['image', 'video', 'document', 'iframe', 'empty', 'embed'])('not: %s', async (destination) => {
    expect(await ask({ path: PAGE, headers: as(destination) })).toEqual([200]);
  });

  it('no copy that was cached for the one is used for the other', async () => {
    const { headers } = await server.get('url=http://a.test/');
    expect(headers.get('vary')).toContain('Sec-Fetch-Dest');
  });
});
