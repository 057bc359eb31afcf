import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../architecture/workspaces.js';
import { startServer, type RunningServer } from '../helpers/run-cli.js';
import { openBrowser, visit } from '../plugins/service/openapi/open-playground.js';
import { SEARCHES } from './search-words.js';

let server: RunningServer;
let browser: Browser;
// A dead link fails the build.
beforeAll(async () => {
  await promisify(execFile)('npm', ['run', 'docs'], { cwd: ROOT, maxBuffer: 2 ** 26 });
  [server, browser] = await Promise.all([startServer(['--server-enable-docs']), openBrowser()]);
}, 600_000);
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

const fetchPage = (path: string, init?: RequestInit) => fetch(`${server.url}${path}`, init);

describe('the site at /guide/', () => {
  it('has the pages, under the names of their files', async () => {
    for (const path of ['/guide/', '/guide/recipes.html', '/guide/recipes', '/guide/reference/parameters.html', '/guide/server/']) {
      const response = await fetchPage(path);
      expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
    }
    expect((await fetchPage('/guide', { redirect: 'manual' })).headers.get('location')).toBe('guide/');
    expect(await (await fetchPage('/guide/reference/parameters.html')).text()).toContain('id="full_page"');
  });

  it('runs under its policy, and sends no request but to its server', async () => {
    await using visited = await visit(browser, `${server.url}/guide/recipes.html`);
    const { page, complaints } = visited;
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).origin));
    await page.reload();
    await page.getByRole('link', { name: 'Parameters' }).first().click();
    await page.locator('h3#full_page').waitFor();
    expect([...hosts]).toEqual([server.url]);
    expect(complaints).toEqual([]);
    const policy = (await fetchPage('/guide/recipes.html')).headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'self' 'sha256-[^;]*; style-src 'self';[^,]*, script-src \*:\*\/guide\/ 'sha256-/,
    );
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  });

  it('finds the parameter by the words of a task', async () => {
    await using visited = await visit(browser, `${server.url}/guide/recipes.html`);
    const { page } = visited;
    await page.locator('#local-search button').click();
    for (const [words, key] of SEARCHES) {
      await page.locator('#localsearch-input').fill(words);
      await page.locator(`a.result[href$="parameters.html#${key}"]`).first().waitFor({ timeout: 60_000 });
    }
    expect(visited.complaints).toEqual([]);
  });

  it('caches files whose names change with their content, and revalidates the others', async () => {
    const html = await (await fetchPage('/guide/recipes.html')).text();
    const [script = ''] = /\/guide\/assets\/app\.[^"]+\.js/.exec(html) ?? [];
    expect((await fetchPage(script)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const page = await fetchPage('/guide/recipes.html');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const again = await fetchPage('/guide/recipes.html', { headers: { 'if-none-match': page.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });

  it.each([
    '/guide/../package.json',
    '/guide/%2e%2e/package.json',
    '/guide/..%2fpackage.json',
    '/guide/%2e%2e%2f%2e%2e%2fpackage.json',
    '/guide/nothing',
  ])('reads no other file: %s', async (path) => {
    const { stdout } = await promisify(execFile)('curl', [
      '--silent',
      '--path-as-is',
      '--write-out',
      '\n%{http_code}',
      `${server.url}${path}`,
    ]);
    expect(stdout).toMatch(/"code":"not_found"[^\n]*\n404$/);
  });

  it('has a list of its pages for agents, each as Markdown', async () => {
    const response = await fetchPage('/llms.txt');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const text = await response.text();
    expect(text).toMatch(/^# Platen\n\n> /);
    const links = [...text.matchAll(/\]\((\/guide\/[^)]+)\)/g)].map(([, path = '']) => path);
    expect(links).toEqual(expect.arrayContaining(['/guide/recipes.md', '/guide/reference/parameters.md']));
    for (const path of links) expect((await fetchPage(path)).status, path).toBe(200);
    const page = await (await fetchPage('/guide/api/pdf.md')).text();
    // The words are those of the source; its links lead to pages of the site.
    const withoutLinks = (markdown: string) => markdown.replaceAll(/\]\([^)]*\)/g, ']');
    expect(withoutLinks(page)).toBe(withoutLinks(await readFile(join(ROOT, 'server/docs/api/pdf.md'), 'utf8')));
    expect(page).toContain('[print](../plugins/capture/print/index.md)');
    expect((await fetchPage('/guide/plugins/capture/print/index.md')).status).toBe(200);
  });

  it('is linked from the API page and the playground', async () => {
    for (const path of ['/docs', '/playground']) {
      await using visited = await visit(browser, `${server.url}${path}`);
      await visited.page.getByRole('link', { name: 'Guide', exact: true }).click();
      await visited.page.getByRole('heading', { level: 1 }).first().waitFor();
      expect(new URL(visited.page.url()).pathname).toBe('/guide/');
    }
  });
});
