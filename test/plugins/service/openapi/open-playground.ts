import { findBrowsers } from '@platen/kernel';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

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
