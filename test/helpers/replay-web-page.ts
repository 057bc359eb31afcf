import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { findBrowsers } from '@platen/kernel';
import puppeteer, { type Browser, type Frame, type HTTPResponse } from 'puppeteer';

/** A WACZ file opened in ReplayWeb.page, with its own service worker, in Chromium. There is no network but the server of the two. */
export interface ReplayWebPage extends AsyncDisposable {
  /** Opens a page of the archive, and looks at the frame that shows it. */
  open<T>(page: { readonly url: string; readonly ts: string }, look: (frame: Frame) => Promise<T>): Promise<T>;
  /** `status URL`, as archived, of each answer of the replay that is an error. What is not in the archive is a 404. */
  readonly errors: readonly string[];
  /** URLs that were asked for on other hosts: a replay needs none. */
  readonly escaped: readonly string[];
}

const require = createRequire(import.meta.url);

/** Where a page of the archive is replayed: `/w/<collection>/:<digest>/<14 digits><type>_/<URL>`. */
const REPLAYED = /\/w\/[^/]+\/(?::[\da-f]+\/)?\d*([a-z]{2})_\/(.+)$/;

/** The viewer itself tries it for every page, for the title of its own tab. */
const isGuessedIcon = (url: string): boolean => new URL(url).pathname === '/favicon.ico';

export async function openReplayWebPage({ wacz }: { readonly wacz: string }): Promise<ReplayWebPage> {
  const server = await serveReplay(wacz);
  const { full, shell } = await findBrowsers();
  const args = ['--no-sandbox', '--proxy-server=127.0.0.1:1', `--proxy-bypass-list=<-loopback>;127.0.0.1:${String(server.port)}`];
  const executablePath = (full ?? shell)?.path ?? '';
  const browser = await puppeteer.launch({ headless: full === undefined ? 'shell' : true, executablePath, args });
  const errors: string[] = [];
  const escaped: string[] = [];
  const watch = (response: HTTPResponse): void => {
    const [, , url] = REPLAYED.exec(response.url()) ?? [];
    if (url !== undefined && response.status() >= 400 && !isGuessedIcon(url)) errors.push(`${String(response.status())} ${url}`);
    if (response.url().startsWith('http') && !response.url().startsWith(server.base)) escaped.push(response.url());
  };
  return {
    errors,
    escaped,
    open: (archived, look) => showArchived(browser, { base: server.base, archived, watch }, look),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server.close();
    },
  };
}

interface Showing {
  readonly base: string;
  readonly archived: { readonly url: string; readonly ts: string };
  readonly watch: (response: HTTPResponse) => void;
}

async function showArchived<T>(browser: Browser, { base, archived, watch }: Showing, look: (frame: Frame) => Promise<T>): Promise<T> {
  const page = await browser.newPage();
  try {
    page.on('response', watch);
    const moment = archived.ts.replace(/\D/g, '').slice(0, 14);
    const place = new URLSearchParams({ view: 'pages', url: archived.url, ts: moment });
    await page.goto(`${base}/?source=${encodeURIComponent(`${base}/archive.wacz`)}#${String(place)}`);
    const frame = await page.waitForFrame((one) => one.parentFrame() === page.mainFrame() && REPLAYED.exec(one.url())?.[1] === 'mp');
    return await look(frame);
  } finally {
    await page.close();
  }
}

/** The package's own files, and the archive by ranges. */
async function serveReplay(wacz: string): Promise<{ readonly base: string; readonly port: number; close(): Promise<void> }> {
  const folder = dirname(require.resolve('replaywebpage/index.html'));
  const { size } = await stat(wacz);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://replay');
    if (pathname === '/archive.wacz') {
      sendRange(response, { wacz, size, range: request.headers.range, hasBody: request.method !== 'HEAD' });
      return;
    }
    const [name, type] = FILES.get(pathname) ?? [];
    if (name === undefined) response.writeHead(404).end();
    else {
      readFile(join(folder, name)).then(
        (body) => response.writeHead(200, { 'content-type': type }).end(body),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Of a server on a port it is an address.
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${String(port)}`,
    port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const FILES: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['/', ['index.html', 'text/html']],
  ['/ui.js', ['ui.js', 'text/javascript']],
  ['/sw.js', ['sw.js', 'text/javascript']],
]);

interface Sent {
  readonly wacz: string;
  readonly size: number;
  readonly range: string | undefined;
  readonly hasBody: boolean;
}

function sendRange(response: ServerResponse, { wacz, size, range = '', hasBody }: Sent): void {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  // `-n` asks for the last n bytes.
  const start = from === '' && to !== '' ? size - Number(to) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  const headers = { 'content-type': 'application/wacz', 'accept-ranges': 'bytes', 'content-length': end - start + 1 };
  if (range === '') response.writeHead(200, headers);
  else response.writeHead(206, { ...headers, 'content-range': `bytes ${String(start)}-${String(end)}/${String(size)}` });
  if (hasBody) createReadStream(wacz, { start, end }).pipe(response);
  else response.end();
}
