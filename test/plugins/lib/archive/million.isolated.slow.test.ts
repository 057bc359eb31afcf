import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { openArchive } from '@platen/lib-archive';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addFile, streamZip } from '../../../../plugins/output/wacz/src/zip-stream.js';
import { never, packed, record } from './archive-files.js';

const RECORDS = 1_000_000;
const urlOf = (at: number) => `https://site.test/page/${String(at).padStart(7, '0')}?sort=up&id=${String(at)}`;

/** An index in blocks: 300 MB of lines, under keys of ours or of another program. */
function* blocks(keyOf: (at: number) => string): Generator<Buffer> {
  for (let first = 0; first < RECORDS; first += 1000) {
    const lines = Array.from({ length: 1000 }, (_, at) => {
      const digest = `sha256:${createHash('sha256')
        .update(String(first + at))
        .digest('hex')}`;
      const fields = {
        url: urlOf(first + at),
        mime: 'text/html',
        status: '200',
        digest,
        length: '200',
        offset: '0',
        filename: 'data.warc.gz',
      };
      return `${keyOf(first + at)} 20260102120000 ${JSON.stringify(fields)}\n`;
    });
    yield gzipSync(lines.join(''), { level: 1 });
  }
}

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

it.each<readonly [string, (at: number) => string]>([
  ['ours', (at) => `test,site)/page/${String(at).padStart(7, '0')}?id=${String(at)}&sort=up`],
  ['of another program, and not sorted', (at) => `test,site)/${String((at * 7919) % RECORDS)}`],
])(
  'opens a million records in bounded memory, with keys %s',
  async (_, keyOf) => {
    const file = join(folder, 'million.wacz');
    const zip = streamZip(async (writer) => {
      await addFile(writer, 'archive/data.warc.gz', [packed(record({ url: urlOf(777_777), body: 'found' }))]);
      await addFile(writer, 'indexes/index.cdx.gz', blocks(keyOf));
    });
    await pipeline(zip, createWriteStream(file));
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
    const archive = await openArchive(file, { signal: never });
    clearInterval(watch);
    try {
      const found = await archive.find({ method: 'GET', url: urlOf(777_777), match: 'exact' }, never);
      expect((await found?.response.body({ signal: never, maxBytes: 100 }))?.toString()).toBe('found');
      expect(await archive.find({ method: 'GET', url: 'https://site.test/absent', match: 'fuzzy' }, never)).toBeUndefined();
      expect(await archive.alike(urlOf(777_777), never)).toContain(urlOf(777_777));
    } finally {
      await archive.close();
    }
    expect(peak - before).toBeLessThan(300 * 1024 * 1024);
  },
  600_000,
);
