import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { render, usePlayground } from './open-playground.js';
import { playRender } from './play-render.js';

const playing = usePlayground({ render: playRender().render });
const { playground, visit } = playing;

describe('for everybody', () => {
  const widest = (page: Page) => page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);

  it.each(['/playground#url=http://assets.test/', '/docs'])('%s fits a phone of 360 pixels', async (path) => {
    const visited = await visit(playing.server.url + path, { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
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
    const visited = await visit(`${playing.server.url}${path}#url=http://assets.test/&browser_width=0`, { colorScheme, bypassCSP: true });
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
    await page.getByRole('button', { name: 'Colors: auto' }).click();
    await page.getByRole('button', { name: 'Colors: light' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Colors: dark' }).waitFor();
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(13, 16, 23)');
  });
});

describe('the API page', () => {
  it('tells of every endpoint, key, output and error, and leads to the playground', async () => {
    const visited = await visit(`${playing.server.url}/docs#parameter-pdf_scale`);
    const { page, complaints } = visited;
    await page.waitForSelector('body[data-state=idle]');
    expect(await page.locator('.parameter').count()).toBe(playing.server.kernel.schema.keys.size);
    expect(await page.locator('.operation').count()).toBe(9);
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
