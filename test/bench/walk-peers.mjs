// node test/bench/walk-peers.mjs NAME: a crawler as most people write one, in a process of its own, whose tree is measured. It walks from each URL that it is
// sent, follows every link of the site once, and reports when it is done. Nothing is recorded.
import puppeteer from 'puppeteer';
import { findBrowsers } from '@platen/kernel';

const CONCURRENCY = 2;
const { shell } = await findBrowsers();
const LAUNCH = { executablePath: shell.path, headless: 'shell', args: ['--no-sandbox'] };

const PEERS = { puppeteer: openScript, cluster: openCluster, crawlee: openCrawlee };

const walk = await PEERS[process.argv[2]]();
process.on('message', (url) => {
  walk(url).then(
    () => process.send('done'),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit());
process.send('ready');

const readLinks = (page) => page.$$eval('a[href]', (all) => all.map(({ href }) => href));

/** One tab that goes from page to page, in a new context for each walk: its cache is empty. */
async function openScript() {
  const browser = await puppeteer.launch(LAUNCH);
  return async (seed) => {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    const seen = new Set([seed]);
    for (const url of seen) {
      await page.goto(url);
      for (const link of await readLinks(page)) seen.add(link);
    }
    await context.close();
  };
}

async function openCluster() {
  const { Cluster } = await import('puppeteer-cluster');
  return async (seed) => {
    const cluster = await Cluster.launch({
      concurrency: Cluster.CONCURRENCY_PAGE,
      maxConcurrency: CONCURRENCY,
      puppeteer,
      puppeteerOptions: LAUNCH,
    });
    const seen = new Set([seed]);
    await cluster.task(async ({ page, data: url }) => {
      await page.goto(url);
      for (const link of await readLinks(page)) {
        if (seen.has(link)) continue;
        seen.add(link);
        cluster.queue(link);
      }
    });
    cluster.queue(seed);
    await cluster.idle();
    await cluster.close();
  };
}

async function openCrawlee() {
  const { Configuration, log, PuppeteerCrawler } = await import('@crawlee/puppeteer');
  log.setLevel(log.LEVELS.ERROR);
  return async (seed) => {
    const launchContext = { launcher: puppeteer, launchOptions: LAUNCH };
    const concurrency = { minConcurrency: CONCURRENCY, maxConcurrency: CONCURRENCY };
    const configuration = new Configuration({ persistStorage: false });
    const requestHandler = ({ enqueueLinks }) => enqueueLinks();
    const crawler = new PuppeteerCrawler({ ...concurrency, launchContext, headless: 'shell', requestHandler }, configuration);
    await crawler.run([seed]);
  };
}
