import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, deflateRawSync, deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { OutboundError } from '../../../kernel/src/egress/outbound-error.js';
import { createOutbound } from '../../../kernel/src/egress/outbound.js';
import type { AddressFilter } from '../../../kernel/src/egress/policy.js';
import { openSite } from '../../helpers/site.js';
import { createLatch, openRawServer } from './client.js';

const LIMITS = { maxBytes: 1_000_000, timeoutMs: 10_000 };
const byName = { resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]) };

describe('what the server fetches', () => {
  it('comes decoded, with its status and its headers', async () => {
    await using site = await openSite({
      '/list': { body: gzipSync('a list'), headers: { 'content-encoding': 'gzip', 'x-two': 'b' } },
      '/none': { status: 404, body: 'no' },
    });
    const { fetch } = createOutbound({ addressFilters: [] });
    const list = await fetch(site.url('/list'), LIMITS);
    expect(list).toMatchObject({ status: 200, url: site.url('/list'), headers: { 'x-two': 'b' } });
    expect(list.body.toString()).toBe('a list');
    expect(await fetch(site.url('/none'), LIMITS)).toMatchObject({ status: 404 });
  });

  it('sends what it is told to, and says who asks', async () => {
    await using site = await openSite({ '/echo': { body: 'ok' } });
    const { fetch } = createOutbound({ addressFilters: [], userAgent: 'Platen/1.2' });
    await fetch(site.url('/echo'), { ...LIMITS, method: 'POST', headers: { 'X-Key': 'k' }, body: 'text' });
    const asked = site.requests.at(-1);
    expect(asked).toMatchObject({ method: 'POST', headers: { 'x-key': 'k', 'user-agent': 'Platen/1.2' } });
  });

  it('is refused by a rule, at the first host and at one that it is redirected to', async () => {
    await using site = await openSite({ '/away': { status: 302, headers: { location: 'http://other.test/' } } });
    const addressFilters: AddressFilter[] = [];
    const { fetch, addAddressFilter } = createOutbound({ addressFilters, ...byName });
    addAddressFilter(({ host }) => (host === 'other.test' ? 'on the list' : undefined));
    await expect(fetch('http://other.test/', LIMITS)).rejects.toMatchObject({
      reason: 'blocked',
      message: expect.stringContaining('on the list'),
    });
    await expect(fetch(site.url('/away'), LIMITS)).rejects.toMatchObject({ reason: 'blocked' });
    expect(addressFilters).toHaveLength(1);
  });

  it('tells its rules which hosts the operator named', async () => {
    await using site = await openSite({ '/model': { body: 'ok' } });
    const addressFilters: AddressFilter[] = [({ namedByOperator }) => (namedByOperator === true ? undefined : 'private')];
    const { fetch, open } = createOutbound({ addressFilters });
    expect(await fetch(site.url('/model'), { ...LIMITS, namedByOperator: true })).toMatchObject({ status: 200 });
    const { signal } = new AbortController();
    const { status, body } = await open(site.url('/model'), { signal, namedByOperator: true });
    body.destroy();
    expect(status).toBe(200);
    await expect(open(site.url('/model'), { signal })).rejects.toMatchObject({ reason: 'blocked' });
    await expect(fetch(site.url('/model'), LIMITS)).rejects.toMatchObject({ reason: 'blocked' });
    await expect(fetch('http://169.254.169.254/', { ...LIMITS, namedByOperator: true })).rejects.toMatchObject({ reason: 'blocked' });
  });

  it.each(['http://169.254.169.254/latest', 'http://[fd00:ec2::254]/', 'http://2852039166/'])('never goes to %s', async (url) => {
    await expect(createOutbound({ addressFilters: [] }).fetch(url, LIMITS)).rejects.toMatchObject({ reason: 'blocked' });
  });

  it.each(['file:///etc/passwd', 'data:,x', 'ftp://127.0.0.1/'])('takes neither %s nor a redirect there', async (location) => {
    await using site = await openSite({ '/away': { status: 307, headers: { location } } });
    const { fetch } = createOutbound({ addressFilters: [] });
    await expect(fetch(location, LIMITS)).rejects.toMatchObject({ reason: 'scheme' });
    await expect(fetch(site.url('/away'), LIMITS)).rejects.toMatchObject({ reason: 'scheme' });
  });

  it('keeps credentials at the first origin, over five redirects and no more', async () => {
    await using other = await openSite({ '/end': { body: 'there' } });
    await using site = await openSite({
      '/away': { status: 302, headers: { location: other.url('/end') } },
      '/loop': { status: 302, headers: { location: '/loop' } },
    });
    const { fetch } = createOutbound({ addressFilters: [] });
    const headers = { authorization: 'Bearer s', cookie: 'a=b', 'x-kept': 'yes' };
    expect(await fetch(site.url('/away'), { ...LIMITS, headers })).toMatchObject({ url: other.url('/end') });
    const reached = other.requests.at(-1)?.headers;
    expect(reached).toMatchObject({ 'x-kept': 'yes' });
    expect(reached).not.toHaveProperty('authorization');
    expect(reached).not.toHaveProperty('cookie');
    await expect(fetch(site.url('/loop'), LIMITS)).rejects.toMatchObject({ reason: 'redirects' });
    expect(await fetch(site.url('/loop'), { ...LIMITS, maxRedirects: 0 })).toMatchObject({ status: 302 });
  });

  it('is bounded in bytes, also those of a bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000));
    await using site = await openSite({ '/bomb': { body: bomb, headers: { 'content-encoding': 'gzip' } } });
    const failed = createOutbound({ addressFilters: [] }).fetch(site.url('/bomb'), { ...LIMITS, maxBytes: 1_000_000 });
    await expect(failed).rejects.toMatchObject({ reason: 'too_large' });
  });

  it('ends with its time or with its signal', async () => {
    await using site = await openSite({ '/hangs': () => undefined });
    const { fetch } = createOutbound({ addressFilters: [] });
    await expect(fetch(site.url('/hangs'), { ...LIMITS, timeoutMs: 100 })).rejects.toMatchObject({ reason: 'timeout' });
    const controller = new AbortController();
    const fetching = fetch(site.url('/hangs'), { ...LIMITS, signal: controller.signal });
    controller.abort(new Error('nobody waits'));
    await expect(fetching).rejects.toThrow('nobody waits');
  });

  it('names no credentials where it fails', async () => {
    const failed = createOutbound({ addressFilters: [] }).fetch('http://user:secret@127.0.0.1:1/path?key=secret', LIMITS);
    const error: unknown = await failed.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(OutboundError);
    expect(String(error)).toBe('OutboundError: http://127.0.0.1:1/path could not be fetched: ECONNREFUSED');
  });
});

/** What is fetched from a server that sends these bytes whatever it is asked, and ends. */
async function fetchBytes(...lines: readonly (string | Buffer)[]) {
  await using server = await openRawServer((socket) => {
    socket.once('data', () => {
      socket.end(Buffer.concat(lines.map((line) => (Buffer.isBuffer(line) ? line : Buffer.from(line, 'latin1')))));
    });
  });
  return await createOutbound({ addressFilters: [] }).fetch(`http://127.0.0.1:${String(server.port)}/`, LIMITS);
}

const OK = 'HTTP/1.1 200 OK\r\n';
const GZIP = 'Content-Encoding: gzip\r\n\r\n';
const GZIP_TWICE = 'Content-Encoding: gzip, gzip\r\n\r\n';
const MEMBER = gzipSync('');
const EARLY = 'HTTP/1.1 103 Early Hints\r\n\r\n';
const SWITCHES = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';
const cookies = (count: number) =>
  Array.from({ length: count }, (_, index) => `Set-Cookie: c${String(index)}=${'x'.repeat(1000)}\r\n`).join('');

describe('an answer that is not by the book', () => {
  it.each([
    ['bare line feeds', ['HTTP/1.1 200 OK\nX-A: b\nContent-Length: 4\n\ntext']],
    ['lengths and chunks', [OK, 'Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ntext\r\n0\r\n\r\n']],
    ['a control character in a field', [OK, 'X-A: a\x01b\r\n\r\ntext']],
    ['200 KiB of fields', [OK, cookies(200), '\r\ntext']],
    ['deflate', [OK, 'Content-Encoding: deflate\r\n\r\n', deflateSync('text')]],
    ['gzip with junk behind it', [OK, GZIP, gzipSync('text'), 'junk']],
    ['gzip with the beginning of another behind it', [OK, GZIP, gzipSync('text'), '\x1f\x8b']],
    ['gzip without its end', [OK, GZIP, gzipSync('text').subarray(0, -6)]],
    ['gzip in parts', [OK, GZIP, gzipSync('te'), gzipSync('xt')]],
    [
      'gzip with a name and a comment',
      [OK, GZIP, Buffer.from('1f8b0818000000000003610062', 'hex'), '\0', deflateRawSync('text'), MEMBER.subarray(-8)],
    ],
    ['gzip in gzip', [OK, GZIP_TWICE, gzipSync(gzipSync('text'))]],
    ['brotli in gzip, twice named', [OK, 'Content-Encoding: br\r\nContent-Encoding: gzip\r\n\r\n', gzipSync(brotliCompressSync('text'))]],
    ['a coding that is a charset', [OK, 'Content-Encoding: UTF-8\r\n\r\ntext']],
    ['interim answers before it', [EARLY, 'HTTP/1.1 102 Processing\r\n\r\n', OK, '\r\ntext']],
    ['bare deflate', [OK, 'Content-Encoding: deflate\r\n\r\n', deflateRawSync('text')]],
  ])('is read: %s', async (_name, bytes) => {
    expect((await fetchBytes(...bytes)).body.toString()).toBe('text');
  });

  it.each(['deflate', 'gzip', 'br', 'gzip, br'])('may be coded and empty: %s', async (coding) => {
    expect((await fetchBytes(OK, `Content-Encoding: ${coding}\r\nContent-Length: 0\r\n\r\n`)).body).toHaveLength(0);
    expect((await fetchBytes(OK, `Content-Encoding: ${coding}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)).body).toHaveLength(0);
  });

  it.each([
    [
      'more fields than a browser takes',
      [OK, cookies(300), '\r\ntext'],
      'malformed',
      'the response has more than 256 KiB of header fields',
    ],
    ['no HTTP', ['SSH-2.0-x\r\n'], 'malformed', /could not be fetched: the response is not well-formed HTTP$/],
    ['another coding', [OK, 'Content-Encoding: gzip\r\n\r\ntext'], 'malformed', 'its body does not match its "Content-Encoding"'],
    ['broken brotli', [OK, 'Content-Encoding: br\r\n\r\n', Buffer.alloc(9, 255)], 'malformed', 'its body does not match its'],
    [
      'less than the beginning',
      [OK, GZIP, gzipSync('text').subarray(0, 9)],
      'malformed',
      'its body ends too early for its "Content-Encoding"',
    ],
    [
      'half of a brotli',
      [OK, 'Content-Encoding: br\r\n\r\n', brotliCompressSync('text').subarray(0, 5)],
      'malformed',
      'its body ends too early',
    ],
    ['a coding in a coding that is none', [OK, GZIP_TWICE, gzipSync('text')], 'malformed', 'its body does not match its'],
    [
      'four codings',
      [OK, 'Content-Encoding: gzip, gzip, gzip, gzip\r\n\r\n', gzipSync('text')],
      'malformed',
      'its "Content-Encoding" names',
    ],
    ['a coding not asked for', [OK, 'Content-Encoding: zstd\r\n\r\ntext'], 'malformed', 'its "Content-Encoding" was not requested'],
    [
      'an unknown one among others',
      [OK, 'Content-Encoding: x, gzip\r\n\r\n', gzipSync('text')],
      'malformed',
      'its "Content-Encoding" was not',
    ],
    ['many small parts', [OK, GZIP, ...Array.from({ length: 10_001 }, () => MEMBER)], 'malformed', 'its body has more than 10000 parts'],
    ['another protocol', [SWITCHES], 'malformed', 'it wants to switch protocols'],
    ['another protocol that has no name', ['HTTP/1.1 101 Whatever\r\n\r\n'], 'malformed', 'it wants to switch protocols'],
    ['interim answers without end', Array.from({ length: 40 }, () => EARLY), 'malformed', 'it sends more than 32 interim responses'],
    ['an end before any answer', [EARLY], 'unreachable', 'the connection was closed before'],
    ['nothing at all', [], 'unreachable', 'the connection was closed before'],
    ['a connection that breaks off', [OK, 'Content-Length: 9\r\n\r\ntext'], 'unreachable', 'the connection was closed before'],
  ])('is refused in words: %s', async (_name, bytes, reason, words) => {
    await expect(fetchBytes(...bytes)).rejects.toMatchObject({
      reason,
      message: (typeof words === 'string'
        ? expect.stringContaining(`could not be fetched: ${words}`)
        : expect.stringMatching(words)) as string,
    });
  });
});

describe('a body that nobody wants', () => {
  const ODD = ['text', gzipSync('text').subarray(0, 9), Buffer.alloc(100_000)];

  it.each(ODD)('is not read: its status is the answer', async (body) => {
    await using site = await openSite({ '/odd': { status: 404, body, headers: { 'content-encoding': 'gzip' } } });
    const wantsBody = (status: number) => status === 200;
    const answer = await createOutbound({ addressFilters: [] }).fetch(site.url('/odd'), { ...LIMITS, wantsBody });
    expect(answer).toMatchObject({ status: 404, body: Buffer.alloc(0) });
  });

  it.each(ODD)('is that of a redirect', async (body) => {
    await using site = await openSite({
      '/away': { status: 301, body, headers: { location: '/end', 'content-encoding': 'gzip' } },
      '/end': { body: 'text' },
    });
    expect((await createOutbound({ addressFilters: [] }).fetch(site.url('/away'), LIMITS)).body.toString()).toBe('text');
  });

  it('is not waited for, and its connection ends', async () => {
    const closed = createLatch();
    await using server = await openRawServer((socket) => {
      socket.once('close', closed.reach);
      socket.once('data', () => socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\n1'));
      socket.once('end', () => socket.end());
    });
    const url = `http://127.0.0.1:${String(server.port)}/`;
    expect(await createOutbound({ addressFilters: [] }).fetch(url, { ...LIMITS, wantsBody: () => false })).toMatchObject({ status: 404 });
    await closed.reached;
  });
});

describe('a body that is opened', () => {
  it('streams, with the lines of its head and its address, and is not decoded', async () => {
    await using site = await openSite({ '/': { body: gzipSync('a list'), headers: { 'content-encoding': 'gzip', 'Set-Cookie': 'a=1' } } });
    const { open } = createOutbound({ addressFilters: [] });
    const { body, ...head } = await open(site.url('/'), { signal: new AbortController().signal });
    expect(head).toMatchObject({ status: 200, statusText: 'OK', url: site.url('/'), remote: { address: '127.0.0.1', port: site.port } });
    expect(head.headerLines).toContainEqual({ name: 'Set-Cookie', value: 'a=1' });
    expect(gunzipSync(await buffer(body)).toString()).toBe('a list');
    expect(site.requests.at(-1)?.headers['accept-encoding']).toBe('identity');
  });

  it('returns a redirect, is refused by a rule, and ends with the signal', async () => {
    await using site = await openSite({
      '/': { status: 302, headers: { location: '/next' } },
      '/endless': (_request, response) => void response.write('begin'),
    });
    const { open, addAddressFilter } = createOutbound({ addressFilters: [], ...byName });
    const controller = new AbortController();
    const { signal } = controller;
    const { status, body } = await open(site.url('/'), { signal });
    body.destroy();
    expect(status).toBe(302);
    const endless = await open(site.url('/endless'), { signal });
    controller.abort(new Error('enough'));
    await expect(buffer(endless.body)).rejects.toThrow();
    addAddressFilter(() => 'on the list');
    await expect(open('http://other.test/', { signal: new AbortController().signal })).rejects.toMatchObject({ reason: 'blocked' });
  });
});
