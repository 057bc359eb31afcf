import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MAX_BYTES, never, opened, packed, record, SITE } from './archive-files.js';

const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(400);

function coded(coding: string, body: Buffer | string, more = ''): Buffer {
  return record({ http: `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: ${coding}\r\nContent-Length: 5${more}`, body });
}

function chunked(body: Buffer, size = 1000): Buffer {
  const chunks = Array.from({ length: Math.ceil(body.length / size) }, (_, at) => body.subarray(at * size, (at + 1) * size));
  const lines = chunks.map((chunk) =>
    Buffer.concat([Buffer.from(`${chunk.length.toString(16)};name=value\r\n`), chunk, Buffer.from('\r\n')]),
  );
  return Buffer.concat([...lines, Buffer.from('0\r\nTrailer: x\r\n\r\n')]);
}

describe('a body is decoded', () => {
  const gzip = gzipSync(TEXT);
  it.each<readonly [string, Buffer]>([
    ['gzip', coded('gzip', gzip)],
    ['x-gzip', coded('X-GZIP', gzip)],
    ['br', coded('br', brotliCompressSync(TEXT))],
    ['deflate with the header of zlib', coded('deflate', deflateSync(TEXT))],
    ['deflate without', coded('deflate', deflateRawSync(TEXT))],
    ['two codings', coded('gzip, br', brotliCompressSync(gzip))],
    ['identity', coded('identity', TEXT)],
    ['gzip, already decoded', coded('gzip', TEXT)],
    ['br, already decoded', coded('br', TEXT)],
    ['deflate, already decoded', coded('deflate', TEXT)],
    ['zstd, already decoded', coded('zstd', TEXT)],
    ['chunked', coded('identity', chunked(Buffer.from(TEXT)), '\r\nTransfer-Encoding: chunked')],
    ['chunked gzip', coded('gzip', chunked(gzip), '\r\nTransfer-Encoding: chunked')],
    ['chunked, already decoded', coded('gzip', gzip, '\r\nTransfer-Encoding: Chunked')],
  ])('from %s', async (_, bytes) => {
    await using archive = await opened(packed(bytes));
    expect(await archive.text(SITE)).toBe(TEXT);
    expect((await archive.find(SITE))?.response.headers).toEqual([['Content-Type', 'text/plain']]);
  });

  it('from br that is short, and not from a short text', async () => {
    await using packedText = await opened(packed(coded('br', brotliCompressSync('hi'))));
    expect(await packedText.text(SITE)).toBe('hi');
    await using plain = await opened(packed(coded('br', 'hi')));
    expect(await plain.text(SITE)).toBe('hi');
  });

  it('as far as a cut connection has sent it', async () => {
    const cut = (bytes: Buffer) => bytes.subarray(0, bytes.length - 12);
    await using gzipped = await opened(packed(coded('gzip', cut(gzip))));
    expect(TEXT.startsWith((await gzipped.text(SITE)) ?? '-')).toBe(true);
    await using chunks = await opened(
      packed(coded('identity', cut(chunked(Buffer.from(TEXT))).subarray(0, 3000), '\r\nTransfer-Encoding: chunked')),
    );
    const text = (await chunks.text(SITE)) ?? '';
    expect(text.length).toBeGreaterThan(2000);
    expect(TEXT.startsWith(text)).toBe(true);
  });
});

describe('a part of a body', () => {
  it.each<readonly [number, number, string]>([
    [0, 2, 'The'],
    [4, 8, 'quick'],
    [TEXT.length - 5, TEXT.length + 100, 'dog. '],
    [TEXT.length, TEXT.length + 1, ''],
  ])('from %i to %i', async (first, last, expected) => {
    await using archive = await opened(packed(coded('gzip', gzipSync(TEXT))));
    const found = await archive.find(SITE);
    expect((await found?.response.body({ signal: never, maxBytes: 100, range: [first, last] }))?.toString()).toBe(expected);
  });
});

describe('a body with more bytes than wanted', () => {
  // Each level a thousand times smaller than the next: 200 MB in the end.
  const bomb = gzipSync(gzipSync(Buffer.alloc(200 * 1024 * 1024)));

  it('ends in an error, with memory flat', async () => {
    await using archive = await opened(packed(coded('gzip, gzip', bomb)));
    const found = await archive.find(SITE);
    const before = process.memoryUsage().rss;
    await expect(found?.response.body({ signal: never, maxBytes: MAX_BYTES })).rejects.toThrow(
      /the record of https:\/\/site.test\/ .* its body has more than 1048576 bytes/,
    );
    expect((await found?.response.body({ signal: never, maxBytes: 10, range: [150_000_000, 150_000_003] }))?.length).toBe(4);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it('ends with the signal', async () => {
    await using archive = await opened(packed(coded('gzip, gzip', bomb)));
    const found = await archive.find(SITE);
    const stop = new AbortController();
    const reading = found?.response.body({ signal: stop.signal, maxBytes: 10, range: [150_000_000, 150_000_003] });
    stop.abort(new Error('time is up'));
    await expect(reading).rejects.toThrow('time is up');
  });
});

describe('a damaged record', () => {
  it.each<readonly [string, Buffer, RegExp]>([
    [
      'whose coding is damaged',
      packed(coded('gzip', Buffer.concat([gzipSync(TEXT).subarray(0, 60), Buffer.alloc(60, 255)]))),
      /Content-Encoding "gzip" is damaged/,
    ],
    ['with an unknown coding', packed(coded('sdch', TEXT)), /Content-Encoding "sdch" cannot be decoded here/],
  ])('%s is named', async (_, bytes, message) => {
    await using archive = await opened(bytes);
    const found = await archive.find(SITE);
    const reading = found?.response.body({ signal: never, maxBytes: MAX_BYTES });
    await expect(reading).rejects.toMatchObject({ name: 'ArchiveDamaged', message: expect.stringMatching(message) as unknown });
    await expect(reading).rejects.toThrow('the record of https://site.test/ at byte 0 of data.warc.gz is damaged: ');
  });
});
