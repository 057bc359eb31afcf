import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import type { BodyHandle } from '@platen/server';
import { AppendOnlyBody } from '../../../../plugins/service/cache/src/append-only-body.js';
import { closeAll, makeFolder } from './cached-server.js';

afterEach(closeAll);

const MIB = 1024 ** 2;
const stays = new AbortController().signal;

/** A file on a disk that is full after so many bytes. */
async function openOnFullDisk(room: number): Promise<BodyHandle> {
  const handle = await open(join(await makeFolder(), 'body'), 'wx+');
  return {
    read: (bytes, offset, length, position) => handle.read(bytes, offset, length, position),
    async write(bytes, offset, length, position) {
      const fits = Math.min(length, room - position);
      if (fits <= 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      return await handle.write(bytes, offset, fits, position);
    },
    close: () => handle.close(),
  };
}

/** Different everywhere, so that no two places can be mistaken for one another. */
const film = Buffer.from(Uint32Array.from({ length: (24 * MIB) / 4 }, (_, at) => at).buffer);

async function* inPieces(): AsyncGenerator<Buffer> {
  for (let at = 0; at < film.length; at += 100_000) yield await Promise.resolve(film.subarray(at, at + 100_000));
}

describe('a disk that is full', () => {
  it.each([0, 1, 250_000, 10 * MIB + 1])('after %i bytes: every reader gets the whole body, and nothing is kept', async (room) => {
    const told: unknown[] = [];
    const growing = new AppendOnlyBody({ handle: await openOnFullDisk(room), maxBytes: Infinity, onSpilled: (error) => told.push(error) });
    const readers = [growing.read(stays), growing.read(stays)];
    const filling = growing.fill(Readable.from(inPieces(), { objectMode: false }), stays);
    const bodies = await Promise.all(readers.map((reader) => buffer(reader)));
    await filling;
    expect(bodies.map((body) => body.equals(film))).toEqual([true, true]);
    expect(growing.whole).toBeUndefined();
    expect(told).toEqual([expect.objectContaining({ code: 'ENOSPC' })]);
    await growing.close();
  });

  it('a reader that stands still holds the source back, within bounds, until it leaves', async () => {
    const growing = new AppendOnlyBody({ handle: undefined, maxBytes: Infinity, onSpilled: () => undefined });
    const leaving = new AbortController();
    const still = growing.read(leaving.signal);
    const reader = growing.read(stays);
    let taken = 0;
    async function* source() {
      for await (const piece of inPieces()) {
        taken += piece.length;
        yield piece;
      }
    }
    const filling = growing.fill(Readable.from(source(), { objectMode: false, highWaterMark: 1 }), stays);
    const body = buffer(reader);
    await expect(Promise.race([body, untilStill(() => taken)])).resolves.toBe('still');
    expect(taken).toBeLessThan(8 * MIB);
    leaving.abort();
    expect(still.destroyed).toBe(true);
    expect((await body).equals(film)).toBe(true);
    await filling;
  });
});

it('who wants it no more ends it: the source is let go', async () => {
  const growing = new AppendOnlyBody({ handle: await openOnFullDisk(Infinity), maxBytes: Infinity, onSpilled: () => undefined });
  const unwanted = new AbortController();
  const source = new PassThrough();
  const filling = growing.fill(source, unwanted.signal);
  const reader = growing.read(unwanted.signal);
  source.write('begin');
  unwanted.abort(new Error('nobody is left'));
  await expect(filling).rejects.toThrow('nobody is left');
  expect([source.destroyed, reader.destroyed]).toEqual([true, true]);
  await growing.close();
});

/** Resolves once a number has not changed over many turns of the event loop. */
async function untilStill(read: () => number): Promise<'still'> {
  for (let turns = 0, last = -1; turns < 500; turns += 1) {
    if (read() !== last) turns = 0;
    last = read();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return 'still';
}
