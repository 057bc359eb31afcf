import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ResultRecord, ResultStore, StoredResult } from '@platen/server';
import { expect, it } from 'vitest';

const MIB = 1024 ** 2;

export const keyOf = (name: string) => createHash('sha256').update(name).digest('hex');

export function recordOf(name: string, body: Buffer): ResultRecord {
  return {
    key: keyOf(name),
    bytes: body.length,
    sha256: createHash('sha256').update(body).digest('hex'),
    contentType: 'image/png',
    extension: 'png',
    headers: {},
    assets: [],
    storedAt: Date.now(),
  };
}

export const put = (store: ResultStore, name: string, body: Buffer) => store.put(recordOf(name, body), body, () => true);

export async function bodyOf(stored: StoredResult | undefined): Promise<Buffer | undefined> {
  const body = stored?.open();
  return body instanceof Readable ? await buffer(body) : body;
}

/** Writes a body in two steps, as a stream does, and commits it. */
async function commit(store: ResultStore, name: string, body: Buffer, isWanted = () => true): Promise<boolean> {
  const part = await store.begin();
  const half = Math.floor(body.length / 2);
  await part.handle.write(body, half, body.length - half, half);
  await part.handle.write(body, 0, half, 0);
  const isKept = await part.commit(recordOf(name, body), isWanted);
  await part.discard();
  const read = Buffer.alloc(body.length);
  await part.handle.read(read, 0, body.length, 0);
  await part.handle.close();
  expect(read.equals(body)).toBe(true);
  return isKept;
}

/** Every store of cached results. `open` opens the same store again, as another server does. */
export function resultStoreContract(
  open: (limits?: { readonly maxBytes?: number; readonly ttlMs?: number }) => Promise<ResultStore>,
): void {
  it.each([0, 1, 1000, MIB, 3 * MIB, 9 * MIB])('returns the record and %i bytes, from memory or written in steps', async (bytes) => {
    const store = await open();
    const body = randomBytes(bytes);
    for (const way of [put, commit]) {
      expect(await way(store, way.name, body)).toBe(true);
      const found = await (await open()).find(keyOf(way.name));
      expect(found?.record).toMatchObject({ key: keyOf(way.name), bytes, contentType: 'image/png' });
      expect((await bodyOf(found))?.equals(body)).toBe(true);
    }
    expect(await store.find(keyOf('other'))).toBeUndefined();
    expect([store.entries, store.isWritable]).toEqual([2, true]);
    expect(store.bytes).toBeGreaterThan(2 * bytes);
  });

  it('closes a body that is not read', async () => {
    const store = await open();
    const body = randomBytes(3 * MIB);
    await put(store, 'a', body);
    await (await store.find(keyOf('a')))?.close();
    expect((await bodyOf(await store.find(keyOf('a'))))?.equals(body)).toBe(true);
  });

  it.each([put, commit])('replaces a result, and stores none that is too large or no longer wanted: $name', async (way) => {
    const store = await open({ maxBytes: MIB });
    expect(await way(store, 'a', Buffer.from('first'))).toBe(true);
    expect(await way(store, 'a', Buffer.from('second'))).toBe(true);
    expect(await way(store, 'a', randomBytes(MIB))).toBe(false);
    const third = recordOf('a', Buffer.from('third'));
    expect(await store.put(third, Buffer.from('third'), () => false)).toBe(false);
    expect(String(await bodyOf(await store.find(keyOf('a'))))).toBe('second');
    expect(store.entries).toBe(1);
  });

  it('removes one result or all, for other servers too', async () => {
    const [one, two] = [await open(), await open()];
    for (const name of ['a', 'b', 'c']) await put(one, name, Buffer.from(name));
    expect(String(await bodyOf(await two.find(keyOf('a'))))).toBe('a');
    expect([await two.remove(keyOf('a')), await one.remove(keyOf('a'))]).toEqual([true, false]);
    expect(await one.find(keyOf('a'))).toBeUndefined();
    expect([await two.clear(), await one.clear()]).toEqual([true, false]);
    expect(await one.find(keyOf('b'))).toBeUndefined();
  });
}
