import { readFile } from 'node:fs/promises';
import { createTestKernel } from '@platen/kernel/testing';
import { expect, it } from 'vitest';
import { WARCParser } from 'warcio';
import network from '../../../../plugins/capture/network/src/index.js';
import walk from '../../../../plugins/capture/walk/src/index.js';
import warc from '../../../../plugins/output/warc/src/index.js';
import robots from '../../../../plugins/page/robots/src/index.js';
import links from '../../../../plugins/walk/links/src/index.js';
import { openCheckedFile, runChecker } from '../../../helpers/checkers.js';
import { openSite, type Site } from '../../../helpers/site.js';

const PAGES = 30;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="3"/>';
const typed = (type: string, body: string) => ({ headers: { 'content-type': type }, body });

/** A tree of pages without scripts, which wget would not run. Each loads a picture of its own. */
function page(at: number): string {
  const below = [2 * at + 1, 2 * at + 2]
    .filter((one) => one < PAGES)
    .map((one) => `<a href="p${String(one)}?n=${String(one)}#top">next</a>`);
  return `<!doctype html><title>${String(at)}</title><link rel="stylesheet" href="/style.css"><body class="page"><h1>Page ${String(at)}</h1>
    <img src="/picture-${String(at)}.svg" alt=""><iframe src="/frame-${String(at % 3)}"></iframe>${below.join(' ')}
    <a href="/">home</a> <a href="/moved">moved</a> <a href="/absent">absent</a> <a href="/no">no</a> <a href="/file.bin">file</a>
    <map name="m"><area href="/by-area" alt=""></map> <a href="mailto:a@b.test">mail</a> <a href="http://other.test/">other site</a>`;
}

function openStaticSite(): Promise<Site> {
  const at = Array.from({ length: PAGES }, (_none, index) => index);
  return openSite({
    ...Object.fromEntries(at.map((one) => [one === 0 ? '/' : `/p${String(one)}`, page(one)])),
    ...Object.fromEntries(at.map((one) => [`/picture-${String(one)}.svg`, typed('image/svg+xml', SVG)])),
    ...Object.fromEntries([0, 1, 2].map((one) => [`/frame-${String(one)}`, `<p>frame ${String(one)} <a href="/by-frame">link</a>`])),
    '/robots.txt': typed('text/plain', 'User-agent: *\nDisallow: /no'),
    '/style.css': typed('text/css', '@import "more.css"; .page { background: url("back.svg") }'),
    '/more.css': typed('text/css', 'h1 { color: green }'),
    '/back.svg': typed('image/svg+xml', SVG),
    '/file.bin': typed('application/octet-stream', 'bytes'),
    '/moved': { status: 301, headers: { location: '/target' } },
    '/target': '<title>Target</title>',
    '/by-area': '<title>By area</title>',
    '/by-frame': '<title>By frame</title>',
    '/no': 'not for robots',
  });
}

/** `status path` of each stored response, each once. */
async function listResponses(bytes: Buffer): Promise<readonly string[]> {
  const lines = new Set<string>();
  for await (const { warcType, warcTargetURI, httpHeaders } of new WARCParser([bytes])) {
    if (warcType !== 'response' && warcType !== 'revisit') continue;
    // WARC 1.0, which wget writes, has it in angle brackets.
    const { pathname, search } = new URL((warcTargetURI ?? '').replace(/^<|>$/g, ''));
    lines.add(`${httpHeaders?.statusline.split(' ')[1] ?? ''} ${pathname}${search}`);
  }
  return [...lines].sort();
}

async function crawlWithPlaten(site: Site): Promise<Buffer> {
  await using host = createTestKernel({ plugins: [network, walk, robots, links, warc] });
  const { bytes } = await host.render({ url: site.url('/'), output_type: 'warc', crawl_links: true, crawl_delay: 0, crawl_concurrency: 2 });
  return await bytes();
}

const WGET_SERVER_ERROR = 8;

async function crawlWithWget(site: Site): Promise<Buffer> {
  await using folder = await openCheckedFile(Buffer.alloc(0), 'none');
  const args = [
    '--recursive',
    '--level=inf',
    '--page-requisites',
    '--no-verbose',
    '--no-proxy',
    '--tries=1',
    `--warc-file=${folder.beside('wget')}`,
  ];
  await runChecker('wget', [...args, `--directory-prefix=${folder.beside('files')}`, site.url('/')]).catch((error: unknown) => {
    // Of the link that leads nowhere.
    if (!(error instanceof Error && 'code' in error && error.code === WGET_SERVER_ERROR)) throw error;
  });
  return await readFile(folder.beside('wget.warc.gz'));
}

it('holds what wget archives of a static site: pages, what they need, files, redirects, errors and robots.txt', async () => {
  await using site = await openStaticSite();
  const own = await listResponses(await crawlWithPlaten(site));
  expect(own.length).toBeGreaterThan(2 * PAGES);
  expect(own).toEqual(await listResponses(await crawlWithWget(site)));
  expect(own).toEqual(expect.arrayContaining(['200 /robots.txt', '301 /moved', '404 /absent', '200 /back.svg', '200 /file.bin']));
}, 120_000);
