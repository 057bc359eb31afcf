import { NO_ASSETS, withScheme } from '@platen/kernel';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withScheme as withSchemeInPage } from '../../../../plugins/service/openapi/src/browser/target-fields.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { render, usePlayground } from './open-playground.js';

const PAGES: Readonly<Record<string, string>> = {
  '/blog/post': '<!-- saved --><!doctype html><title>a</title><img id="i" src="dot.png">',
  '/moved': '<!doctype html><base href="/blog/"><img id="i" src="dot.png">',
};
const dot = await sharp({ create: { width: 7, height: 3, channels: 3, background: 'red' } })
  .png()
  .toBuffer();

const { playground } = usePlayground({
  render: ({ url, output: { contentType, extension } }) =>
    Promise.resolve({
      output: { contentType, extension, body: Buffer.from(PAGES[new URL(url).pathname] ?? '') },
      assets: NO_ASSETS,
      headers: {},
      timings: {},
    }),
});
let site: Site;
beforeAll(async () => {
  site = await openSite({ '/blog/dot.png': { headers: { 'content-type': 'image/png' }, body: dot } });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

describe('rendered HTML', () => {
  it.each(Object.keys(PAGES))('of %s shows the images of the page', async (path) => {
    const { page, complaints } = await playground(`#output_type=html&url=${site.url(path)}`);
    expect(await render(page)).toBe('done');
    const image = page.frameLocator('iframe[title="The rendered HTML"]').locator('#i');
    await image.waitFor();
    const size = await image.evaluate(async (img: HTMLImageElement) => {
      await img.decode();
      return [img.naturalWidth, img.naturalHeight, document.compatMode];
    });
    expect(size).toEqual([7, 3, 'CSS1Compat']);
    expect(complaints).toEqual([]);
    await page.getByRole('tab', { name: 'Source' }).click();
    expect(await page.getByRole('region', { name: 'Source' }).textContent()).toBe(PAGES[path]);
  });
});

describe('the form', () => {
  it('is filled by a query as by a fragment, and renders nothing by itself', async () => {
    const { page } = await playground('?url=http://a.test/&browser_width=800');
    expect(await page.getByLabel('Page to render').inputValue()).toBe('http://a.test/');
    expect(await page.getByLabel('browser_width', { exact: true }).inputValue()).toBe('800');
    expect(new URL(page.url()).search).toBe('');
    expect(new URL(page.url()).hash).toContain('browser_width=800');
  });

  it('shows no code without a page to render, and code that fails on errors with one', async () => {
    const { page } = await playground();
    for (const tab of ['curl', 'fetch', 'Python', 'Command line', 'URL']) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      expect(await page.getByText('Enter the page to render').isVisible()).toBe(true);
      expect(await page.getByRole('region', { name: 'Code', exact: true }).count()).toBe(0);
    }
    await page.getByRole('tab', { name: 'curl', exact: true }).click();
    await page.getByLabel('Page to render').fill('example.com/a');
    const code = await page.getByRole('region', { name: 'Code', exact: true }).textContent();
    expect(code).toMatch(/^curl --fail-with-body /);
    expect(code).toContain('"url": "https://example.com/a"');
  });

  it('takes an address without a scheme out of a link', async () => {
    const { page } = await playground('#url=example.com');
    expect(await page.locator('.misread').textContent()).toBe('');
  });

  it('keeps its search where it is when nothing matches', async () => {
    const { page } = await playground();
    const search = page.getByLabel('Find a parameter');
    const before = await search.boundingBox();
    await search.fill('nosuchthing');
    await page.getByText('No parameter matches').waitFor();
    expect(await search.boundingBox()).toEqual(before);
  });
});

it.each([
  ...['example.com/path?q=1', 'example.com:8080', '192.168.1.1:80', 'localhost:8080', '[::1]:3000', 'http://a.test/'],
  ...['data:text/html,hi', 'data:1', 'user:secret@example.com', 'two words', '/path'],
])('reads the address %j as the command line does', (address) => {
  expect(withSchemeInPage(address)).toBe(withScheme(address) ?? address);
});
