import { buffer } from 'node:stream/consumers';
import { createTestKernel } from '@platen/kernel/testing';
import modals from '@platen/plugin-modals';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import pprof from '@platen/plugin-pprof';
import wait from '@platen/plugin-wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { listTop, printRaw } from './go-pprof.js';

const host = createTestKernel({ plugins: [pixels, png, wait, modals, pprof] });
let site: Site;
beforeAll(async () => {
  site = await openSite({
    '/still': '<!doctype html><p style="height:3000px">Long</p>',
    '/still-framed': () => `<!doctype html><iframe src="${site.url('/still', 'localhost')}"></iframe>`,
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("profiles leave out Platen's own scripts", () => {
  it.each(['/still', '/still-framed'])('a memory profile has no function at all where the page has none: %s', async (path) => {
    const params = { wait_for: 'load', full_page: true, with_pprof_memory: true, pprof_memory_interval_bytes: 64 };
    const { assets } = await host.render({ ...params, url: site.url(path) });
    const [asset] = assets.kept;
    const memory = asset ? await buffer(asset.open()) : Buffer.alloc(0);
    expect(await printRaw(memory)).toContain('Period: 64\n');
    expect(await listTop(memory, { unit: 'B' })).toEqual([]);
  });

  it('a CPU profile has none of what answers consent notices', async () => {
    const bytes = await (
      await host.render({ url: site.url('/still'), remove_modals: true, output_type: 'pprof_cpu', pprof_cpu_interval_us: 100 })
    ).bytes();
    // Chromium's own calls of scripts have no name; a function of its own begins anywhere.
    const places = (await listTop(bytes, { unit: 'ms' })).map(({ place }) => place);
    expect(places.filter((place) => place !== '(anonymous) :1')).toEqual([]);
  });
});
