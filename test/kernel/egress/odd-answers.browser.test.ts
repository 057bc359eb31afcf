import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProber, type Prober } from '../../plugins/page/probe.js';
import { openRawServer, type RawServer } from './client.js';

const PAGE = '<title>page</title><script>report = document.title</script>';
const LENGTH = `Content-Length: ${String(PAGE.length)}`;
const CHUNKS = `${PAGE.length.toString(16)}\r\n${PAGE}\r\n0\r\n\r\n`;
const HTML = 'Content-Type: text/html';

/** An answer's bytes from its lines: head, blank line, body. */
const answer = (...lines: readonly string[]) => lines.join('\r\n');

/** What Chromium loads over a connection of its own, it loads here: each was tried so. */
const LOADED: Readonly<Record<string, string>> = {
  'the same length twice': answer('HTTP/1.1 200 OK', HTML, LENGTH, LENGTH, '', PAGE),
  'the same length as a list': answer('HTTP/1.1 200 OK', HTML, `${LENGTH}, ${String(PAGE.length)}`, '', PAGE),
  'a length that is no number, before the end of the connection': answer(
    'HTTP/1.1 200 OK',
    HTML,
    'Content-Length: many',
    'Connection: close',
    '',
    PAGE,
  ),
  'a length that is no number, by HTTP/1.0': answer('HTTP/1.0 200 OK', HTML, 'Content-Length: -1', '', PAGE),
  'length and chunks': answer('HTTP/1.1 200 OK', HTML, 'Content-Length: 5', 'Transfer-Encoding: chunked', '', CHUNKS),
  'an extension and a trailer of chunks': answer(
    'HTTP/1.1 200 OK',
    HTML,
    'Transfer-Encoding: chunked',
    '',
    CHUNKS.replace('\r\n', ';x=y \r\n'),
  ),
  'chunks with bare line feeds': answer('HTTP/1.1 200 OK', HTML, 'Transfer-Encoding: chunked', '', CHUNKS.replaceAll('\r', '')),
  'bare line feeds': answer('HTTP/1.1 200 OK', HTML, LENGTH, '', PAGE).replaceAll('\r', ''),
  'no reason phrase': answer('HTTP/1.1 200', HTML, LENGTH, '', PAGE),
  'a status line without a version, in lower case': answer('http 200 ok', HTML, LENGTH, '', PAGE),
  'four bytes in front': answer('xxx HTTP/1.1 200 OK', HTML, LENGTH, '', PAGE),
  'a blank in a field name': answer('HTTP/1.1 200 OK', HTML, 'X Odd: 1', LENGTH, '', PAGE),
  'a blank before the colon': answer('HTTP/1.1 200 OK', 'Content-Type : text/html', LENGTH, '', PAGE),
  'a line that is no field': answer('HTTP/1.1 200 OK', HTML, 'garbage', LENGTH, '', PAGE),
  'a field name that is no ASCII': answer('HTTP/1.1 200 OK', HTML, 'X-\u00e9: \u00e9', LENGTH, '', PAGE),
  'a first line that is folded': answer('HTTP/1.1 200 OK', ' folded', HTML, LENGTH, '', PAGE),
  'interim answers': answer(
    'HTTP/1.1 100 Continue',
    '',
    'HTTP/1.1 103 Early Hints',
    'Link: </x>; rel=preload',
    '',
    'HTTP/1.1 199 x',
    '',
    'HTTP/1.1 200 OK',
    HTML,
    LENGTH,
    '',
    PAGE,
  ),
  'HTTP/1.0 without a length': answer('HTTP/1.0 200 OK', HTML, '', PAGE),
  'HTTP/1.0 with keep-alive': answer('HTTP/1.0 200 OK', HTML, 'Connection: keep-alive', LENGTH, '', PAGE),
  'a switch of protocols in front': answer('HTTP/1.1 101 Go', '', 'HTTP/1.1 200 OK', LENGTH, '', PAGE),
  'more than its length': answer('HTTP/1.1 200 OK', HTML, LENGTH, '', `${PAGE}more`),
};

/** Lengths that are no numbers, on connections that stay open: browsers would wait for their end. */
const ENDLESS: Readonly<Record<string, string>> = {
  'a word': answer('HTTP/1.1 200 OK', HTML, 'Content-Length: many', '', PAGE),
  'less than nothing': answer('HTTP/1.1 200 OK', HTML, 'content-length: -1', 'Connection: keep-alive', '', PAGE),
  'more than any number': answer('HTTP/1.1 200 OK', HTML, `Content-Length: ${'9'.repeat(30)}`, '', PAGE),
  'a word, of a file': answer('HTTP/1.1 200 OK', 'Content-Disposition: attachment', 'Content-Length: many', '', PAGE),
};

/** And what it refuses, it refuses here. */
const REFUSED: Readonly<Record<string, string>> = {
  'two lengths': answer('HTTP/1.1 200 OK', HTML, LENGTH, 'Content-Length: 5', '', PAGE),
  'a NUL in a field': answer('HTTP/1.1 200 OK', HTML, 'X-A: a\0b', LENGTH, '', PAGE),
  'HTTP/0.9 on a port of its own': PAGE,
  'a switch of protocols that nobody asked for': answer('HTTP/1.1 101 Switching Protocols', 'Upgrade: x', 'Connection: Upgrade', '', PAGE),
  'a wish for credentials as if by the proxy': answer('HTTP/1.1 407 Who', 'Proxy-Authenticate: Basic', LENGTH, '', PAGE),
  'a wish for credentials behind a switch of protocols': answer(
    'HTTP/1.1 101 Go',
    '',
    'HTTP/1.1 407 Who',
    'Proxy-Authenticate: Basic',
    LENGTH,
    '',
    PAGE,
  ),
};

let origin: RawServer;
let prober: Prober;
beforeAll(async () => {
  origin = await openRawServer((socket) => {
    socket.on('data', (bytes) => {
      const name = decodeURIComponent(/^GET \/(\S*)/.exec(bytes.toString())?.[1] ?? '');
      const endless = ENDLESS[name];
      if (endless !== undefined) socket.write(endless);
      else socket.end(Buffer.from({ ...LOADED, ...REFUSED }[name] ?? answer('HTTP/1.1 404 No', 'Content-Length: 0', '', ''), 'latin1'));
    });
  });
  prober = openProber();
});
afterAll(async () => {
  await prober[Symbol.asyncDispose]();
  await origin[Symbol.asyncDispose]();
});

const urlOf = (name: string) => `http://127.0.0.1:${String(origin.port)}/${encodeURIComponent(name)}`;

describe('an answer over plain http with', () => {
  it.each(Object.keys(LOADED))('%s is loaded', async (name) => {
    expect((await prober.probe({ url: urlOf(name) })).report).toBe('page');
  });

  it.each(Object.keys(REFUSED))('%s is refused by the browser itself', async (name) => {
    await expect(prober.probe({ url: urlOf(name) })).rejects.toMatchObject({ code: 'target_unreachable' });
  });

  it.each(Object.keys(ENDLESS))('a length that is %s fails the render, while the connection stays open', async (name) => {
    await expect(prober.probe({ url: urlOf(name), no_timeout: true })).rejects.toMatchObject({
      code: 'target_unreachable',
      details: { target: { net_error: 'net::ERR_INVALID_HTTP_RESPONSE' } },
    });
  });
});
