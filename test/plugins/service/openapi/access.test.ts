import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDocumented, type DocumentedServer } from './open-documented.js';
import { openBrowser, render, visit, type Visit } from './open-playground.js';
import { playRender } from './play-render.js';

let browser: Browser;
let server: DocumentedServer;
const open: Visit[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  server = await openDocumented({ render: playRender().render });
});
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]();
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

async function playground(hash = '', options: Parameters<typeof visit>[2] = {}): Promise<Visit> {
  const visited = await visit(browser, `${server.url}/playground${hash}`, options);
  open.push(visited);
  await visited.page.waitForSelector('body[data-state=idle]');
  return visited;
}

describe('for everybody', () => {
  const widest = (page: Page) => page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);

  it.each(['/playground#url=http://assets.test/', '/docs'])('%s fits a phone of 360 pixels', async (path) => {
    const visited = await visit(browser, server.url + path, { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
    open.push(visited);
    const { page } = visited;
    await page.waitForSelector('body[data-state=idle]');
    if (path.startsWith('/playground')) await render(page);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    expect(await widest(page)).toEqual([360, 360]);
  });

  it.each([
    ['/playground', 'light'],
    ['/playground', 'dark'],
    ['/docs', 'light'],
    ['/docs', 'dark'],
  ] as const)('axe finds nothing wrong with %s in the %s', async (path, colorScheme) => {
    // The library is put in by the test, past the page's policy.
    const visited = await visit(browser, `${server.url}${path}#url=http://assets.test/&browser_width=0`, { colorScheme, bypassCSP: true });
    open.push(visited);
    const { page } = visited;
    await page.waitForSelector('body[data-state=idle]');
    const look = async () => {
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      // axe.run() is a global of the library.
      const found: { id: string; nodes: { html: string }[] }[] = await page.evaluate(`axe.run().then(({ violations }) => violations)`);
      return found.map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .map(({ html }) => html.slice(0, 100))
            .slice(0, 5)
            .join(' ')}`,
      );
    };
    await page.evaluate(axe.source);
    expect(await look()).toEqual([]);
    if (path === '/docs') return;
    expect(await render(page)).toBe('failed');
    expect(await look()).toEqual([]);
    await page.getByLabel('browser_width', { exact: true }).fill('800');
    expect(await render(page)).toBe('done');
    expect(await look()).toEqual([]);
  });

  it('is used with the keyboard alone', async () => {
    const { page } = await playground();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the result');
    await page.getByLabel('Page to render').focus();
    await page.keyboard.type('http://a.test/');
    await page.keyboard.press('Enter');
    await page.waitForSelector('body[data-state=done]');
  });

  it('remembers the colours', async () => {
    const { page } = await playground();
    await page.getByRole('button', { name: 'Colours: auto' }).click();
    await page.getByRole('button', { name: 'Colours: light' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Colours: dark' }).waitFor();
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(13, 16, 23)');
  });
});

describe('the API page', () => {
  it('tells of every endpoint, key, output and error, and leads to the playground', async () => {
    const visited = await visit(browser, `${server.url}/docs#parameter-pdf_scale`);
    open.push(visited);
    const { page, complaints } = visited;
    await page.waitForSelector('body[data-state=idle]');
    expect(await page.locator('.parameter').count()).toBe(server.kernel.schema.keys.size);
    expect(await page.locator('.operation').count()).toBe(8);
    const text = (await page.locator('#reference').textContent()) ?? '';
    for (const word of ['render_timeout', 'image/avif', 'number, 0.1 to 2']) expect(text).toContain(word);
    await page.getByLabel('Find a parameter').fill('pdf_scale');
    expect(await page.locator('.parameter:visible').count()).toBe(1);
    await page.getByRole('link', { name: 'Try it in the playground: pdf_scale' }).click();
    await page.waitForSelector('body[data-state=idle]');
    expect(await page.getByLabel('pdf_scale', { exact: true }).inputValue()).toBe('0.8');
    expect(complaints).toEqual([]);
  });
});
