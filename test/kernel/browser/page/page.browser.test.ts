import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { openPageSite, type PageSite } from '../page-site.js';

let pages: PageSite;
let site: Site;
let withPage: PageSite['withPage'];

/** Where no redirect may lead, be it that Chromium refuses it or that it would hand it to another program. */
const REFUSED = [
  ['file', 'file:///etc/passwd'],
  ['chrome', 'chrome://version'],
  ['view-source', 'view-source:http://127.0.0.1/'],
  ['javascript', 'javascript:alert(1)'],
  ['about', 'about:blank'],
  ['data', 'data:text/html,hi'],
  ['ftp', 'ftp://example.com/'],
] as const;

beforeAll(async () => {
  pages = await openPageSite({
    '/': '<!doctype html><title>home</title><h1 style="position:absolute;left:10px;top:2000px;width:300px;height:40px;margin:0">hi</h1><div style="height:5000px">',
    '/redirect': { status: 302, headers: { location: '/' } },
    ...Object.fromEntries(REFUSED.map(([scheme, location]) => [`/to-${scheme}`, { status: 302, headers: { location } }] as const)),
    '/loop': { status: 302, headers: { location: '/loop' } },
    '/missing': { status: 404, body: '<p>nothing here</p>' },
    '/missing-empty': { status: 404 },
    '/empty': { status: 204 },
    '/download': {
      headers: { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename=x.bin' },
      body: 'bytes',
    },
    '/refresh': '<!doctype html><meta http-equiv=refresh content="0;url=/refreshed">first',
    '/refreshed': '<!doctype html><p id=second>second',
    '/size':
      '<!doctype html><script>document.title = [innerWidth, innerHeight, devicePixelRatio, screen.width, navigator.maxTouchPoints].join()</script>',
    '/dialogs':
      '<!doctype html><script>window.answers = [alert(1), confirm("?"), prompt("?")]; onbeforeunload = (e) => { e.preventDefault(); return "no" }</script>',
    '/reset': (request) => {
      request.socket.destroy();
      return undefined;
    },
  });
  ({ site, withPage } = pages);
});

afterAll(() => pages[Symbol.asyncDispose]());

describe('goto', () => {
  test('answers the main document of the last redirect', () =>
    withPage(async ({ page }) => {
      const response = await page.goto(site.url('/redirect'));
      expect(response).toMatchObject({ url: site.url('/'), status: 200 });
      await expect(page.evaluate(() => document.title)).resolves.toBe('home');
    }));

  test('answers an error status as a response, with the page that came with it', () =>
    withPage(async ({ page }) => {
      expect(await page.goto(site.url('/missing'))).toMatchObject({ status: 404 });
      await expect(page.evaluate(() => document.body.innerText.trim())).resolves.toBe('nothing here');
    }));

  test.each(['shell', 'full'] as const)(
    "renders an error without a body as an empty page, not as the browser's own error page (%s)",
    (variant) =>
      withPage(
        async ({ page }) => {
          expect(await page.goto(site.url('/missing-empty'))).toMatchObject({ status: 404 });
          await page.lifecycle.reached('load');
          await expect(page.evaluate(() => document.documentElement.outerHTML)).resolves.toBe('<html><head></head><body></body></html>');
        },
        { variant },
      ),
  );

  test('has no response for a data: URL', () =>
    withPage(async ({ page }) => {
      expect(await page.goto('data:text/html,<title>inline</title>')).toBeUndefined();
      await expect(page.evaluate(() => document.title)).resolves.toBe('inline');
    }));

  test.each([
    ['/empty', 'target_not_page', 'net::ERR_ABORTED', undefined],
    ['/download', 'target_not_page', undefined, undefined],
    ['/loop', 'target_unreachable', 'net::ERR_TOO_MANY_REDIRECTS', false],
    ['/reset', 'target_unreachable', 'net::ERR_EMPTY_RESPONSE', true],
  ])('throws for %s', (path, code, netError, retryable) =>
    withPage(async ({ page }) => {
      const error: unknown = await page.goto(site.url(path)).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code, details: { target: { url: site.url(path) } } });
      if (netError !== undefined) expect(error).toMatchObject({ details: { target: { net_error: netError } } });
      if (retryable !== undefined) expect(error).toMatchObject({ details: { retryable } });
    }),
  );

  test('says why a host cannot be reached, in the words of Chromium', () =>
    withPage(async ({ page }) => {
      await expect(page.goto('http://127.0.0.1:9999/')).rejects.toMatchObject({
        code: 'target_unreachable',
        details: { target: { net_error: 'net::ERR_CONNECTION_REFUSED' } },
      });
      await expect(page.goto('http://user:secret@nowhere.invalid/')).rejects.toMatchObject({
        code: 'target_unreachable',
        details: { target: { url: 'http://nowhere.invalid/', net_error: 'net::ERR_NAME_NOT_RESOLVED' } },
      });
    }));

  test('is blocked where the egress refuses the address, by http and https alike', () =>
    withPage(async ({ page }, { context: egress }) => {
      await expect(page.goto('http://169.254.169.254/latest')).rejects.toMatchObject({
        code: 'target_blocked',
        message: expect.stringContaining('link-local or cloud metadata address') as string,
      });
      await expect(page.goto('http://127.0.0.1:22/')).rejects.toMatchObject({
        code: 'target_blocked',
        message: expect.stringContaining('refuse to connect to port 22') as string,
      });
      await expect(page.goto('https://169.254.169.254/latest')).rejects.toMatchObject({ code: 'target_blocked' });
      expect(egress.entries.map(({ outcome }) => outcome)).toEqual(['blocked', 'blocked']);
    }));

  test.each(REFUSED)('follows no redirect to %s:', (scheme) =>
    withPage(async ({ page }) => {
      await expect(page.goto(site.url(`/to-${scheme}`))).rejects.toMatchObject({
        code: 'target_blocked',
        message: `the target is blocked: it redirects to "${scheme}:", and only http and https are followed`,
        details: { target: { net_error: 'net::ERR_UNSAFE_REDIRECT' } },
      });
    }),
  );

  test('works again after a failure', () =>
    withPage(async ({ page }) => {
      await expect(page.goto(site.url('/empty'))).rejects.toMatchObject({ code: 'target_not_page' });
      expect(await page.goto(site.url('/'))).toMatchObject({ status: 200 });
      await page.lifecycle.reached('load');
    }));

  test.each(['/empty', '/download', '/#there'])('leaves the document loaded where there is no other: %s', (path) =>
    withPage(async ({ page }) => {
      await page.goto(site.url('/'));
      await page.lifecycle.reached('load');
      await page.goto(site.url(path)).catch(() => undefined);
      await page.lifecycle.reached('DOMContentLoaded');
      await page.lifecycle.reached('load');
    }),
  );

  test('jumps within a document', () =>
    withPage(async ({ page }) => {
      await page.goto(site.url('/'));
      await page.lifecycle.reached('load');
      expect(await page.goto(site.url('/#there'))).toBeUndefined();
    }));
});

describe('reload', () => {
  test('loads the document again, at the new viewport', () =>
    withPage(async ({ page }) => {
      await page.goto(site.url('/size'));
      await page.lifecycle.reached('load');
      await page.setProfile({ height: 3000 });
      expect(await page.reload()).toMatchObject({ status: 200, url: site.url('/size') });
      await page.lifecycle.reached('load');
      await expect(page.evaluate(() => document.title)).resolves.toBe('1280,3000,1,1280,0');
    }));

  test('throws where the target has gone meanwhile', () =>
    withPage(async ({ page }) => {
      const other = await openSite({ '/': 'here' });
      await page.goto(other.url('/'));
      await other[Symbol.asyncDispose]();
      await expect(page.reload()).rejects.toMatchObject({
        code: 'target_unreachable',
        details: { target: { net_error: 'net::ERR_CONNECTION_REFUSED' } },
      });
    }));
});

describe('the page', () => {
  test('starts its lifecycle anew at each main document', () =>
    withPage(async ({ page }) => {
      await page.goto(site.url('/refresh'));
      const second = await page.evaluate(
        () =>
          new Promise<string>((resolve) => {
            const look = () => {
              const found = document.querySelector('#second');
              if (found) resolve(location.pathname);
            };
            look();
            addEventListener('DOMContentLoaded', look);
          }),
      );
      expect(second).toBe('/refreshed');
      const dom = await page.lifecycle.reached('DOMContentLoaded');
      const load = await page.lifecycle.reached('load');
      expect(load).toBeGreaterThanOrEqual(dom);
    }));

  test('evaluates out of reach of the page, with arguments and results by value', () =>
    withPage(async ({ page }) => {
      await page.goto(`data:text/html,<script>window.mine = 1; Array.prototype.map = () => 'broken'</script>`);
      await expect(page.evaluate((a, b) => ({ sum: [a, b].map((n) => n + 1), mine: 'mine' in window }), 1, 2)).resolves.toEqual({
        sum: [2, 3],
        mine: false,
      });
      await expect(page.evaluate(() => Promise.reject(new Error('no such luck')))).rejects.toMatchObject({
        code: 'page_unreadable',
        cause: { message: expect.stringContaining('no such luck') as unknown },
      });
      await expect(page.evaluateInMainWorld('mine')).resolves.toBe(1);
      await expect(page.evaluateInMainWorld('throw new TypeError("bad")')).rejects.toMatchObject({
        code: 'script_failed',
        message: 'the script threw: TypeError: bad',
      });
      await expect(page.evaluateInMainWorld('this is no script')).rejects.toMatchObject({ code: 'script_failed' });
    }));

  test('measures in the coordinates of the document', () =>
    withPage(async ({ page }) => {
      await page.goto(site.url('/'));
      await page.evaluate(() => {
        scrollTo(0, 700);
      });
      await expect(page.rect('h1')).resolves.toEqual({ x: 10, y: 2000, width: 300, height: 40 });
      await expect(page.rect('h7')).resolves.toBeNull();
      await expect(page.rect('h1[')).rejects.toMatchObject({ code: 'selector_not_found' });
    }));

  test('draws the viewport, a part of the document, and every format', () =>
    withPage(async ({ page }) => {
      await page.goto(site.url('/'));
      const png = await page.screenshot({ format: 'png', fast: true });
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1280, 720]);
      const part = await page.screenshot({
        format: 'png',
        clip: { x: 0, y: 1990, width: 400, height: 100, scale: 0.5 },
        beyondViewport: true,
      });
      expect([part.readUInt32BE(16), part.readUInt32BE(20)]).toEqual([200, 50]);
      expect((await page.screenshot({ format: 'jpeg', quality: 50 })).subarray(0, 2).toString('hex')).toBe('ffd8');
      expect((await page.screenshot({ format: 'webp' })).subarray(8, 12).toString()).toBe('WEBP');
      const tooTall = { format: 'webp', clip: { x: 0, y: 0, width: 10, height: 20_000, scale: 1 }, beyondViewport: true } as const;
      await expect(page.screenshot(tooTall)).rejects.toMatchObject({ code: 'capture_too_large' });
    }));

  test('has the profile that was asked for, and another when told so', () =>
    withPage(
      async ({ page }) => {
        await page.goto(site.url('/size'));
        await expect(page.evaluate(() => document.title)).resolves.toBe('400,600,2,400,3');
        await page.setProfile({ touchPoints: 0, deviceScaleFactor: 1 });
        expect(page.profile).toMatchObject({ width: 400, touchPoints: 0, deviceScaleFactor: 1 });
        await page.reload();
        await expect(page.evaluate(() => document.title)).resolves.toBe('400,600,1,400,0');
      },
      { profile: { width: 400, height: 600, deviceScaleFactor: 2, touchPoints: 3 } },
    ));

  test.each(['shell', 'full'] as const)('gets past dialogs by itself (%s)', (variant) =>
    withPage(
      async ({ page }) => {
        await page.goto(site.url('/dialogs'));
        await page.lifecycle.reached('load');
        await expect(page.evaluateInMainWorld('answers')).resolves.toEqual([null, false, null]);
        await page.goto(site.url('/'));
        await expect(page.evaluate(() => document.title)).resolves.toBe('home');
      },
      { variant },
    ),
  );
});
