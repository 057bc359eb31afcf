import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { silentLogger, partialPath } from '@platen/kernel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EntryStore } from '../../../../plugins/service/cache/src/entry-store.js';
import { until } from '../../../helpers/until.js';
import { closeAll, makeFolder, openCached, renderedAs } from './cached-server.js';
import { bodyOf, keyOf, put, resultStoreContract } from './result-store-contract.js';

afterEach(closeAll);

const MIB = 1024 ** 2;
const HOUR_MS = 3_600_000;

async function openStore(folder: string, options: { readonly maxBytes?: number; readonly ttlMs?: number } = {}): Promise<EntryStore> {
  const store = new EntryStore({ folder, maxBytes: 1024 * MIB, ttlMs: HOUR_MS, log: silentLogger, ...options });
  await store.sweep();
  return store;
}

async function sizeOf(folder: string): Promise<number> {
  const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((total, size) => total + size, 0);
}

describe('the disk store', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await makeFolder();
  });
  resultStoreContract((limits) => openStore(folder, limits));
});

describe('--server-cache-size-limit', () => {
  it('the oldest go, to the byte: bodies and records are counted', async () => {
    const folder = await makeFolder();
    const bodies = ['a', 'b', 'c'].map((name) => Buffer.alloc(10_000, name));
    const probe = await openStore(folder);
    await put(probe, 'a', Buffer.alloc(10_000, 'a'));
    const each = await sizeOf(folder);
    expect(probe.bytes).toBe(each);
    const names = async (maxBytes: number) => {
      const store = await openStore(folder, { maxBytes });
      for (const [at, body] of bodies.entries()) await put(store, ['a', 'b', 'c'][at] ?? '', body);
      expect(store.bytes).toBe(await sizeOf(folder));
      const found = await Promise.all(['a', 'b', 'c'].map((name) => store.find(keyOf(name))));
      return found.map((entry) => entry !== undefined);
    };
    expect(await names(3 * each)).toEqual([true, true, true]);
    expect(await names(3 * each - 1)).toEqual([false, true, true]);
    expect(await names(each)).toEqual([false, false, true]);
    expect(await names(each - 1)).toEqual([false, false, false]);
  });

  it('one that is replaced counts once, and is the youngest then; one that is too large drives nobody out', async () => {
    const folder = await makeFolder();
    const store = await openStore(folder, { maxBytes: 25_000 });
    await put(store, 'a', Buffer.alloc(10_000, 'a'));
    await put(store, 'b', Buffer.alloc(10_000, 'b'));
    await put(store, 'a', Buffer.alloc(10_000, 'A'));
    expect(await put(store, 'large', Buffer.alloc(25_000))).toBe(false);
    expect(store.bytes).toBe(await sizeOf(folder));
    await put(store, 'c', Buffer.alloc(10_000, 'c'));
    expect(await store.find(keyOf('b'))).toBeUndefined();
    expect((await bodyOf(await store.find(keyOf('a'))))?.[0]).toBe('A'.charCodeAt(0));
  });

  it('a start with a smaller limit makes room, oldest first', async () => {
    const folder = await makeFolder();
    const before = await openStore(folder);
    for (const [at, name] of ['old', 'older', 'young'].entries()) {
      await put(before, name, Buffer.alloc(10_000));
      const minutes = [10, 20, 0][at] ?? 0;
      const when = new Date(Date.now() - minutes * 60_000);
      await utimes(join(folder, keyOf(name)), when, when);
    }
    const store = await openStore(folder, { maxBytes: 25_000 });
    expect(await store.find(keyOf('older'))).toBeUndefined();
    expect(await bodyOf(await store.find(keyOf('old')))).toHaveLength(10_000);
  });
});

describe('--server-cache-ttl', () => {
  it('what is due is swept, and so is what a server that was killed left; nothing else is touched', async () => {
    const folder = await makeFolder();
    const store = await openStore(folder, { ttlMs: 1000 });
    await put(store, 'a', Buffer.from('a'));
    const own = partialPath(join(folder, 'y'));
    await writeFile(own, 'under way');
    await writeFile(own.replace(`.${String(process.pid)}-`, '.999999999-'), 'half');
    await writeFile(join(folder, 'notes.txt'), "somebody's");
    const past = new Date(Date.now() - 2000);
    await utimes(join(folder, keyOf('a')), past, past);
    await store.sweep();
    expect((await readdir(folder)).sort()).toEqual(['notes.txt', basename(own)]);
    expect(store.bytes).toBe(0);
  });

  it('what a server of another container writes is left alone, whatever its number, until it has rested for an hour', async () => {
    const folder = await makeFolder();
    const store = await openStore(folder);
    await writeFile(join(folder, 'x.999999999-1.part'), 'under way elsewhere');
    await writeFile(join(folder, 'y.999999999-1.part'), 'left elsewhere');
    const past = new Date(Date.now() - 3_601_000);
    await utimes(join(folder, 'y.999999999-1.part'), past, past);
    await store.sweep();
    expect(await readdir(folder)).toEqual(['x.999999999-1.part']);
  });
});

describe('a damaged entry', () => {
  // Small bodies are checked before they are sent, large ones while they are.
  it.each([
    ['small', 40],
    ['large', 2 * MIB],
  ] as const)('%s: a flipped byte, wherever it is, is never served whole, and the entry goes', async (_name, bytes) => {
    const folder = await makeFolder();
    const body = Buffer.alloc(bytes, 'platen');
    const path = join(folder, keyOf('a'));
    await put(await openStore(folder), 'a', body);
    const good = await readFile(path);
    const trailer = Array.from({ length: good.length - bytes }, (_, at) => bytes + at);
    const places = bytes === 40 ? good.keys() : [0, 1000, MIB, bytes - 1, ...trailer.filter((at) => at % 23 === 0)];
    for (const at of places) {
      const bad = Buffer.from(good);
      bad.writeUInt8((bad[at] ?? 0) ^ 1, at);
      await writeFile(path, bad);
      const store = await openStore(folder);
      const served = await store
        .find(keyOf('a'))
        .then(bodyOf)
        .catch(() => 'broken');
      expect(served === undefined || served === 'broken', `byte ${String(at)}`).toBe(true);
      expect(await store.find(keyOf('a'))).toBeUndefined();
      expect(store.bytes).toBe(0);
    }
    await writeFile(path, good);
    expect(await bodyOf(await (await openStore(folder)).find(keyOf('a')))).toEqual(body);
  });

  it('cut off, empty, grown, or of another name: the same', async () => {
    const folder = await makeFolder();
    const path = join(folder, keyOf('a'));
    await put(await openStore(folder), 'a', Buffer.from('a body'));
    const good = await readFile(path);
    for (const bad of [good.subarray(0, -1), good.subarray(1), Buffer.alloc(0), Buffer.concat([good, good]), good.subarray(0, 10)]) {
      await writeFile(path, bad);
      expect(await (await openStore(folder)).find(keyOf('a'))).toBeUndefined();
    }
    await writeFile(join(folder, keyOf('b')), good);
    expect(await (await openStore(folder)).find(keyOf('b'))).toBeUndefined();
  });

  it('is rendered anew: a small one in the same answer, a large one with the next, after a broken connection', async () => {
    let body = Buffer.from('small');
    const server = await openCached({ render: () => renderedAs(body) });
    const damage = async () => {
      await until(async () => (await server.files()).filter((file) => !file.endsWith('.part')).length === 1);
      const [path = ''] = await server.files();
      const bytes = await readFile(path);
      bytes.writeUInt8((bytes[0] ?? 0) ^ 1, 0);
      await writeFile(path, bytes);
    };
    await server.get('url=http://a.test/');
    await damage();
    expect(await (await server.get('url=http://a.test/')).text()).toBe('small');
    expect(server.renders()).toBe(2);
    await server.get('', { method: 'DELETE' });
    body = Buffer.alloc(3 * MIB, 'large');
    await server.get('url=http://a.test/');
    await damage();
    const whole = async () => Buffer.from(await (await server.get('url=http://a.test/')).arrayBuffer());
    await expect(whole()).rejects.toThrow();
    expect((await whole()).equals(body)).toBe(true);
    expect(server.renders()).toBe(4);
  });
});

describe('several servers on one folder', () => {
  it('serve what another has kept, and no more what another has purged or replaced', async () => {
    const folder = await makeFolder();
    const [one, two] = [await openStore(folder), await openStore(folder)];
    await put(one, 'a', Buffer.from('first'));
    expect(String(await bodyOf(await two.find(keyOf('a'))))).toBe('first');
    await put(two, 'a', Buffer.from('other'));
    expect(String(await bodyOf(await one.find(keyOf('a'))))).toBe('other');
    expect(await one.remove(keyOf('a'))).toBe(true);
    expect(await two.find(keyOf('a'))).toBeUndefined();
    expect(await two.remove(keyOf('a'))).toBe(false);
    expect([one.bytes, two.bytes]).toEqual([0, 0]);
  });

  it('count what others have added with the next sweep', async () => {
    const folder = await makeFolder();
    const [one, two] = [await openStore(folder, { maxBytes: 25_000 }), await openStore(folder, { maxBytes: 25_000 })];
    await put(one, 'a', Buffer.alloc(10_000));
    await put(one, 'b', Buffer.alloc(10_000));
    await put(two, 'c', Buffer.alloc(10_000));
    await two.sweep();
    expect(two.bytes).toBeLessThanOrEqual(25_000);
    expect(await sizeOf(folder)).toBe(two.bytes);
  });
});

it('a folder that goes while the server runs, and cannot be made again, costs the cache, not the answers', async () => {
  const server = await openCached({ render: () => renderedAs(Readable.from([Buffer.alloc(2 * MIB, 1)], { objectMode: false })) });
  await (await server.get('url=http://a.test/')).arrayBuffer();
  await server.kept(1);
  await rm(server.folder, { recursive: true });
  await writeFile(server.folder, 'in the way');
  for (let time = 0; time < 2; time += 1) {
    const answer = await server.get('url=http://a.test/');
    expect(answer.headers.get('cache-status')).toBe('platen; fwd=uri-miss');
    expect((await answer.arrayBuffer()).byteLength).toBe(2 * MIB);
  }
  await rm(server.folder);
});
