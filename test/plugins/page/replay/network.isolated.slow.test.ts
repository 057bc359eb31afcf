import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTestKernel } from '@platen/kernel/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importPlugin, listPlugins } from '../../../architecture/workspaces.js';
import { CLI } from '../../../helpers/run-cli.js';
import { openSite } from '../../../helpers/site.js';
import { hasNamespaces, NEEDS_NAMESPACES } from '../../../security/run-rig.js';
import { PAGES, routesOf } from './sites.js';

let folder: string;
let url: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  await using host = createTestKernel({ plugins: await Promise.all(listPlugins().map(importPlugin)) });
  let here = '';
  await using site = await openSite(await routesOf((path) => `${here}${path}`));
  here = site.url('').replace('127.0.0.1', 'localhost');
  url = site.url(PAGES.pictures);
  const crawl = { url, output_type: 'wacz', crawl_links: true, crawl_delay: 0 };
  await writeFile(join(folder, 'site.wacz'), await (await host.render(crawl)).bytes());
});
afterAll(() => rm(folder, { recursive: true }));

/** One capture on the command line, where there is no network but the loopback interface. */
async function capture(file: string, ...flags: readonly string[]): Promise<number> {
  const alone = ['-n', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', process.execPath, CLI];
  await promisify(execFile)('unshare', [...alone, url, file, '--replay', 'site.wacz', '--timeout', '100', ...flags], { cwd: folder });
  return (await stat(join(folder, file))).size;
}

describe.skipIf(!hasNamespaces)(`without a network (${NEEDS_NAMESPACES})`, () => {
  it.each([
    ...['png', 'jpg', 'webp', 'avif', 'jxl', 'tiff', 'bmp', 'pdf', 'mhtml', 'html', 'md', 'txt', 'har', 'warc', 'wacz', 'jsonl'],
    ...['axtree', 'axtree.json'],
  ])('a page of the archive is a .%s', async (ending) => {
    expect(await capture(`page.${ending}`)).toBeGreaterThan(10);
  });

  it.each([
    ['page.gif', '--image-duration', '0.5'],
    ['page.apng', '--image-duration', '0.5'],
    ['page.mp4', '--video-duration', '0.5'],
    ['page.webm', '--video-duration', '0.5'],
    ['tall.png', '--full-page'],
    ['site.jsonl', '--crawl-links', '--crawl-delay', '0'],
    ['trace.json', '--output-type', 'trace'],
    ['page.pprof', '--output-type', 'pprof_cpu'],
    ['links.json', '--output-type', 'json', '--extract-links'],
  ])('%s %s %s', async (file, ...flags) => {
    expect(await capture(file, ...flags)).toBeGreaterThan(10);
  });
});
