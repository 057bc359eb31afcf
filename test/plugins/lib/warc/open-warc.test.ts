import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import {
  type ArchivedExchange,
  type ArchivedPage,
  createWarcWriter,
  openWarc,
  spoolStream,
} from '../../../../plugins/lib/warc/src/index.js';
import { until } from '../../../helpers/until.js';
import { bodyOf, exchangeOf, readRecords } from './archive-fixture.js';

function pageOf(url: string, exchanges: readonly ArchivedExchange[], more: Partial<ArchivedPage> = {}): ArchivedPage {
  return {
    ...{ url, startedAt: new Date('2026-01-02T12:00:00Z'), title: 'A page', depth: 0, status: 200, mimeType: 'text/html' },
    ...{ loadState: 'complete', isPage: true, exchanges: () => inTurn(exchanges) },
    ...more,
  };
}

async function* inTurn<T>(items: Iterable<T>): AsyncGenerator<T> {
  for (const item of items) yield await Promise.resolve(item);
}

const base = { filename: 'a.warc.gz', info: { software: 'Platen' } };
const failed = { ...exchangeOf({ url: 'https://example.com/x.js', resourceType: 'Script' }), response: undefined };

describe('a WARC of pages', () => {
  it('has the info, the pages with what became of their requests, and how it ended', async () => {
    const page = pageOf('https://example.com/', [
      exchangeOf({}),
      { ...failed, failure: { netError: 'net::ERR_FAILED', canceled: false, unfinished: false } },
    ]);
    const file = pageOf(
      'https://example.com/robots.txt',
      [exchangeOf({ url: 'https://example.com/robots.txt', response: { body: bodyOf('') } })],
      { isPage: false },
    );
    let written = 0;
    const wrote = (bytes: number) => (written += bytes);
    const bytes = await buffer(
      openWarc({ ...base, pages: inTurn([page, file]), closingInfo: () => ({ stop_reason: 'crawl_max_links' }), wrote }),
    );
    expect(written).toBe(bytes.length);
    const records = await readRecords(bytes);
    expect(records.map(({ type }) => type)).toEqual(['warcinfo', 'response', 'request', 'resource', 'response', 'request', 'warcinfo']);
    expect(records[0]?.text).toBe('software: Platen\r\n');
    expect(records.at(-1)?.text).toBe('stop_reason: crawl_max_links\r\n');
    expect(records[3]?.field('WARC-Target-URI')).toBe('urn:pageinfo:https://example.com/');
    expect(JSON.parse(records[3]?.text ?? '')).toEqual({
      ...{ pageid: records[1]?.field('WARC-Page-ID'), url: 'https://example.com/', ts: '2026-01-02T12:00:00.000Z', title: 'A page' },
      ...{ status: 200, depth: 0, loadState: 'complete' },
      urls: {
        'https://example.com/': { status: 200, mime: 'text/html', type: 'document' },
        'https://example.com/x.js': { type: 'script', error: 'net::ERR_FAILED' },
      },
    });
  });

  it('has no last record if nothing is to be said', async () => {
    const records = await readRecords(await buffer(openWarc({ ...base, pages: inTurn([]), closingInfo: () => undefined })));
    expect(records.map(({ type }) => type)).toEqual(['warcinfo']);
  });

  it('requests a page only as the last is read, and stops when it is destroyed', async () => {
    let requested = 0;
    let ended = false;
    const pages = async function* () {
      try {
        for (;;) {
          requested += 1;
          const noise = Buffer.from(Array.from({ length: 100_000 }, () => Math.floor(Math.random() * 256)));
          yield await Promise.resolve(
            pageOf('https://example.com/', [exchangeOf({ response: { body: bodyOf(noise) }, seconds: requested })]),
          );
        }
      } finally {
        ended = true;
      }
    };
    const reader = openWarc({ ...base, pages: pages() }).iterator();
    for (let read = 0; read < 1_000_000;) {
      const { value } = await reader.next();
      // Not in object mode: the chunks are Buffers.
      read += (value as Buffer).length;
    }
    expect(requested).toBeGreaterThan(9);
    expect(requested).toBeLessThan(20);
    await reader.return?.();
    await until(() => Promise.resolve(ended));
  });

  it.each([
    [
      'a full disk',
      Object.assign(new Error('write'), { code: 'ENOSPC' }),
      'the warc could not be written: the disk that holds the temporary folder of the server is full',
    ],
    ['the render', new Error('the render has ended'), 'the render has ended'],
  ])('fails with the error of %s', async (_title, error, message) => {
    const pages = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
    await expect(buffer(openWarc({ ...base, pages }))).rejects.toThrow(message);
  });

  it('fails in words if the disk of a body is full', async () => {
    const full = Object.assign(new Error('read'), { code: 'ENOSPC' });
    const open = () =>
      new Readable({
        read() {
          this.destroy(full);
        },
      });
    const pages = inTurn([pageOf('https://example.com/', [exchangeOf({ response: { body: { ...bodyOf('abc'), open } } })])]);
    await expect(buffer(openWarc({ ...base, pages }))).rejects.toMatchObject({ code: 'encode_failed' });
  });
});

it('a stream is the same from a private file', async () => {
  const parts = ['a', 'b'.repeat(100_000), 'c'].map((text) => Buffer.from(text));
  expect((await buffer(await spoolStream(Readable.from(parts, { objectMode: false })))).equals(Buffer.concat(parts))).toBe(true);
});

const CHUNK = Buffer.alloc(64 * 1024, 'some text that can be packed well ');
const CHUNKS = (300 * 1024 * 1024) / CHUNK.length;

it('a body of 300 MiB is written in bounded memory', async () => {
  // Without a digest: it is hashed first.
  const body = {
    ...bodyOf(''),
    bytes: CHUNK.length * CHUNKS,
    sha256: undefined,
    open: () => Readable.from(repeat(), { objectMode: false }),
  };
  const before = process.memoryUsage().rss;
  let [peak, written] = [before, 0];
  const write = (bytes: Buffer) => {
    written += bytes.length;
    peak = Math.max(peak, process.memoryUsage().rss);
    return Promise.resolve();
  };
  await createWarcWriter({ write, filename: 'a.warc.gz' }).exchange(exchangeOf({ response: { body } }));
  expect(written).toBeGreaterThan(100_000);
  expect(peak - before).toBeLessThan(100 * 1024 * 1024);
});

function* repeat(): Generator<Buffer> {
  for (let at = 0; at < CHUNKS; at += 1) yield CHUNK;
}
