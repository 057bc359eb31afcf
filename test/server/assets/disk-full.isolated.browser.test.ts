import { mkdirSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { silentLogger } from '@platen/kernel';
import { createServer } from '@platen/server';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DiskStore } from '../../../server/src/assets/disk-store.js';
import { mountSmallDisk, NEEDS_MOUNT, type SmallDisk } from '../../helpers/small-disk.js';
import { ACTED, acting, openHarProber, readHar } from '../../plugins/capture/network/har-prober.js';
import { openTrafficSite } from '../../plugins/capture/network/traffic-site.js';

const DISK_BYTES = 128 * 1024;
const HEAD = { name: 'har', contentType: 'application/json', extension: 'har' };
const { signal } = new AbortController();

const probe = mountSmallDisk(DISK_BYTES);
probe?.[Symbol.dispose]();

describe.skipIf(probe === undefined)(`a full disk (${NEEDS_MOUNT})`, () => {
  let disk: SmallDisk;
  let folder: string;
  const prober = openHarProber();
  beforeEach(() => {
    const mounted = mountSmallDisk(DISK_BYTES);
    if (mounted === undefined) throw new Error(NEEDS_MOUNT);
    disk = mounted;
    folder = join(disk.path, 'assets');
    mkdirSync(folder);
  });
  afterEach(() => {
    vi.useRealTimers();
    disk[Symbol.dispose]();
  });
  afterAll(() => prober[Symbol.asyncDispose]());

  const openStore = () => new DiskStore({ folders: [folder], lifetimeSeconds: 60, maxBytes: 2 ** 30, log: silentLogger });

  it('takes no asset that does not fit, leaves nothing of it, and takes the next that does', async () => {
    const store = openStore();
    await expect(store.put(HEAD, Buffer.alloc(2 * DISK_BYTES), signal)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await readdir(folder)).toEqual([]);
    await expect(store.put(HEAD, Buffer.alloc(4096), signal)).resolves.toMatchObject({ bytes: 4096 });
  });

  it('takes no asset whose record would not fit, so that publishing needs no room', async () => {
    const store = openStore();
    await disk.fillTo(8192);
    await expect(store.put(HEAD, Buffer.alloc(8192), signal)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await readdir(folder)).toEqual([]);
    const asset = await store.put(HEAD, Buffer.alloc(4096, 'x'), signal);
    await expect(store.put(HEAD, Buffer.from('y'), signal)).rejects.toMatchObject({ code: 'ENOSPC' });
    await store.publish([asset], () => 'page.har');
    const found = await openStore().find(asset.id);
    if (found === undefined || found === 'expired') throw new Error('the asset is not there');
    expect(await text(found.asset.open())).toBe('x'.repeat(4096));
    store.close();
  });

  it('renews no lifetime, and says so to nobody but the log: the asset keeps the one that it has', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const store = openStore();
    const asset = await store.put(HEAD, Buffer.from('x'), signal);
    const [first] = await store.publish([asset], () => 'page.har');
    await disk.fillTo(0);
    vi.setSystemTime(Date.now() + 30_000);
    const [again] = await store.publish([asset], () => 'page.har');
    expect(again?.expiresAt).toEqual(first?.expiresAt);
    await rm(join(disk.path, 'filler'));
    const [renewed] = await store.publish([asset], () => 'page.har');
    expect(renewed?.expiresAt.getTime()).toBe(Date.now() + 60_000);
    store.close();
  });

  it('a render answers, says which asset is missing and why, and the next render has it', async () => {
    await using site = await openTrafficSite({
      '/': acting(`await (await fetch('/large')).text()`),
      '/large': (_request, response) => response.setHeader('content-type', 'text/plain').end('x'.repeat(2 * DISK_BYTES)),
    });
    const { kernel } = prober.host;
    const server = createServer({ kernel, log: silentLogger, flags: { 'server-bind-port': 0 }, assetFolders: [folder] });
    const base = await server.listen();
    try {
      const get = (params: Readonly<Record<string, string>>) =>
        fetch(
          `${base}/?${new URLSearchParams({ url: site.url('/'), output_type: 'har', har_capture_bodies: 'false', with_har: 'true', ...ACTED, timeout: '20', ...params }).toString()}`,
        );
      const without = await get({ har_capture_bodies: 'true', with_network_log: 'true' });
      expect([without.status, without.headers.get('x-missing-assets')]).toEqual([200, 'har;reason="the disk is full"']);
      const links = without.headers.get('link') ?? '';
      expect(links).toMatch(/^<[^>]*>; rel="related"; type="application\/x-ndjson"; title="network_log"$/);
      expect(((await without.json()) as { log: object }).log).toHaveProperty('version', '1.2');
      const left = await readdir(folder);
      expect(left.filter((name) => name.includes('.part'))).toEqual([]);
      expect(left).toHaveLength(2);

      const next = await get({});
      expect([next.status, next.headers.get('x-missing-assets')]).toEqual([200, null]);
      const link = /<([^>]*)>/.exec(next.headers.get('link') ?? '')?.[1] ?? '';
      expect(await (await fetch(base + link)).json()).toHaveProperty('log');
    } finally {
      await server.close(0);
    }
  });

  it('where recordings are written costs the recording that does not fit, and nothing else', async () => {
    await using site = await openTrafficSite({
      '/': acting(`for (let n = 0; n < 60; n++) await Promise.all(Array.from({ length: 10 }, (_, m) => fetch('/json?' + n + '-' + m)))`),
    });
    vi.stubEnv('TMPDIR', disk.path);
    try {
      const params = { url: site.url('/'), output_type: 'har', har_capture_bodies: false, ...ACTED };
      const { assets, bytes } = await prober.host.render({ ...params, with_network_log: true });
      expect(assets).toEqual({ kept: [], missing: [{ name: 'network_log', reason: 'the disk is full' }] });
      const { log } = await readHar((await bytes()).toString());
      expect(log.entries.length).toBeGreaterThan(600);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
