import { buffer } from 'node:stream/consumers';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../../../helpers/run-cli.js';
import { openSite, type Site } from '../../../helpers/site.js';
import type { Document } from './open-documented.js';
import { openBrowser, render, visit } from './open-playground.js';

const PAGE =
  '<!doctype html><html lang="en"><title>Example</title><body style="margin:0;background:rgb(0,128,0)"><main><h1>Hello</h1></main>';

const withoutParameters = (contentType: string) => contentType.split(';')[0];

let site: Site;
let server: RunningServer;
let browser: Browser;
let document: Document;

beforeAll(async () => {
  site = await openSite({ '/': PAGE });
  server = await startServer(['--server-enable-docs', '--log-level', 'info']);
  browser = await openBrowser();
  document = await (await fetch(`${server.url}/openapi.json`)).json();
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe('a documented example, rendered', () => {
  it.each([
    ...['full_page', 'browser_width', 'pdf_scale', 'markdown_format', 'axtree_only_visible', 'with_har', 'diagnostics'],
    ...['emulate_timezone'],
  ])('%s', async (key) => {
    const { post } = document.paths['/'];
    const { value } = post.requestBody.content['application/json'].examples[key];
    const response = await fetch(server.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...value, url: site.url('/') }),
    });
    expect(response.status).toBe(200);
    expect(Object.keys(post.responses[200].content).map(withoutParameters)).toContain(
      withoutParameters(response.headers.get('content-type') ?? ''),
    );
    const shown = [...response.headers.keys()].filter((name) => /^(x-(?!content-type)|link|server-timing)/.test(name));
    const told = Object.keys(post.responses[200].headers).map((name) => name.toLowerCase());
    expect(told).toEqual(expect.arrayContaining(shown));
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
    expect(response.headers.has('link')).toBe(key === 'with_har');
  });
});

describe('the playground renders a page', () => {
  const shown = async (hash: string) => {
    const visited = await visit(browser, `${server.url}/playground#url=${encodeURIComponent(site.url('/'))}&${hash}`);
    await visited.page.waitForSelector('body[data-state=idle]');
    expect(await render(visited.page)).toBe('done');
    return visited;
  };

  it('into an image that can be viewed and saved, with its network log beside it', async () => {
    await using visited = await shown('output_type=png&browser_width=320&browser_height=200&with_har=true');
    const { page, complaints } = visited;
    await page.waitForFunction(() => window.document.querySelector<HTMLImageElement>('#result img')?.naturalWidth === 320);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    const bytes = await buffer(await (await download).createReadStream());
    expect((await download).suggestedFilename()).toMatch(/\.png$/);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 320, height: 200 });
    expect(await page.getByRole('link', { name: 'har' }).getAttribute('href')).toMatch(/\/assets\?id=[\w-]{22}$/);
    expect(complaints).toEqual([]);
  });

  it('into a video that plays', async () => {
    await using visited = await shown('output_type=webm&video_duration=0.4&video_framerate=5&browser_width=320&browser_height=200');
    await visited.page.waitForFunction(() => (window.document.querySelector('video')?.videoWidth ?? 0) === 320);
  });

  it('into HTML that is shown as it looks', async () => {
    await using visited = await shown('output_type=html');
    const frame = visited.page.frameLocator('iframe');
    expect(await frame.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)).toBe('rgb(0, 128, 0)');
  });

  it.each([
    // The browser of this test has no viewer.
    ['pdf', 'a[download$=".pdf"]'],
    ['markdown', '.prose'],
    ['axtree_json', '.tree'],
  ])('into %s', async (type, selector) => {
    await using visited = await shown(`output_type=${type}`);
    await visited.page.locator(`#result ${selector}`).first().waitFor();
  });

  it('or says what the target answered', async () => {
    await using visited = await visit(browser, `${server.url}/playground#url=${encodeURIComponent(site.url('/nowhere'))}`);
    await visited.page.waitForSelector('body[data-state=idle]');
    expect(await render(visited.page)).toBe('failed');
    expect(await visited.page.getByRole('alert').textContent()).toContain('target_status');
  });
});
