import { createTestKernel } from '@platen/kernel/testing';
import { afterAll, expect, it } from 'vitest';
import network from '../../../../plugins/capture/network/src/index.js';
import walk from '../../../../plugins/capture/walk/src/index.js';
import wacz from '../../../../plugins/output/wacz/src/index.js';
import robots from '../../../../plugins/page/robots/src/index.js';
import links from '../../../../plugins/walk/links/src/index.js';
import { openCheckedFile } from '../../../helpers/checkers.js';
import { openOfflineReplay } from '../../../helpers/offline-replay.js';
import { parseCdx, readMember } from '../../../helpers/wacz-file.js';
import { openCrawledSite, PAGES } from './crawled-site.js';

const host = createTestKernel({ plugins: [network, walk, robots, links, wacz] });
afterAll(() => host[Symbol.asyncDispose]());

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
