import { buffer } from 'node:stream/consumers';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importPlugin, listPlugins } from '../architecture/workspaces.js';
import type { Site } from '../helpers/site.js';
import { openPages, PAGES, SIZE, TEXTS } from './pages.js';

// Outputs of one load are the same as those of their own renders.

/** They contain a date, a boundary, or numbers of nodes, which differ from one render to the next. */
const CHANGING: ReadonlySet<string> = new Set(['pdf', 'mhtml', 'har', 'axtree_json']);

/** Those of one load, in two groups, since a request names eight at most; each group with another main output. */
const TOGETHER: readonly (readonly [main: string, ...others: string[]])[] = [
  ['png', 'pdf', 'mhtml', 'html', 'markdown', 'txt', 'axtree', 'axtree_json', 'har'],
  ['pdf', 'png', 'jpg', 'webp', 'tiff', 'bmp', 'markdown', 'har'],
  ['har', 'txt', 'html', 'png', 'pdf'],
  ['markdown', 'txt', 'axtree', 'mhtml', 'avif'],
];

let host: TestKernel;
let site: Site;

beforeAll(async () => {
  host = createTestKernel({ plugins: await Promise.all(listPlugins().map(importPlugin)) });
  site = await openPages();
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function renderAlone(url: string, output_type: string): Promise<Buffer> {
  return (await host.render({ url, ...SIZE, output_type })).bytes();
}

async function comparable(type: string, bytes: Buffer): Promise<string> {
  return CHANGING.has(type) ? ((await TEXTS[type]?.(bytes)) ?? '') : bytes.toString('latin1');
}

describe.each(PAGES)('%s', (name) => {
  it.each(TOGETHER)('as %s with other outputs', async (main, ...others) => {
    const url = site.url(`/${name}.html`);
    const { assets, bytes } = await host.render({ url, ...SIZE, output_type: main, with_output: others });
    const made = new Map([[main, await bytes()]]);
    for (const asset of assets.kept) made.set(asset.name, await buffer(asset.open()));
    expect(assets.missing).toEqual([]);
    expect([...made.keys()].sort()).toEqual([main, ...others].sort());
    for (const [type, body] of made)
      expect((await comparable(type, body)) === (await comparable(type, await renderAlone(url, type))), `${type} beside ${main}`).toBe(
        true,
      );
  });
});
