import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { until } from '../../../helpers/until.js';
import { createSpool } from '../../../../plugins/lib/spool/src/index.js';

const block = (index: number, size = 100_000) => Buffer.alloc(size, `${String(index)} `);

describe('a spool', () => {
  it('gives back each sequence, however they came in turns, from memory and from disk', async () => {
    await using spool = createSpool({ memoryBytes: 300_000 });
    const writers = [0, 1, 2].map(() => spool.openWriter());
    for (let turn = 0; turn < 10; turn += 1)
      writers.forEach((writer, index) => expect(writer.write(block(index, 10_000 + turn))).toBe(true));
    for (const writer of writers) writer.end();
    for (const [index, writer] of writers.entries()) {
      const expected = Buffer.concat(Array.from({ length: 10 }, (_, turn) => block(index, 10_000 + turn)));
      expect(writer.bytes).toBe(expected.length);
      expect((await buffer(writer.open())).equals(expected)).toBe(true);
      expect((await buffer(writer.open())).equals(expected)).toBe(true);
    }
  });

  it('reads what there is while more comes', async () => {
    await using spool = createSpool({ memoryBytes: 0 });
    const writer = spool.openWriter();
    writer.write(block(1));
    const open = writer.open();
    writer.write(block(2));
    expect((await buffer(open)).subarray(0, 100_000).equals(block(1))).toBe(true);
    expect((await buffer(writer.open())).equals(Buffer.concat([block(1), block(2)]))).toBe(true);
  });

  it('keeps its own copy: what the writer was given may be used again', async () => {
    await using spool = createSpool();
    const writer = spool.openWriter();
    const given = Buffer.from('first');
    writer.write(given);
    given.fill('x');
    expect((await buffer(writer.open())).toString()).toBe('first');
  });

  it('says so where the disk does not keep up', async () => {
    await using spool = createSpool({ memoryBytes: 0, pendingBytes: 150_000 });
    const writer = spool.openWriter();
    const taken = [1, 2, 3].map((index) => writer.write(block(index)));
    expect(taken).toEqual([true, true, false]);
    expect(await buffer(writer.open())).toHaveLength(200_000);
  });

  it('leaves no file with a name', async () => {
    const mine = async () => (await readdir(tmpdir())).filter((name) => name.startsWith(`platen-spool-${String(process.pid)}-`));
    await using spool = createSpool({ memoryBytes: 0 });
    const writer = spool.openWriter();
    writer.write(block(1));
    writer.end();
    await buffer(writer.open());
    await until(async () => (await mine()).length === 0);
    expect((await buffer(writer.open())).equals(block(1))).toBe(true);
  });

  it('takes nothing once it is disposed of', async () => {
    const spool = createSpool({ memoryBytes: 0 });
    const writer = spool.openWriter();
    await spool[Symbol.asyncDispose]();
    writer.write(block(1));
    expect(writer.write(block(2))).toBe(false);
  });
});
