import { findBrowsers } from '@platen/kernel';
import puppeteer, { type HTTPRequest, type Page } from 'puppeteer';
import { type ArchiveFiles, type ArchiveLookup, openLookup } from './archive-lookup.js';

export interface ReplayedPage {
  readonly status: number | undefined;
  readonly title: string;
  /** As the page shows it. */
  readonly text: string;
}

/** Shows the pages of an archive in Chromium, which has nothing but the archive: no network. */
export interface OfflineReplay extends AsyncDisposable {
  /** `METHOD URL` of each request that the archive could not answer. Requests of service and shared workers fail without being listed. */
  readonly misses: readonly string[];
  /** What a page shows once its network is quiet. */
  visit(url: string): Promise<ReplayedPage>;
  /** More of a page, from when its network is quiet until `look` is done. */
  open<T>(url: string, look: (page: Page, status: number | undefined) => Promise<T>): Promise<T>;
}

export async function openOfflineReplay(files: ArchiveFiles): Promise<OfflineReplay> {
  // A full browser also asks for a favicon that no page names.
  const { shell } = await findBrowsers();
  const lookup = await openLookup(files);
  // As root there is no sandbox to be had for a browser that is started so; its proxy does not exist.
  const args = ['--no-sandbox', '--proxy-server=127.0.0.1:1', '--proxy-bypass-list=<-loopback>'];
  const browser = await puppeteer.launch({ headless: 'shell', executablePath: shell?.path ?? '', args });
  const misses: string[] = [];
  const open: OfflineReplay['open'] = async (url, look) => {
    const page = await browser.newPage();
    try {
      await page.setRequestInterception(true);
      page.on('request', (request) => void serve(lookup, request, misses));
      const response = await page.goto(url, { waitUntil: 'networkidle0' });
      return await look(page, response?.status());
    } finally {
      await page.close();
    }
  };
  return {
    misses,
    open,
    visit: (url) => open(url, showPage),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await lookup[Symbol.asyncDispose]();
    },
  };
}

async function showPage(page: Page, status: number | undefined): Promise<ReplayedPage> {
  const [title, text] = await page.evaluate(() => [document.title, document.body.innerText] as const);
  return { status, title, text };
}

async function serve(lookup: ArchiveLookup, request: HTTPRequest, misses: string[]): Promise<void> {
  const [method, url] = [request.method(), request.url()];
  // Not of the network.
  if (/^(?:data|blob|about):/.test(url)) return request.continue();
  const body = request.hasPostData() ? await request.fetchPostData() : undefined;
  const found = await lookup.find({ method, url, headers: request.headers(), body });
  if (found) return request.respond({ status: found.status, headers: { ...found.headers }, body: found.body });
  misses.push(`${method} ${url}`);
  return request.abort('internetdisconnected');
}
