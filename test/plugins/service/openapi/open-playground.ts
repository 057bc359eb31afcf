import { findBrowsers } from '@platen/kernel';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { openDocumented, type DocumentedServer } from './open-documented.js';

/** A browser for people, driven by a library that Platen does not use. */
export async function openBrowser(): Promise<Browser> {
  const { shell, full } = await findBrowsers();
  const executablePath = (shell ?? full)?.path;
  if (executablePath === undefined) throw new Error('there is no browser');
  return await chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** What the page's console said was wrong: refused by a policy, not found, thrown. */
  readonly complaints: readonly string[];
}

export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(url);
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}

/** Presses Render and waits for what comes of it. */
export async function render(page: Page): Promise<string | null> {
  await page.getByRole('button', { name: 'Render', exact: true }).click();
  await page.waitForSelector('body[data-state=done], body[data-state=failed]');
  return await page.locator('body').getAttribute('data-state');
}

export interface Playing {
  readonly server: DocumentedServer;
  /** Opens a page that is closed with the test. */
  visit(url: string, options?: BrowserContextOptions): Promise<Visit>;
  /** The playground, ready. */
  playground(hash?: string, options?: BrowserContextOptions): Promise<Visit>;
}

/** A server with a playground, and a browser for it, for all tests of the file. */
export function usePlayground(options: Parameters<typeof openDocumented>[0]): Playing {
  const opened: Visit[] = [];
  let browser: Browser;
  let server: DocumentedServer;
  beforeAll(async () => {
    browser = await openBrowser();
    server = await openDocumented(options);
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) await each[Symbol.asyncDispose]();
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });
  const open: Playing['visit'] = async (url, context) => {
    const visited = await visit(browser, url, context);
    opened.push(visited);
    return visited;
  };
  return {
    get server() {
      return server;
    },
    visit: open,
    async playground(hash = '', context = {}) {
      const visited = await open(`${server.url}/playground${hash}`, context);
      await visited.page.waitForSelector('body[data-state=idle]');
      return visited;
    },
  };
}
