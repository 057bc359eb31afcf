import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareFolders, readOptions } from '../../../../plugins/output/compare/src/compare-folders.js';
import { openBrowser, visit } from '../../service/openapi/open-playground.js';
import { writeFolders } from './image-folders.js';

let cwd: string;
let browser: Browser;
let url: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'platen-compare-'));
  await writeFolders(cwd);
  const options = readOptions(['old', 'new', '--out', 'report.html', '--compare-max-pixels', '600'], cwd);
  await compareFolders(options, { stdout: { write: () => undefined } });
  url = pathToFileURL(join(cwd, 'report.html')).href;
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await rm(cwd, { recursive: true });
});

describe('the report of two folders', () => {
  it('needs nothing but itself, and obeys its own policy', async () => {
    await using opened = await visit(browser, 'about:blank');
    const asked: string[] = [];
    opened.page.on('request', (request) => asked.push(request.url()));
    await opened.page.goto(url);
    expect(asked.filter((one) => !one.startsWith('data:'))).toEqual([url]);
    expect(opened.complaints).toEqual([]);
    expect(await opened.page.locator('header').textContent()).toContain('1 equal, 1 within the limits, 1 beyond the limits');
  });

  it('shows old, new and difference of what differs, decoded, in one scale', async () => {
    await using opened = await visit(browser, url);
    const { page } = opened;
    expect(await page.locator('h2').allTextContents()).toEqual(['home.png', 'sub/wide.tiff']);
    expect(await page.getByText('300 x 200 pixels became 310 x 200').count()).toBe(1);
    const decoded = await page.evaluate(async () => {
      const images = [...document.querySelectorAll('svg image')].map((image) =>
        Object.assign(new Image(), { src: image.getAttribute('href') ?? '' }),
      );
      await Promise.all([...images, ...document.images].map((image) => image.decode()));
      return [...images, ...document.images].map(({ naturalWidth }) => naturalWidth);
    });
    expect(decoded).toEqual([300, 300, 300, 310, 300, 310]);
  });

  it('is used by the keyboard alone: the images, the views, the slider', async () => {
    await using opened = await visit(browser, url);
    const { page } = opened;
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('home.png');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#image-0');
    await page.getByLabel('Side by side').focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.getByLabel('Slider').isChecked()).toBe(true);
    const slider = page.getByRole('slider', { name: 'Part of home.png that is old' });
    await slider.press('Home');
    const clip = () =>
      page
        .locator('.old svg')
        .first()
        .evaluate((svg) => getComputedStyle(svg).clipPath);
    expect(await clip()).toBe('inset(0px 100% 0px 0px)');
    await slider.press('End');
    expect(await clip()).toBe('inset(0px 0% 0px 0px)');
    // Both are at the same place.
    const boxes = await Promise.all(['.old svg', '.new svg'].map((name) => page.locator(name).first().boundingBox()));
    expect(boxes[0]).toEqual(boxes[1]);
    await page.getByLabel('Slider').press('ArrowRight');
    expect(await page.getByRole('img', { name: 'Difference of home.png' }).isVisible()).toBe(true);
    expect(await page.getByRole('img', { name: 'Old image of home.png' }).isVisible()).toBe(false);
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
  ] as const)('axe finds nothing wrong in the %s at %d pixels', async (colorScheme, width) => {
    await using opened = await visit(browser, url, { viewport: { width, height: 740 }, colorScheme, bypassCSP: true });
    const { page } = opened;
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await page.evaluate(axe.source);
    for (const view of ['Side by side', 'Slider', 'Difference']) {
      await page.getByLabel(view, { exact: true }).check();
      // axe.run() is a global of the library.
      expect(await page.evaluate(`axe.run().then(({ violations }) => violations.map(({ id }) => id))`)).toEqual([]);
    }
  });
});
