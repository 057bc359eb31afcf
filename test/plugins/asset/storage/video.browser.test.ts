import { buffer } from 'node:stream/consumers';
import { createTestKernel } from '@platen/kernel/testing';
import frames from '@platen/plugin-frames';
import pixels from '@platen/plugin-screenshot';
import storage from '@platen/plugin-storage';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import film from '../../capture/frames/video-plugin.js';
import { readVideo } from '../../capture/frames/videos.js';
import wait from '@platen/plugin-wait';

const host = createTestKernel({ plugins: [pixels, frames, film, wait, storage] });
let site: Site;

beforeAll(async () => {
  site = await openSite({
    '/store': `<!doctype html><p>x<script>
      localStorage.local = 'here';
      const open = indexedDB.open('db');
      open.onupgradeneeded = () => open.result.createObjectStore('s').put('here', 'k');
      open.onsuccess = async () => {
        await (await caches.open('c')).put('/kept', new Response('here'));
        dispatchEvent(new Event('stored'));
      };
    </script>`,
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

it('of a film, whose page has its time held, is that of the beginning, with its databases and caches', async () => {
  const url = site.url('/store');
  const result = await host.render({ url, output_type: 'test-whole', video_duration: 1, wait_for: 'js:stored', with_storage: true });
  const { said } = await readVideo(result);
  expect(said.method).toBe('deterministic');
  expect(result.assets.missing).toEqual([]);
  const [asset] = result.assets.kept;
  if (asset === undefined) throw new Error('there is no storage');
  const state = JSON.parse((await buffer(asset.open())).toString());
  const [{ localStorage, indexedDB, cacheStorage }] = state.origins;
  expect(localStorage).toContainEqual({ name: 'local', value: 'here' });
  expect(indexedDB).toEqual([
    expect.objectContaining({ name: 'db', stores: [expect.objectContaining({ records: [{ key: 'k', value: 'here' }] })] }),
  ]);
  expect(cacheStorage).toEqual([{ name: 'c', entries: [expect.objectContaining({ bodyBase64: Buffer.from('here').toString('base64') })] }]);
});
