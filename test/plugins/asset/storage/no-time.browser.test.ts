import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { definePlugin, Stage } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import axtree from '@platen/plugin-axtree';
import exchanges from '@platen/plugin-network';
import har from '@platen/plugin-har';
import networkLog from '@platen/plugin-network-log';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import pprof from '@platen/plugin-pprof';
import storage from '@platen/plugin-storage';
import tree from '@platen/plugin-accessibility';
import wait from '@platen/plugin-wait';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';

// A transaction that never ends: whoever else wants to read the store waits for it.
const HOLDS = `<!doctype html><title>holds</title><body><script>(async () => {
  localStorage.setItem('kept', 'yes');
  const open = indexedDB.open('held');
  open.onupgradeneeded = () => open.result.createObjectStore('all');
  await new Promise((done) => { open.onsuccess = done; });
  const store = open.result.transaction('all', 'readwrite').objectStore('all');
  const hold = () => { store.put(1, 'key').onsuccess = hold; };
  hold();
  document.body.append(Object.assign(document.createElement('p'), { id: 'done' }));
})()</script>`;

const never = definePlugin({
  name: 'never',
  assets: [{ key: 'with_never', name: 'never' }],
  params: { with_never: { type: 'boolean', description: 'Asks for it.' } },
  apply({ hooks }) {
    hooks.additionalAssets.tapPromise('never', ({ params }) =>
      params.with_never === true ? new Promise(() => undefined) : Promise.resolve(),
    );
  },
});
/** A script that holds the page from when it was captured. */
const loop = definePlugin({
  name: 'loop',
  apply({ hooks }) {
    hooks.additionalAssets.tapPromise({ name: 'loop', stage: Stage.first }, async ({ page, plan }) => {
      if (plan.url.endsWith('/loops'))
        await page.evaluate(
          () =>
            void setTimeout(() => {
              for (;;);
            }),
        );
    });
  },
});
const host = createTestKernel({ plugins: [pixels, png, tree, axtree, wait, exchanges, har, networkLog, pprof, storage, never, loop] });
let site: Site;
beforeAll(async () => {
  site = await openSite({ '/holds': HOLDS, '/loops': '<h1>Hello</h1>' });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const PNG = (bytes: Buffer) => bytes.subarray(1, 4).toString() === 'PNG';

it('a page that a script holds for good is a picture, with the assets that were to be had', async () => {
  const all = {
    with_storage: true,
    with_har: true,
    with_axtree: true,
    with_pprof_cpu: true,
    with_pprof_memory: true,
    with_network_log: true,
  };
  const { bytes, assets } = await host.render({ url: site.url('/loops'), ...all, timeout: 8 });
  expect(PNG(await bytes())).toBe(true);
  const names = [...assets.kept, ...assets.missing].map(({ name }) => name).sort();
  expect(names).toEqual(['axtree', 'har', 'network_log', 'pprof_cpu', 'pprof_memory', 'storage']);
}, 30_000);

it('a storage that cannot be read within the time of its render is returned in part', async () => {
  const { bytes, assets } = await host.render({ url: site.url('/holds'), with_storage: true, wait_for: 'css:#done', timeout: 6 });
  expect(PNG(await bytes())).toBe(true);
  expect([assets.missing, assets.kept.map(({ incomplete }) => incomplete)]).toEqual([
    [],
    [expect.stringContaining(`indexedDB of ${new URL(site.url('/')).origin} could not be read completely`)],
  ]);
  expect(await text(assets.kept[0]?.open() ?? Readable.from([]))).toContain('{"name":"kept","value":"yes"}');
}, 30_000);

it('an asset that its plugin does not make in time is missing, and the picture is there', async () => {
  const { bytes, assets } = await host.render({ url: site.url('/holds'), with_never: true, with_storage: true, timeout: 6 });
  expect(PNG(await bytes())).toBe(true);
  const reason = 'there was no time left';
  expect([...assets.missing].sort((a, b) => a.name.localeCompare(b.name))).toEqual([
    { name: 'never', reason },
    { name: 'storage', reason },
  ]);
}, 30_000);
