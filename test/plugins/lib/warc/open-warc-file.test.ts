import { appendFile, mkdtemp, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createCdxIndex, openWarcFile, type WarcFile } from '../../../../plugins/lib/warc/src/index.js';
import { exchangeOf, readRecords, type Sketch, warcioLines } from './archive-fixture.js';

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-warc-'));
  const files = { file: join(folder, 'data'), journal: join(folder, 'journal'), filename: 'test.warc.gz' };
  return { files, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

async function write({ writer }: WarcFile, ...sketches: readonly Sketch[]): Promise<void> {
  for (const sketch of sketches) await writer.exchange(exchangeOf(sketch));
}

const [A, B, C] = [
  { url: 'https://example.com/a' },
  { url: 'https://example.com/ü', seconds: 1 },
  { url: 'https://example.com/c', seconds: 2 },
];

it('a WARC goes on after its last checkpoint, with what it contains', async () => {
  await using folder = await openFolder();
  let checkpoint: string;
  {
    await using first = await openWarcFile({ ...folder.files, checkpoint: undefined });
    await write(first, A);
    first.note({ title: 'Grüße' });
    checkpoint = await first.commit();
    // Never committed, as after a crash.
    await write(first, B);
    first.note({ title: 'lost' });
  }
  await appendFile(folder.files.journal, 'half a li');
  const notes: unknown[] = [];
  await using index = createCdxIndex();
  await using second = await openWarcFile({ ...folder.files, checkpoint, index, onNote: (note) => notes.push(note) });
  expect(notes).toEqual([{ title: 'Grüße' }]);
  // The same body as A: a revisit of it.
  await write(second, C);
  await second.commit();
  const bytes = await buffer(second.read());
  const records = await readRecords(bytes);
  expect(records.map(({ type, field }) => `${type} ${String(field('WARC-Target-URI'))}`)).toEqual([
    `response ${A.url}`,
    `request ${A.url}`,
    `revisit ${C.url}`,
    `request ${C.url}`,
  ]);
  expect(records[2]?.field('WARC-Refers-To')).toBe(records[0]?.field('WARC-Record-ID'));
  const lines: string[] = [];
  for await (const line of index.lines()) lines.push(line);
  expect(lines.map((line) => line.split(' ')[0])).toEqual((await warcioLines(bytes)).map((line) => line.split(' ')[0]));
  expect((await stat(folder.files.file)).mode & 0o777).toBe(0o600);
});

it('begins anew without a checkpoint', async () => {
  await using folder = await openFolder();
  for (const sketch of [A, C]) {
    await using warc = await openWarcFile({ ...folder.files, checkpoint: undefined });
    await write(warc, sketch);
    await warc.commit();
  }
  const records = await readRecords(await readFile(folder.files.file));
  expect(records.map(({ type }) => type)).toEqual(['response', 'request']);
});

it.each([
  ['is shorter', (path: string) => truncate(path, 10)],
  ['is missing', (path: string) => rm(path)],
] as const)('is not continued if its file %s', async (_what, damage) => {
  await using folder = await openFolder();
  const first = await openWarcFile({ ...folder.files, checkpoint: undefined });
  await write(first, A);
  const checkpoint = await first.commit();
  await first[Symbol.asyncDispose]();
  await damage(folder.files.file);
  await expect(openWarcFile({ ...folder.files, checkpoint })).rejects.toMatchObject({
    code: 'encode_failed',
    message: 'the archive cannot be continued: its files were changed',
  });
});
