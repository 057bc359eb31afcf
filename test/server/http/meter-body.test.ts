import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createBodyBudget } from '../../../server/src/http/body-budget.js';
import { meterBody } from '../../../server/src/http/meter-body.js';

const MIB = 1024 * 1024;

/** A request as far as its body is concerned. */
function bodyOf(headers: IncomingMessage['headers']) {
  const wire = new PassThrough();
  const share = createBodyBudget(200 * MIB).open();
  const grow = vi.spyOn(share, 'grow');
  const body = meterBody(Object.assign(wire, { headers }) as unknown as IncomingMessage, { limit: 20 * MIB, share });
  return { wire, body, taken: () => grow.mock.calls.reduce((sum, [bytes]) => sum + bytes, 0) };
}

describe('a body', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    ['gzip', gzipSync],
    ['X-Gzip', gzipSync],
    ['', (text: string) => Buffer.from(text)],
    ['br', brotliCompressSync],
  ])('in %s is inflated, and takes as much as it inflates to', async (coding, compress) => {
    const { wire, body, taken } = bodyOf({ 'content-encoding': coding });
    wire.end(compress('a'.repeat(100_000)));
    expect((await buffer(body)).toString()).toBe('a'.repeat(100_000));
    expect(taken()).toBe(100_000);
  });

  it('that inflates a thousandfold is refused past 8 MiB, before it is whole', async () => {
    const { wire, body, taken } = bodyOf({ 'content-encoding': 'gzip' });
    wire.write(gzipSync(Buffer.alloc(19 * MIB)).subarray(0, -9));
    await expect(buffer(body)).rejects.toMatchObject({
      code: 'payload_too_large',
      message: expect.stringContaining('100 times') as string,
    });
    expect(taken()).toBeLessThan(9 * MIB);
  });

  it('larger than its limit is refused, by its word or by its length', async () => {
    expect(() => bodyOf({ 'content-length': String(20 * MIB + 1) })).toThrow(expect.objectContaining({ code: 'payload_too_large' }));
    const { wire, body } = bodyOf({});
    wire.end(Buffer.alloc(20 * MIB + 1));
    await expect(buffer(body)).rejects.toMatchObject({ code: 'payload_too_large' });
  });

  it('that does not come on is given up, unless it is small', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const small = bodyOf({});
    const large = bodyOf({});
    small.wire.write(Buffer.alloc(1000));
    large.wire.write(Buffer.alloc(MIB));
    const failed = once(large.body, 'error') as Promise<[unknown]>;
    for (const { body } of [small, large]) body.resume();
    await vi.waitFor(() => {
      expect(small.taken() + large.taken()).toBe(MIB + 1000);
    });
    vi.advanceTimersByTime(20_000);
    large.wire.write(Buffer.alloc(1000));
    await vi.waitFor(() => {
      expect(large.taken()).toBe(MIB + 1000);
    });
    expect(large.body.destroyed).toBe(false);
    vi.advanceTimersByTime(20_000);
    expect((await failed)[0]).toMatchObject({ code: 'request_timeout' });
    expect(small.body.destroyed).toBe(false);
    small.body.destroy();
    expect(vi.getTimerCount()).toBe(0);
  });

  /** Writes a piece in each 20 seconds, once so many bytes are read; answers whether the body is still read after the last of them. */
  async function outlasts(headers: IncomingMessage['headers'], pieces: readonly (readonly [Buffer, number])[]): Promise<boolean> {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { wire, body, taken } = bodyOf(headers);
    body.on('error', () => undefined).resume();
    for (const [piece, length] of pieces) {
      wire.write(piece);
      await vi.waitFor(() => {
        expect(taken()).toBeGreaterThanOrEqual(length);
      });
      vi.advanceTimersByTime(20_000);
    }
    const lasts = !body.destroyed;
    body.destroy();
    return lasts;
  }

  const KIB = 1024;
  it.each([
    ['lacks little, and the time for it is there', 'content-length', 8 * MIB, [7 * MIB, 100 * KIB, 100 * KIB], true],
    ['lacks more than the time that is left is enough for', 'content-length', 8 * MIB, [4 * MIB, 200 * KIB], false],
    ['stands still', 'content-length', 8 * MIB, [7 * MIB, 0], false],
    ['lacks nothing', 'content-length', 7 * MIB, [7 * MIB, 0, 0], true],
    ['has no known length and comes on', 'transfer-encoding', 'chunked', [7 * MIB, 5 * KIB, 5 * KIB], true],
    ['has no known length and nearly stands still', 'transfer-encoding', 'chunked', [7 * MIB, 4 * KIB], false],
  ])('that %s is judged by that', async (_, header, value, sizes, lasts) => {
    let length = 0;
    const pieces = sizes.map((size) => [Buffer.alloc(size), (length += size)] as const);
    expect(await outlasts({ [header]: String(value) }, pieces)).toBe(lasts);
  });

  it('that is compressed is limited by its compressed size', async () => {
    const packed = gzipSync(Buffer.concat([Buffer.alloc(2 * MIB), randomBytes(90 * KIB)]));
    const pieces = [12 * KIB, 42 * KIB, 72 * KIB].map((end, at) => {
      return [packed.subarray(at === 0 ? 0 : end - 30 * KIB, end), 2 * MIB + end - 4 * KIB] as const;
    });
    expect(await outlasts({ 'content-encoding': 'gzip', 'content-length': String(packed.length) }, pieces)).toBe(true);
  });
});
