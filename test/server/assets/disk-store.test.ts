import { mkdir, mkdtemp, readdir, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { silentLogger, partialPath } from '@platen/kernel';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DiskStore, type DiskStoreOptions } from '../../../server/src/assets/disk-store.js';
import { findIn, HEAD, signal } from './asset-store-contract.js';

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'platen-test-'));
  folder = join(parent, 'assets');
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(parent, { recursive: true });
});

function open(options: Partial<DiskStoreOptions> = {}) {
  const store = new DiskStore({ folders: [folder], lifetimeSeconds: 60, maxBytes: 1000, log: silentLogger, ...options });
  const keep = async (body: string) => {
    const asset = await store.put(HEAD, Readable.from([Buffer.from(body)]), signal);
    await store.publish([asset], () => 'page.har');
    return asset;
  };
  return Object.assign(store, { keep });
}

describe('DiskStore', () => {
  it('is for its user alone', async () => {
    await mkdir(folder, { mode: 0o755 });
    await open().keep('x');
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o077).toBe(0);
  });

  it('takes the next folder where the first cannot be had, and no link in place of one', async () => {
    await writeFile(join(parent, 'file'), '');
    await symlink(parent, join(parent, 'link'));
    await open({ folders: [join(parent, 'file', 'assets'), join(parent, 'link'), folder] }).keep('x');
    expect((await readdir(folder)).length).toBeGreaterThan(0);
    expect((await readdir(parent)).sort()).toEqual(['assets', 'file', 'link']);
  });

  it('rejects where no folder can be had, and tries again the next time', async () => {
    await writeFile(join(parent, 'file'), '');
    const store = open({ folders: [join(parent, 'file', 'assets')] });
    await expect(store.put(HEAD, Buffer.from('x'), signal)).rejects.toThrow();
    await rm(join(parent, 'file'));
    await expect(store.put(HEAD, Buffer.from('x'), signal)).resolves.toMatchObject({ bytes: 1 });
  });

  it('leaves nothing of an asset whose source fails, whose render ends, or that is discarded', async () => {
    const store = open();
    const failing = new Readable({ read: () => undefined });
    failing.push('half');
    const putting = store.put(HEAD, failing, signal);
    failing.destroy(new Error('the source failed'));
    await expect(putting).rejects.toThrow();
    const controller = new AbortController();
    const endless = store.put(HEAD, new Readable({ read: () => undefined }), controller.signal);
    controller.abort(new Error('left'));
    await expect(endless).rejects.toThrow();
    await store.discard([await store.put(HEAD, Buffer.from('x'), signal)]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('refuses an asset larger than all that it may keep, before it is whole on the disk', async () => {
    const store = open({ maxBytes: 10 });
    let given = 0;
    const large = new Readable({
      read() {
        given += 1;
        this.push(Buffer.alloc(8));
      },
    });
    await expect(store.put(HEAD, large, signal)).rejects.toMatchObject({ code: 'payload_too_large' });
    expect(given).toBeLessThan(10_000);
    expect(await readdir(folder)).toEqual([]);
  });

  it('ends the oldest assets before their time where they would grow past the bound together', async () => {
    const store = open({ maxBytes: 10 });
    const [first, second, third] = [await store.keep('aaaa'), await store.keep('bbbb'), await store.keep('cccc')];
    expect(await store.find(first.id)).toBe('expired');
    for (const { id } of [second, third]) expect(await store.find(id)).toMatchObject({ asset: { id } });
  });

  it('counts what is being written: an asset that would pass the bound together with another is refused, and its room is free again', async () => {
    const store = open({ maxBytes: 10 });
    const published = await store.keep('pppp');
    const first = new Readable({ read: () => undefined });
    const putting = store.put(HEAD, first, signal);
    first.push('ffffff');
    const written = async () => {
      const names = (await readdir(folder)).filter((name) => !name.includes('.json'));
      const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
      return sizes.reduce((sum, size) => sum + size, 0);
    };
    await vi.waitFor(async () => expect(await written()).toBe(10));
    await expect(store.put(HEAD, Buffer.from('sssss'), signal)).rejects.toMatchObject({
      code: 'payload_too_large',
      message: 'this asset and others that are being written are larger than 10 bytes, the limit of the asset store',
    });
    // It would have been in vain.
    expect(await store.find(published.id)).toMatchObject({ asset: { id: published.id } });
    expect(await store.put(HEAD, Buffer.from('tttt'), signal)).toMatchObject({ bytes: 4 });
    expect(await store.find(published.id)).toBe('expired');
    expect(await written()).toBe(10);
    first.push(null);
    expect(await putting).toMatchObject({ bytes: 6 });
  });

  it('of several that pass the bound only together, some are kept', async () => {
    const store = open({ maxBytes: 10 });
    const sources = [1, 2, 3].map(() => new Readable({ read: () => undefined }));
    const putting = sources.map((source) => store.put(HEAD, source, signal));
    for (let turn = 0; turn < 4; turn++) for (const source of sources) source.push('x');
    for (const source of sources) source.push(null);
    const settled = await Promise.allSettled(putting);
    const bytes = settled.map((one) => (one.status === 'fulfilled' ? one.value.bytes : 0));
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBe(8);
  });

  it('L6: an asset expires after its lifetime, is removed when due, and is known as expired for a day', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const store = open();
    const { id } = await store.keep('x');
    vi.setSystemTime(Date.now() + 59_000);
    expect(await store.find(id)).toMatchObject({ asset: { id } });
    vi.setSystemTime(Date.now() + 1000);
    expect(await store.find(id)).toBe('expired');
    await store.sweep();
    expect(await readdir(folder)).toEqual([`${id}.json`]);
    expect(await store.find(id)).toBe('expired');
    vi.setSystemTime(Date.now() + 25 * 3600_000);
    await store.sweep();
    expect(await readdir(folder)).toEqual([]);
    expect(await store.find(id)).toBeUndefined();
    store.close();
  });

  it('sweeps by itself when the first asset is due', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const store = open();
    const { id } = await store.keep('x');
    vi.advanceTimersByTime(60_000);
    await vi.waitFor(async () => {
      expect(await readdir(folder)).toEqual([`${id}.json`]);
    });
    store.close();
  });

  it('a server started later finds what is still good, in the same folder', async () => {
    const asset = await open().keep('still here');
    const store = open();
    await store.sweep();
    expect(await text((await findIn(store, asset.id)).asset.open())).toBe('still here');
    store.close();
  });

  it('a server that was killed at any moment leaves no half asset to be found, and its remains are swept', async () => {
    const asset = await open().keep('whole');
    const dead = 2 ** 22 - 1;
    const orphan = 'A'.repeat(22);
    const partOfDead = (name: string) => partialPath(join(folder, name)).replace(`.${String(process.pid)}-`, `.${String(dead)}-`);
    await writeFile(partOfDead('B'.repeat(22)), 'half');
    await writeFile(partOfDead(`${'C'.repeat(22)}.json`), '{"id"');
    const elsewhere = `${'E'.repeat(22)}.${String(dead)}-1.part`;
    await writeFile(join(folder, elsewhere), 'being written in another container');
    await writeFile(join(folder, orphan), 'no record');
    const own = partialPath(join(folder, 'D'.repeat(22)));
    await writeFile(own, 'being written');
    await truncate(join(folder, asset.id), 2);
    const store = open();
    await store.sweep();
    expect(await store.find(orphan)).toBeUndefined();
    expect(await store.find(asset.id)).toBe('expired');
    const hour = new Date(Date.now() - 2 * 3600_000);
    await utimes(join(folder, orphan), hour, hour);
    await store.sweep();
    expect((await readdir(folder)).sort()).toEqual([asset.id, `${asset.id}.json`, basename(own), elsewhere].sort());
    store.close();
  });
});
