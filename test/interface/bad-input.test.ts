import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer, type TestServer } from '../server/test-server.js';
import { sendRaw } from '../server/raw-http.js';

let server: TestServer;
beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const MIB = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };

async function expectAlive(): Promise<void> {
  expect((await server.get('url=http://a.test/')).status).toBe(200);
  expect('polluted' in {}).toBe(false);
}

async function expectProblem(response: Response, status: number): Promise<void> {
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(await response.json()).toMatchObject({ status, code: expect.stringMatching(/^[a-z_]+$/), detail: expect.stringMatching(/\w/) });
}

/** Made before a connection is open: it takes seconds, in which the server would close an idle one. */
const BOMB = gzipSync(Buffer.alloc(200 * MIB, 0x20));

describe('I3, I4: bad bodies are refused and the next request works', () => {
  const bodies: readonly (readonly [string, string | Buffer, number])[] = [
    ['nothing', '', 400],
    ['blanks', '   ', 400],
    ['half an object', '{', 400],
    ['null', 'null', 400],
    ['a number', '1', 400],
    ['a string', '"x"', 400],
    ['a list', '[{"url":"http://a.test/"}]', 400],
    ['duplicate keys', '{"url":"http://a.test/","url":"http://b.test/"}', 400],
    ['__proto__', '{"url":"http://a.test/","__proto__":{"polluted":1}}', 400],
    ['constructor', '{"url":"http://a.test/","constructor":{"prototype":{"polluted":1}}}', 400],
    ['prototype', '{"url":"http://a.test/","prototype":1}', 400],
    ['toString', '{"url":"http://a.test/","toString":1}', 400],
    ['hasOwnProperty', '{"url":"http://a.test/","hasOwnProperty":1}', 400],
    ['__proto__ inside a parameter', '{"url":"http://a.test/","navigator_data":{"__proto__":{"polluted":1}}}', 400],
    ['100,000 levels', `{"url":${'['.repeat(100_000)}`, 400],
    ['100,000 levels, closed', `{"url":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
    ['bad UTF-8', Buffer.concat([Buffer.from('{"url":"http://a.test/'), Buffer.from([0xff]), Buffer.from('"}')]), 400],
    ['UTF-16', Buffer.from('{"url":"http://a.test/"}', 'utf16le'), 400],
    ['a byte order mark', '\ufeff{"url":"http://a.test/"}', 400],
    ['NaN', '{"url":"http://a.test/","device_scale_factor":NaN}', 400],
    ['1e999', '{"url":"http://a.test/","device_scale_factor":1e999}', 400],
    ['-0.5 for a count', '{"url":"http://a.test/","browser_width":-0.5}', 400],
    ['half a surrogate', '{"url":"http://a.test/\\ud800"}', 400],
    ['an object as url', '{"url":{"href":"http://a.test/"}}', 400],
    ['a list as url', '{"url":["http://a.test/"]}', 400],
    ['100,000 unknown keys', JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i]))), 400],
    ['more than 8 MiB', Buffer.alloc(8 * MIB + 1, 0x20), 413],
  ];
  it.each(bodies)('%s', async (_, body, status) => {
    await expectProblem(
      await fetch(`${server.url}/`, { method: 'POST', headers: JSON_TYPE, body: typeof body === 'string' ? body : new Uint8Array(body) }),
      status,
    );
    await expectAlive();
  });

  it('exactly 8 MiB is taken', async () => {
    const body = '{"url":"http://a.test/"}';
    expect((await server.post(body.padEnd(8 * MIB))).status).toBe(200);
  });

  it('a gzip bomb', async () => {
    await expectProblem(
      await fetch(`${server.url}/`, {
        method: 'POST',
        headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
        body: BOMB,
      }),
      413,
    );
    await expectAlive();
  });

  it('gzip that is none, or ends early', async () => {
    const zipped = gzipSync('{"url":"http://a.test/"}');
    for (const body of [Buffer.from('{"url":"http://a.test/"}'), zipped.subarray(0, 20)]) {
      await expectProblem(
        await fetch(`${server.url}/`, { method: 'POST', headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body }),
        400,
      );
    }
    await expectAlive();
  });

  it('an encoding that nobody knows', async () => {
    await expectProblem(
      await fetch(`${server.url}/`, { method: 'POST', headers: { ...JSON_TYPE, 'content-encoding': 'rot13' }, body: 'x' }),
      415,
    );
    await expectAlive();
  });

  it('a chunked body past the limit, on a connection that goes on', async () => {
    const chunk = Buffer.alloc(MIB, 0x20);
    const chunks = Array.from({ length: 10 }, () => [`${MIB.toString(16)}\r\n`, chunk, '\r\n']).flat();
    const next = 'GET /status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const answer = await sendRaw(
      server.port,
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      ...chunks,
      '0\r\n\r\n',
      next,
    );
    expect(answer.status).toBe(413);
    expect(answer.body).toContain('HTTP/1.1 200 OK');
  });

  it('a body past the limit that waits for 100 Continue is refused before it is sent', async () => {
    const answer = await sendRaw(
      server.port,
      'POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n',
    );
    expect(answer.status).toBe(413);
  });

  it('a body that waits for 100 Continue gets it', async () => {
    const body = '{"url":"http://a.test/"}';
    const answer = await sendRaw(
      server.port,
      `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
      body,
    );
    expect(answer.status).toBe(100);
    expect(answer.body).toContain('HTTP/1.1 200 OK');
  });
});

describe('I3, I5: bad queries are refused and the next request works', () => {
  const queries = [
    ...['__proto__[polluted]=1', '__proto__.polluted=1', '__proto__=1&__proto__=2', 'constructor[prototype][polluted]=1'],
    ...['constructor=1', 'toString=1', 'hasOwnProperty=1', 'url[]=http://a.test/&url[]=http://b.test/', 'url[0]=http://a.test/', 'url=%'],
    ...['url=%zz', 'url=%ff', 'url=http://a.test/%C3', 'url=http://a.test/&%ff=1', '=', '&&&', '?'],
    'a'.repeat(200_000),
    `url=http://a.test/&${'a=1&'.repeat(50_000)}`,
    `url=http://a.test/&${'cookie=&'.repeat(20_000)}b=1`,
    ...['url=http://a.test/&browser_width=99999999999999999999', 'url=http://a.test/&emulate_touch_points=00000017', 'url=http://['],
    ...['url=http://', 'url=http://a%00b/', 'url=//a.test/', 'url=http:a b'],
  ];
  it.each(queries.map((query) => [query.slice(0, 60), query]))('%s', async (_, query) => {
    const answer = await sendRaw(
      server.port,
      `GET /?${query.replaceAll(' ', '%20')} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ status: 400 });
    await expectAlive();
  });
});

describe('I11: what is no request', () => {
  it.each([
    ['headers of a megabyte', `GET /?url=${'x'.repeat(MIB)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
    ['another protocol', 'EHLO there\r\n\r\n', 400],
    ['TLS', Buffer.from('160301020001000001fc0303', 'hex'), 400],
    ['HTTP/2 with prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a method that HTTP does not know', 'FETCH / HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['a control character in the path', 'GET /\u0001 HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['no host', 'GET /status HTTP/1.1\r\n\r\n', 400],
    ['two hosts', 'GET /status HTTP/1.1\r\nHost: localhost\r\nHost: y\r\n\r\n', 400],
    ['an expectation that nobody meets', 'POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 200-ok\r\nContent-Length: 2\r\n\r\n{}', 417],
    ['a wish for a tunnel', 'CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n', 405],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx', 400],
    [
      'a chunk that is none',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
      400,
    ],
    [
      'length and chunks (smuggling)',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a header with a line break in it', 'GET /status HTTP/1.1\r\nHost: localhost\r\nX-A: b\n c\r\nX: \u0000\r\n\r\n', 400],
  ])('%s: a problem document, and the connection ends', async (_, request, status) => {
    const answer = await sendRaw(server.port, request);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/problem+json',
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
      connection: 'close',
    });
    const problem: unknown = JSON.parse(answer.body);
    expect(problem).toMatchObject({ status, code: expect.stringMatching(/^[a-z_]+$/), instance: answer.headers['x-request-id'] });
    await expectAlive();
  });

  it('each has its code', async () => {
    const codeOf = async (request: string) => (JSON.parse((await sendRaw(server.port, request)).body) as { code: string }).code;
    expect(await codeOf('GET /status HTTP/1.1\r\n\r\n')).toBe('malformed_request');
    expect(await codeOf('GET /status HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\n\r\n')).toBe('expectation_failed');
    expect(await codeOf('CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n')).toBe('method_not_allowed');
    expect(await codeOf(`GET /?url=${'x'.repeat(MIB)} HTTP/1.1\r\nHost: localhost\r\n\r\n`)).toBe('headers_too_large');
  });

  it('HTTP/1.0 needs no host and knows no expectation', async () => {
    expect((await sendRaw(server.port, 'GET /status HTTP/1.0\r\nExpect: tea\r\n\r\n')).status).toBe(200);
  });

  it('the server as a whole answers OPTIONS', async () => {
    expect((await sendRaw(server.port, 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).status).toBe(204);
  });

  it('an absolute request target and an upgrade are answered like any other', async () => {
    expect(
      (await sendRaw(server.port, 'GET http://localhost/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).status,
    ).toBe(200);
    expect(
      (await sendRaw(server.port, 'GET /status HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n'))
        .status,
    ).toBe(200);
  });
});
