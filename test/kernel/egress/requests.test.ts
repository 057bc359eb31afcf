import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createEgress } from '../../../kernel/src/egress/index.js';
import { until } from '../../helpers/until.js';
import { exchangeBytes, getOf, openRawServer } from './client.js';

const CRLF = '\r\n';

describe('a connection to the proxy', () => {
  /** An origin that answers every request, and what it was sent. */
  async function openOrigin(answer = `HTTP/1.1 200 OK${CRLF}Content-Length: 2${CRLF}${CRLF}ok`) {
    const seen: string[] = [];
    const origin = await openRawServer((socket) => {
      socket.on('data', (bytes) => {
        seen.push(bytes.toString());
        socket.write(answer);
      });
    });
    return { ...origin, seen, [Symbol.asyncDispose]: () => origin[Symbol.asyncDispose]() };
  }

  const post = (port: number, body: string, ...fields: readonly string[]) =>
    [`POST http://127.0.0.1:${String(port)}/ HTTP/1.1`, 'Host: x', ...fields, '', body].join(CRLF);

  it.each([
    ['two lengths', ['Content-Length: 1', 'Content-Length: 1']],
    ['a list of lengths', ['Content-Length: 1, 1']],
    ['a signed length', ['Content-Length: +1']],
    ['length and chunks', ['Content-Length: 1', 'Transfer-Encoding: chunked']],
    ['an encoding that only looks like chunks', ['Transfer-Encoding: xchunked']],
    ['two encodings', ['Transfer-Encoding: gzip, chunked']],
    ['a blank before the colon', ['Content-Length : 1']],
    ['a folded field', ['X-A: 1', ' Content-Length: 5']],
    ['a bare line feed', ['X-A: 1\nContent-Length: 5']],
    ['a bare carriage return', ['X-A: 1\rContent-Length: 5']],
    ['a NUL', ['X-A: \0']],
  ])('takes no request whose end could be read in two ways: %s', async (_, fields) => {
    await using origin = await openOrigin();
    await using egress = createEgress();
    const { port } = await egress.open();
    expect(await exchangeBytes(port, post(origin.port, 'x', ...fields))).toMatch(/^HTTP\/1\.1 400 [^]*\r\n\r\n$/);
    expect(origin.seen).toEqual([]);
  });

  it.each([
    'GET  http://127.0.0.1/ HTTP/1.1',
    'GET http://127.0.0.1/ HTTP/2.0',
    'G<T http://127.0.0.1/ HTTP/1.1',
    'GET http://127.0.0.1/ x HTTP/1.1',
    'GET',
  ])('takes no request line like "%s"', async (line) => {
    await using egress = createEgress();
    const { port } = await egress.open();
    expect(await exchangeBytes(port, `${line}${CRLF}Host: x${CRLF}${CRLF}`)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('writes chunks anew, and ends where they are none', async () => {
    await using origin = await openOrigin('');
    await using egress = createEgress();
    const { port } = await egress.open();
    const chunks = ['3;a=b', 'abc', '0A ', '0123456789', '0', 'X-Trailer: 1', '', ''].join(CRLF);
    const socket = connect(port, '127.0.0.1');
    socket.write(post(origin.port, chunks, 'Transfer-Encoding: chunked'));
    await until(() => origin.seen.join('').endsWith(`${CRLF}0${CRLF}${CRLF}`));
    socket.destroy();
    expect(origin.seen.join('')).toBe(
      `POST / HTTP/1.1${CRLF}Host: x${CRLF}Transfer-Encoding: chunked${CRLF}${CRLF}3${CRLF}abc${CRLF}a${CRLF}0123456789${CRLF}0${CRLF}${CRLF}`,
    );
    for (const bad of [`x${CRLF}`, `-1${CRLF}`, `3${CRLF}abcd${CRLF}`, `${'f'.repeat(13)}${CRLF}`])
      expect(await exchangeBytes(port, post(origin.port, bad, 'Transfer-Encoding: chunked')).catch(() => '')).toBe('');
  });

  it('sends no field on that a `Connection` takes away, but what says where the body ends', async () => {
    await using origin = await openOrigin();
    await using egress = createEgress();
    const { port } = await egress.open();
    const socket = connect(port, '127.0.0.1');
    socket.write(post(origin.port, 'x', 'Connection: content-length, x-mine', 'Content-Length: 1', 'X-Mine: 1'));
    await once(socket, 'data');
    socket.destroy();
    expect(origin.seen.join('')).toBe(`POST / HTTP/1.1${CRLF}Host: x${CRLF}Content-Length: 1${CRLF}${CRLF}x`);
  });

  it('belongs to one site: a request for another ends it, and reaches neither', async () => {
    await using one = await openOrigin();
    await using other = await openOrigin();
    await using egress = createEgress();
    const { port } = await egress.open();
    const socket = connect(port, '127.0.0.1');
    socket.write(getOf(one));
    await once(socket, 'data');
    const ended = once(socket, 'close');
    socket.on('error', () => undefined).write(getOf(other));
    await ended;
    expect([one.seen.length, other.seen.length]).toEqual([1, 0]);
  });

  it('ends where a site speaks as the proxy and asks for credentials', async () => {
    await using origin = await openOrigin(
      `HTTP/1.1 103 Early Hints${CRLF}${CRLF}HTTP/1.1 407 Who${CRLF}Proxy-Authenticate: Basic${CRLF}${CRLF}`,
    );
    await using egress = createEgress();
    const { port } = await egress.open();
    expect(await exchangeBytes(port, getOf(origin)).catch(() => '')).toBe('');
  });
});
