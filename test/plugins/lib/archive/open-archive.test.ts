import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { opened, packed, record, SITE, zip } from './archive-files.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  vi.stubEnv('TMPDIR', folder);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});

describe('a WARC file', () => {
  const records = [
    record({
      type: 'warcinfo',
      url: 'urn:uuid:1',
      http: '',
      body: 'software: x\r\n',
      fields: { 'Content-Type': 'application/warc-fields' },
    }),
    record({ body: 'home' }),
    record({ url: `<${SITE}wget>`, body: 'in angle brackets' }),
    record({ url: `${SITE}picture`, type: 'resource', http: '', body: 'png', fields: { 'Content-Type': 'image/png' } }),
    record({ url: 'urn:pageinfo:https://site.test/', type: 'resource', http: '', body: '{}' }),
    record({ url: `${SITE}large`, body: Buffer.alloc(3_000_000, 'large ') }),
    record({ url: `${SITE}last`, http: 'HTTP/1.0 200 OK\nContent-Type: text/html\n'.trimEnd(), body: 'last' }),
  ];
  const extra = (bytes: Buffer) => {
    // With the name of a file, and an extra field, in the header of gzip.
    const packedRecord = gzipSync(bytes);
    const header = Buffer.concat([
      packedRecord.subarray(0, 3),
      Buffer.of(4 | 8),
      packedRecord.subarray(4, 10),
      Buffer.of(4, 0, 1, 2, 3, 4),
      Buffer.from('name\0'),
    ]);
    return Buffer.concat([header, packedRecord.subarray(10)]);
  };

  it.each<readonly [string, Buffer]>([
    ['compressed record by record', packed(...records)],
    ['not compressed', Buffer.concat(records)],
    ['compressed as a whole', gzipSync(Buffer.concat(records))],
    ['with names in its gzip headers', Buffer.concat(records.map(extra))],
    ['compressed at the level 0', Buffer.concat(records.map((bytes) => gzipSync(bytes, { level: 0 })))],
  ])('%s is read', async (_, bytes) => {
    await using archive = await opened(bytes);
    expect(archive.archive.kind).toBe('warc');
    expect(await archive.text(SITE)).toBe('home');
    expect(await archive.text(`${SITE}wget`)).toBe('in angle brackets');
    expect((await archive.find(`${SITE}picture`))?.response).toMatchObject({
      status: 200,
      mime: 'image/png',
      headers: [['Content-Type', 'image/png']],
    });
    expect(await archive.text(`${SITE}last`)).toBe('last');
    const large = await archive.find(`${SITE}large`);
    expect((await large?.response.body({ signal: new AbortController().signal, maxBytes: 4_000_000 }))?.length).toBe(3_000_000);
  });
});

describe('a WARC file that is cut in a record', () => {
  const noise = randomBytes(1_000_000);
  const records = [record({ body: 'home' }), record({ url: `${SITE}large`, body: noise }), record({ url: `${SITE}last`, body: 'last' })];

  it.each<readonly [string, Buffer, Buffer]>([
    ['compressed record by record', packed(...records.slice(0, -1)), packed(...records.slice(-1))],
    ['not compressed', Buffer.concat(records.slice(0, -1)), records.at(-1) ?? Buffer.of()],
  ])('%s, is a damaged archive, wherever the cut is', async (_, whole, last) => {
    for (const bytes of [
      whole.subarray(0, -500_000),
      Buffer.concat([whole, last.subarray(0, -10)]),
      Buffer.concat([whole, last.subarray(0, 30)]),
    ])
      await expect(opened(bytes)).rejects.toThrow(/^a damaged archive: the record at byte [1-9]\d* of data\.warc(?:\.gz)? is damaged: /);
    await using archive = await opened(whole);
    expect(await archive.text(SITE)).toBe('home');
  });

  it('is another matter than a record without an HTTP head, which alone cannot be shown', async () => {
    await using archive = await opened(packed(record({ url: `${SITE}old`, http: '', body: 'HTTP/0.9' }), record({ body: 'home' })));
    expect(await archive.text(SITE)).toBe('home');
    await expect(archive.text(`${SITE}old`)).rejects.toThrow('it has no HTTP head');
  });
});

describe('what is no archive', () => {
  const member = { 'archive/data.warc.gz': packed(record({})) };
  const broken = async (change: (bytes: Buffer) => Buffer) => change(await zip(member));

  it.each<readonly [string, () => Promise<Buffer> | Buffer, RegExp]>([
    ['nothing', () => Buffer.of(), /^an empty file$/],
    ['a page', () => Buffer.from('<!doctype html><p>x'), /^an HTML page$/],
    ['text', () => Buffer.from('hello'), /^neither a WACZ, WARC nor HAR file$/],
    ['another gzip file', () => gzipSync('hello'), /^a gzip file without a WARC file$/],
    ['damaged gzip', () => packed(record({})).subarray(0, 30), /gzip data is damaged or ends early/],
    ['a WARC file of nothing', () => packed(record({ type: 'warcinfo' })), /^a WARC file without a response$/],
    [
      'a damaged WARC file',
      () => Buffer.from('WARC/1.0\r\n\r\n'),
      /^a damaged archive: the record at byte 0 of data.warc is damaged: its Content-Length is invalid$/,
    ],
    ['another ZIP file', () => zip({ 'word/document.xml': 'x' }), /^a ZIP file without WARC files in its folder "archive"$/],
    ['a collection', () => zip({ 'a.wacz': 'x', 'datapackage.json': '{}' }), /^a collection of WACZ files: give one of them$/],
    [
      'a WACZ file of nothing',
      () => zip({ 'archive/data.warc.gz': packed(record({ type: 'warcinfo' })) }),
      /^a WACZ file without a response$/,
    ],
    ['a ZIP file without its end', () => broken((bytes) => bytes.subarray(0, bytes.length - 40)), /^a damaged ZIP file: /],
    [
      'a ZIP file whose directory is damaged',
      () => broken((bytes) => bytes.fill(1, bytes.length - 80, bytes.length - 40)),
      /^a damaged ZIP file: /,
    ],
    [
      'a ZIP file with a damaged index',
      async () => {
        const bytes = await zip({ ...member, 'indexes/index.cdx': 'x'.repeat(9000) });
        return bytes.fill(255, bytes.indexOf('indexes/index.cdx') + 17, bytes.indexOf('indexes/index.cdx') + 30);
      },
      /its file "indexes\/index.cdx" is damaged/,
    ],
    [
      'an index without line breaks',
      async () => zip({ ...member, 'indexes/index.cdx': 'x'.repeat(3_000_000) }),
      /its index has a line without an end/,
    ],
    ['JSON', () => Buffer.from('{"a":1}'), /^JSON, but no HAR file/],
    ['broken JSON', () => Buffer.from('{"log":'), /^a damaged HAR file: it is not valid JSON$/],
    ['a HAR file without bodies', () => Buffer.from('{"log":{"entries":[{},null]}}'), /^a HAR file without a response that has a body$/],
  ])('%s: says what it is instead, and leaves nothing', async (_, bytes, message) => {
    await expect(opened(await bytes())).rejects.toMatchObject({ name: 'NotAnArchive', message: expect.stringMatching(message) as unknown });
  });

  it('a bomb is refused at its limit', async () => {
    const bomb = await zip({ ...member, 'indexes/index.cdx.gz': gzipSync('a\n'.repeat(50_000_000)) });
    await expect(opened(bomb, { maxInflatedBytes: 1_000_000 })).rejects.toThrow('it has more than 1000000 bytes when it is decompressed');
    const whole = gzipSync(Buffer.concat([record({}), record({ body: Buffer.alloc(50_000_000) })]));
    await expect(opened(whole, { maxInflatedBytes: 1_000_000 })).rejects.toThrow('it has more than 1000000 bytes when it is decompressed');
  });

  it('ends with the signal', async () => {
    const stop = new AbortController();
    const opening = opened(packed(...Array.from({ length: 500 }, () => record({}))), { signal: stop.signal });
    stop.abort(new Error('time is up'));
    await expect(opening).rejects.toThrow('time is up');
  });
});
