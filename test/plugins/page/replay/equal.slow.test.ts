import { createHash } from 'node:crypto';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importPlugin, listPlugins } from '../../../architecture/workspaces.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { decodePicture } from '../../capture/pictures.js';
import { PAGES, routesOf } from './sites.js';

const TYPES = ['png', 'html', 'markdown', 'txt', 'axtree', 'har'] as const;
const WAITING = new Set(['pictures', 'data', 'forms', 'workers', 'cookies', 'video']);

let host: TestKernel;
/** Outputs of each page, live, and its archive. */
const live = new Map<string, { readonly url: string; readonly archive: string; readonly outputs: ReadonlyMap<string, Buffer> }>();

async function render(params: Readonly<Record<string, unknown>>) {
  const result = await host.render({ browser_width: 600, browser_height: 500, ...params });
  return { bytes: await result.bytes(), headers: result.headers };
}

beforeAll(async () => {
  host = createTestKernel({ plugins: await Promise.all(listPlugins().map(importPlugin)) });
  let site: Site | undefined;
  const other = (path: string) => site?.url(path, 'localhost') ?? '';
  await using opened = (site = await openSite(await routesOf(other)));
  for (const [name, path] of Object.entries(PAGES)) {
    const target = { url: opened.url(path), ...(WAITING.has(name) ? { wait_for: 'css:.done' } : {}) };
    const { bytes } = await render({ ...target, output_type: 'wacz' });
    const outputs = new Map<string, Buffer>();
    for (const type of TYPES) outputs.set(type, (await render({ ...target, output_type: type })).bytes);
    // A page whose script has failed shows nothing of what it loads.
    expect(String(outputs.get('txt'))).not.toContain('Error');
    live.set(name, { url: target.url, archive: `data:;base64,${bytes.toString('base64')}`, outputs });
  }
}, 300_000);
afterAll(() => host[Symbol.asyncDispose]());

/** What two loads of a page have in common. */
const essence: Readonly<Record<string, (bytes: Buffer) => unknown>> = {
  png: async (bytes) => {
    const { width, height, data } = await decodePicture(bytes);
    return [width, height, createHash('sha256').update(data).digest('hex')];
  },
  har: (bytes) => {
    const { log } = JSON.parse(String(bytes)) as { log: { entries: readonly HarEntry[] } };
    return log.entries
      .map(
        ({ request, response }) =>
          `${request.method} ${request.url} ${String(response.status)} ${request.method === 'OPTIONS' ? '' : response.content.mimeType}`,
      )
      .toSorted();
  },
};

interface HarEntry {
  readonly request: { readonly method: string; readonly url: string };
  readonly response: { readonly status: number; readonly content: { readonly mimeType: string } };
}

describe.each(Object.keys(PAGES))('%s, its site stopped', (name) => {
  it.each(TYPES)('is as it was live: %s', async (type) => {
    const { url, archive, outputs } = live.get(name) ?? { url: '', archive: '', outputs: new Map<string, Buffer>() };
    const { bytes, headers } = await render({
      ...{ url, replay: archive, output_type: type },
      ...(WAITING.has(name) ? { wait_for: 'css:.done' } : {}),
    });
    // What CORS refuses, no page and no recorder can read.
    expect(headers['X-Replay']).toMatch(new RegExp(`^hits=\\d+; misses=${name === 'data' ? '1' : '0'}; at=\\d{14}$`));
    const read = essence[type] ?? String;
    expect(await read(bytes)).toEqual(await read(outputs.get(type) ?? Buffer.of()));
  });
});
