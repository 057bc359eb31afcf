import { createTestKernel } from '@platen/kernel/testing';
import { afterAll, expect, it } from 'vitest';
import network from '../../../../plugins/capture/network/src/index.js';
import walk from '../../../../plugins/capture/walk/src/index.js';
import wacz from '../../../../plugins/output/wacz/src/index.js';
import robots from '../../../../plugins/page/robots/src/index.js';
import links from '../../../../plugins/walk/links/src/index.js';
import { openCheckedFile } from '../../../helpers/checkers.js';
import { openOfflineReplay } from '../../../helpers/offline-replay.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { parseCdx, readMember } from '../../../helpers/wacz-file.js';

const host = createTestKernel({ plugins: [network, walk, robots, links, wacz] });
afterAll(() => host[Symbol.asyncDispose]());

const PAGES = 40;
const TYPES = { css: 'text/css', svg: 'image/svg+xml', js: 'text/javascript', json: 'application/json', text: 'text/plain' } as const;
const typed = (type: keyof typeof TYPES, body: string) => ({
  headers: { 'content-type': TYPES[type], 'cache-control': 'max-age=60' },
  body,
});

/** Links form a tree, with ways back; what a page shows needs all that it loads. */
function page(at: number): string {
  const next = [2 * at + 1, 2 * at + 2, 0].filter((one) => one < PAGES).map((one) => `<a href="/p${String(one)}">to ${String(one)}</a>`);
  return `<!doctype html><title>Page ${String(at)}</title><link rel="stylesheet" href="/style.css"><h1>Page ${String(at)}</h1>
    <img src="/dot.svg" alt=""><iframe src="/frame?${String(at % 3)}"></iframe><p id="out"></p>${next.join(' ')} <a href="/old">old</a> <a href="/absent">absent</a>
    <script type="module">
      const posted = fetch('/api', { method: 'POST', body: new URLSearchParams({ page: ${String(at)} }) }).then((answer) => answer.json());
      const { n } = await (await fetch('/data.json')).json();
      out.textContent = (await posted).page + ' ' + n + ' ' + getComputedStyle(document.body).color;
    </script>`;
}

function openCrawledSite(): Promise<Site> {
  const pages = Array.from({ length: PAGES }, (_none, at) => [`/p${String(at)}`, page(at)] as const);
  return openSite({
    ...Object.fromEntries(pages),
    '/robots.txt': typed('text', 'User-agent: *\nDisallow: /no'),
    '/style.css': typed('css', 'body { color: rgb(1, 2, 3) }'),
    '/dot.svg': typed('svg', '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="3"/>'),
    '/frame': '<p>in a frame</p>',
    '/data.json': typed('json', '{"n":7}'),
    '/old': { status: 301, headers: { location: '/p3' } },
    '/api': async (request) => {
      const body = Buffer.concat(await request.toArray()).toString();
      return typed('json', JSON.stringify({ page: new URLSearchParams(body).get('page') }));
    },
  });
}

it('a crawled site replays page by page without a network and without a miss', async () => {
  await using site = await openCrawledSite();
  const params = { url: site.url('/p0'), output_type: 'wacz', crawl_links: true, crawl_delay: 0, crawl_concurrency: 2 };
  const { bytes } = await host.render(params);
  await using file = await openCheckedFile(await bytes(), 'wacz');
  const listed = (await readMember(file.path, 'pages/extraPages.jsonl')).toString().trim().split('\n').slice(1);
  const urls = listed.map((line) => (JSON.parse(line) as { readonly url: string }).url);
  const expected = Array.from({ length: PAGES - 1 }, (_none, at) => site.url(`/p${String(at + 1)}`));
  // The redirect to page 3 may be visited before it or after it.
  const without3 = (list: readonly string[]) => list.filter((url) => url !== site.url('/p3')).sort();
  expect(without3(urls)).toEqual(without3([...expected, site.url('/old'), site.url('/absent')]));
  await using replay = await openOfflineReplay({ wacz: file.path });
  for (const url of [site.url('/p0'), ...expected]) {
    const at = /\d+$/.exec(url)?.[0] ?? '';
    const shown = await replay.open(url, async (tab, status) => {
      await tab.waitForFunction(() => document.getElementById('out')?.textContent !== '');
      return { status, title: await tab.title(), text: await tab.$eval('#out', ({ textContent }) => textContent) };
    });
    expect(shown).toEqual({ status: 200, title: `Page ${at}`, text: `${at} 7 rgb(1, 2, 3)` });
  }
  expect((await replay.visit(site.url('/old'))).title).toBe('Page 3');
  expect((await replay.visit(site.url('/absent'))).status).toBe(404);
  expect(replay.misses).toEqual([]);
}, 120_000);

it('what all pages share is stored once', async () => {
  await using site = await openCrawledSite();
  const { bytes } = await host.render({ url: site.url('/p0'), output_type: 'wacz', crawl_links: true, crawl_delay: 0, crawl_max_links: 6 });
  await using file = await openCheckedFile(await bytes(), 'wacz');
  const lines = parseCdx((await readMember(file.path, 'indexes/index.cdx')).toString());
  const stored = (path: string) => lines.filter(({ fields }) => fields.url === site.url(path) && fields.mime !== 'warc/revisit');
  expect(['/style.css', '/dot.svg', '/data.json', '/robots.txt'].map((path) => stored(path).length)).toEqual([1, 1, 1, 1]);
  expect(site.requests.filter(({ url }) => url === '/style.css')).toHaveLength(1);
});
