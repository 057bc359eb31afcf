import { findBrowsers } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import puppeteer, { type Frame } from 'puppeteer';
import { expect, it } from 'vitest';
import network from '../../../../plugins/capture/network/src/index.js';
import walk from '../../../../plugins/capture/walk/src/index.js';
import wacz from '../../../../plugins/output/wacz/src/index.js';
import robots from '../../../../plugins/page/robots/src/index.js';
import links from '../../../../plugins/walk/links/src/index.js';
import { openCheckedFile } from '../../../helpers/checkers.js';
import { openReplayWebPage } from '../../../helpers/replay-web-page.js';
import type { Site } from '../../../helpers/site.js';
import { readMember } from '../../../helpers/wacz-file.js';
import { openCrawledSite, PAGES } from './crawled-site.js';

interface ListedPage {
  readonly url: string;
  readonly ts: string;
  readonly title: string;
}

/** All lines but the first, which is a header. */
async function listPages(path: string): Promise<readonly ListedPage[]> {
  const files = await Promise.all(['pages/pages.jsonl', 'pages/extraPages.jsonl'].map((name) => readMember(path, name)));
  // The shape that the WACZ specification gives a page.
  return files.flatMap((file) =>
    file
      .toString()
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => JSON.parse(line) as ListedPage),
  );
}

/** The text of the page and of its frames, once its script is done. */
async function readText(frame: Frame): Promise<readonly string[]> {
  await frame.waitForFunction(() => document.readyState === 'complete' && document.getElementById('out')?.textContent !== '');
  const all = [frame, ...frame.childFrames()];
  return Promise.all(all.map((one) => one.evaluate(() => document.body.innerText)));
}

/** By URL, as a browser shows them that asks the site itself. */
async function readLiveTexts(urls: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const { shell, full } = await findBrowsers();
  const browser = await puppeteer.launch({ headless: 'shell', executablePath: (shell ?? full)?.path ?? '', args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const texts = new Map<string, readonly string[]>();
    for (const url of urls) {
      await page.goto(url);
      texts.set(url, await readText(page.mainFrame()));
    }
    return texts;
  } finally {
    await browser.close();
  }
}

async function crawl(site: Site): Promise<Buffer> {
  await using host = createTestKernel({ plugins: [network, walk, robots, links, wacz] });
  const params = { url: site.url('/p0'), output_type: 'wacz', crawl_links: true, crawl_delay: 0, crawl_concurrency: 2 };
  const { bytes } = await host.render(params);
  return await bytes();
}

async function crawlAndShutDown() {
  await using site = await openCrawledSite();
  const file = await openCheckedFile(await crawl(site), 'wacz');
  const pages = await listPages(file.path);
  return { file, pages, live: await readLiveTexts(pages.map(({ url }) => url)), absent: site.url('/absent') };
}

it('every page of a crawl replays in ReplayWeb.page, without the site and without a miss', async () => {
  const { pages, live, absent, ...crawled } = await crawlAndShutDown();
  await using file = crawled.file;
  expect(pages.length).toBeGreaterThan(PAGES);
  await using replay = await openReplayWebPage({ wacz: file.path });
  for (const page of pages) expect(await replay.open(page, readText), page.url).toEqual(live.get(page.url));
  expect(replay.errors).toEqual([`404 ${absent}`]);
  expect(replay.escaped).toEqual([]);
}, 300_000);
