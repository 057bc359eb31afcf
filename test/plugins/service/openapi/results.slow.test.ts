import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../../../helpers/run-cli.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { openBrowser, render, visit, type Visit } from './open-playground.js';

const pageOf = (title: string, links: readonly string[] = []) =>
  `<!doctype html><html lang="en"><title>${title}</title><body style="margin:0"><h1 style="margin:0;height:100px;width:400px;background:green">${title}</h1><main style="height:1500px">${links.map((link) => `<a href="${link}">${link}</a> `).join('')}<table><tr><th>a<th>b<tr><td>1<td>2</table></main>`;

let folder: string;
let site: Site;
let server: RunningServer;
let browser: Browser;
const opened: Visit[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-pages-'));
  site = await openSite({
    '/': pageOf('Hello', ['/one', '/two']),
    '/one': pageOf('One'),
    '/two': pageOf('Two'),
    '/endless': pageOf('Endless', ['/one', '/never']),
    // Never answered: a crawl waits for it.
    '/never': () => undefined,
  });
  server = await startServer(['--server-enable-docs', '--server-enable-jobs', folder, '--log-level', 'info']);
  browser = await openBrowser();
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each[Symbol.asyncDispose]();
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** The playground with the request of the hash, and the hosts that it asks. */
async function open(
  hash: string,
  path = '/',
): Promise<{ readonly page: Page; readonly complaints: readonly string[]; readonly hosts: Set<string> }> {
  // The library of `expectAccessible` is put in past the page's policy.
  const visited = await visit(browser, `${server.url}/playground#url=${encodeURIComponent(site.url(path))}&${hash}`, { bypassCSP: true });
  opened.push(visited);
  const { page, complaints } = visited;
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await page.waitForSelector('body[data-state=idle]');
  return { page, complaints, hosts };
}

async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  // axe.run() is a global of the library.
  const found: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
    `axe.run('#result').then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))`,
  );
  expect(found).toEqual([]);
}

const RESULTS: readonly (readonly [hash: string, text: string | RegExp])[] = [
  ['output_type=png&browser_width=400&browser_height=300&with_har=true&with_axtree=json', '400 × 300 px'],
  ['output_type=webm&video_duration=0.4&video_framerate=5&browser_width=320&browser_height=200', /^320 × 200 px, 0\.[2-6] s$/],
  ['output_type=har', /^\d requests? · /],
  ['output_type=warc', 'text/html'],
  ['output_type=wacz&crawl_links=true&crawl_delay=0', 'Pages (3)'],
  ['output_type=axtree_json&with_output=png', 'RootWebArea Hello'],
  ['output_type=markdown', 'Rendered'],
  ['output_type=json&extract_links=true&extract_metadata=true', 'metadata'],
  ['output_type=jsonl&crawl_links=true', /Hello · http/],
];

describe('a result', () => {
  it.each(RESULTS)('of %s is shown, accessible in both colors, as wide as a phone, from this server alone', async (hash, text) => {
    const { page, complaints, hosts } = await open(hash);
    expect(await render(page), (await page.locator('#result').textContent()) ?? '').toBe('done');
    await page.locator('#result').getByText(text).first().waitFor();
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 360, height: 740 });
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    expect([...hosts].filter((host) => host !== '')).toEqual([new URL(server.url).host]);
    expect(complaints).toEqual([]);
  });

  it('that is an image has a zoom', async () => {
    const { page } = await open('output_type=png&browser_width=400&browser_height=300');
    await render(page);
    await page.getByText('400 × 300 px').waitFor();
    await page.getByLabel('Zoom').selectOption('200 %');
    expect((await page.locator('.stage img').boundingBox())?.width).toBe(800);
  });
});

describe('archives', () => {
  it('list their pages with title, status and size, and all records', async () => {
    const { page } = await open('output_type=wacz&crawl_links=true');
    await render(page);
    const pages = page.getByRole('region', { name: 'Pages' }).locator('tbody tr');
    const rows = await pages.evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)));
    expect(rows.map(([name]) => name).sort()).toEqual([`Hello${site.url('/')}`, `One${site.url('/one')}`, `Two${site.url('/two')}`]);
    for (const [, ...facts] of rows) expect(facts).toEqual(['200', 'text/html', expect.stringMatching(/^\d{3} B$/)]);
    await page.getByRole('tab', { name: /Records/ }).click();
    expect(await page.getByRole('region', { name: 'Records' }).locator('tbody tr').count()).toBeGreaterThan(2);
  });
});

describe('the accessibility tree', () => {
  const boxOf = (page: Page, selector: string) =>
    page.locator(selector).evaluate((element): DOMRect => element.getBoundingClientRect().toJSON());

  it('is beside the screenshot, with the node under the pointer framed, and that of the focus', async () => {
    const { page } = await open('output_type=axtree_json&with_output=png&browser_width=800&browser_height=600');
    await render(page);
    const image = page.getByRole('img', { name: 'The rendered page' });
    await image.waitFor();
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.screenshot img')?.naturalWidth === 800);
    const box = await boxOf(page, '.screenshot img');
    const scale = box.width / 800;
    // The heading: 400 by 100 pixels at the top left of the page.
    await page.mouse.move(box.x + 200 * scale, box.y + 80 * scale);
    expect(await page.locator('.tree .chosen').textContent()).toContain('heading Hello');
    const framed = await boxOf(page, '.screenshot .frame');
    expect([framed.x - box.x, framed.y - box.y, framed.width, framed.height].map((size) => Math.round(size / scale / 10))).toEqual([
      0, 0, 40, 10,
    ]);
    await page
      .locator('.tree button', { hasText: 'link /one' })
      .or(page.locator('.tree summary', { hasText: 'link /one' }))
      .first()
      .focus();
    expect((await boxOf(page, '.screenshot .frame')).y).toBeGreaterThan(framed.y + 50 * scale);
  });

  it('renders the screenshot by a button', async () => {
    const { page } = await open('output_type=axtree_json');
    await render(page);
    await page.getByRole('button', { name: 'Show it beside the screenshot' }).click();
    await page.getByRole('img', { name: 'The rendered page' }).waitFor();
    expect(await page.evaluate(() => location.hash)).toContain('with_output=png');
  });
});

it('assets say what they are, are shown in place of the output, and the output again', async () => {
  const { page } = await open('output_type=png&with_har=true&with_output=markdown');
  await render(page);
  const assets = page.locator('.assets', { hasText: 'application/json' });
  expect(await assets.textContent()).toContain('The network traffic of the render');
  expect(await assets.textContent()).toContain('The same page as markdown.');
  await page.getByRole('button', { name: 'Show har' }).click();
  await page.getByRole('region', { name: 'Waterfall' }).waitFor();
  await page.getByRole('button', { name: 'Show markdown' }).click();
  await page.getByRole('region', { name: 'Markdown' }).getByText('Hello').waitFor();
  await page.getByRole('button', { name: 'Show the output' }).click();
  await page.locator('.stage img').waitFor();
});

it('a crawl shows its progress, and is canceled on the server', async () => {
  const { page } = await open('output_type=wacz&crawl_links=true', '/endless');
  const [created] = await Promise.all([
    page.waitForResponse((response) => response.status() === 202),
    page.getByRole('button', { name: 'Render', exact: true }).click(),
  ]);
  await page
    .locator('.status')
    .getByText(/^2 done, 1 queued/)
    .waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForSelector('body[data-state=cancelled]');
  const job = new URL(created.headers()['location'] ?? '', server.url);
  const { state } = (await (await fetch(job, { headers: { prefer: 'wait=30' } })).json()) as { state: string };
  expect(state).toBe('canceled');
});
