import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Site } from '../../../helpers/site.js';
import { openPageSite, type PageSite } from '../page-site.js';

/** What lets go of the answer that breaks off. */
let breaking: ServerResponse | undefined;
const begin =
  (headers: Record<string, string>) =>
  (_request: unknown, response: ServerResponse): undefined => {
    breaking = response;
    response.writeHead(200, { 'content-type': 'text/html', ...headers });
    response.write('<!doctype html><p>a beginning');
  };

let pages: PageSite;
let site: Site;
let withPage: PageSite['withPage'];

beforeAll(async () => {
  pages = await openPageSite({
    '/': '<!doctype html><title>home</title>',
    '/missing': { status: 404, body: '<p>nothing here</p>' },
    '/missing-empty': { status: 404 },
    '/cut-length': begin({ 'content-length': '100000' }),
    '/cut-chunk': begin({ 'transfer-encoding': 'chunked' }),
    '/worker':
      '<!doctype html><script>worker = new Worker("/worker.js"); said = new Promise((resolve) => { worker.onmessage = resolve })</script>',
    '/worker.js': { headers: { 'content-type': 'text/javascript' }, body: 'postMessage(1)' },
  });
  ({ site, withPage } = pages);
});

afterAll(() => pages[Symbol.asyncDispose]());

describe('a lifecycle is lost', () => {
  test.each([
    ['/cut-length', 'net::ERR_CONTENT_LENGTH_MISMATCH'],
    ['/cut-chunk', 'net::ERR_INCOMPLETE_CHUNKED_ENCODING'],
  ])('when the document breaks off, and is found again by the next: %s', (path, net_error) =>
    withPage(async ({ page }) => {
      await page.goto(site.url(path));
      const { failed } = page.lifecycle;
      const waits = [page.lifecycle.reached('DOMContentLoaded'), page.lifecycle.reached('load')];
      expect(failed.aborted).toBe(false);
      breaking?.destroy();
      const reason: unknown = expect.objectContaining({
        code: 'target_unreachable',
        details: { retryable: true, target: { url: site.url(path), net_error } },
      });
      expect(await Promise.allSettled(waits)).toEqual(waits.map(() => ({ status: 'rejected', reason })));
      expect(failed.reason).toEqual(reason);
      await page.goto(site.url('/'));
      await page.lifecycle.reached('load');
      expect(page.lifecycle.failed.aborted).toBe(false);
    }),
  );

  test.each([
    ['shell', 'http://127.0.0.1:9999/', 'target_unreachable', 'net::ERR_CONNECTION_REFUSED'],
    ['full', 'http://127.0.0.1:9999/', 'target_unreachable', 'net::ERR_CONNECTION_REFUSED'],
    ['shell', 'http://nowhere.invalid/', 'target_unreachable', 'net::ERR_NAME_NOT_RESOLVED'],
    ['shell', 'http://169.254.169.254/', 'target_blocked', undefined],
  ] as const)('when the page goes by itself to where nothing answers (%s, %s)', (variant, url, code, netError) =>
    withPage(
      async ({ page }) => {
        await page.goto(site.url('/'));
        await page.lifecycle.reached('load');
        const { failed } = page.lifecycle;
        await page.evaluateInMainWorld(`setTimeout(() => { location.href = ${JSON.stringify(url)} })`);
        if (!failed.aborted) await once(failed, 'abort');
        expect(failed.reason).toMatchObject({ code, details: { target: { url } } });
        if (netError !== undefined) expect(failed.reason).toMatchObject({ details: { target: { net_error: netError } } });
      },
      { variant },
    ),
  );

  test.each([
    ['shell', '/missing'],
    ['shell', '/missing-empty'],
    ['full', '/missing-empty'],
  ] as const)('but not when it goes to an error of the site (%s, %s)', (variant, path) =>
    withPage(
      async ({ page }) => {
        await page.goto(site.url('/'));
        await page.lifecycle.reached('load');
        const loaded = new Promise<void>((resolve) => {
          page.on('Page.loadEventFired', () => {
            resolve();
          });
        });
        await page.evaluateInMainWorld(`setTimeout(() => { location.href = ${JSON.stringify(path)} })`);
        await loaded;
        expect(page.lifecycle.failed.aborted).toBe(false);
        expect(await page.lifecycle.reached('load')).toBeGreaterThan(0);
      },
      { variant },
    ),
  );

  test('for good when the page crashes', () =>
    withPage(async ({ page }) => {
      await page.goto(site.url('/'));
      await expect(page.send('Page.crash')).rejects.toMatchObject({ code: 'page_crashed' });
      expect(page.lifecycle.failed.reason).toMatchObject({ code: 'page_crashed' });
      await expect(page.goto(site.url('/'))).rejects.toMatchObject({ code: 'page_crashed' });
      expect(page.lifecycle.failed.aborted).toBe(true);
    }));
});

test('a target says when it ends, and is no longer among all then', () =>
  withPage(async ({ page }) => {
    const ended = new Promise<number>((resolve) => {
      page.targets.configure((target) => {
        if (target.kind !== 'worker') return [];
        target.onEnd(() => {
          resolve(page.targets.all.length);
        });
        return [];
      });
    });
    await page.goto(site.url('/worker'));
    await page.lifecycle.reached('load');
    await page.evaluateInMainWorld('said.then(() => worker.terminate())');
    await expect(ended).resolves.toBe(1);
  }));
