import type { TargetSession } from '@platen/kernel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Site } from '../../../helpers/site.js';
import { until } from '../../../helpers/until.js';
import { openPageSite, type PageSite } from '../page-site.js';

let pages: PageSite;
let site: Site;
let withPage: PageSite['withPage'];

const port = () => new URL(site.url('/')).port;

beforeAll(async () => {
  pages = await openPageSite({
    '/': '<!doctype html><title>home</title><h1 style="position:absolute;left:10px;top:2000px;width:300px;height:40px;margin:0">hi</h1>',
    '/redirect': { status: 302, headers: { location: '/' } },
    '/popup': '<!doctype html><title>popup</title>',
    '/around': ({ url = '' }) => `<!doctype html><iframe src="http://localhost:${port()}/inner?${url.slice(-1)}"></iframe>`,
    '/inner': ({ url = '' }) =>
      `<!doctype html><iframe src="http://127.0.0.1:${port()}/innermost?${url.slice(-1)}"></iframe><iframe src="/same?${url.slice(-1)}"></iframe>`,
    '/innermost': '',
    '/same': '',
    '/dialogs':
      '<!doctype html><script>window.answers = [alert(1), confirm("?"), prompt("?")]; onbeforeunload = (e) => { e.preventDefault(); return "no" }</script>',
  });
  ({ site, withPage } = pages);
});

afterAll(() => pages[Symbol.asyncDispose]());

describe('dialogs and popups', () => {
  test('a listener answers dialogs, also those of popups, until it stops listening', () =>
    withPage(async ({ page }) => {
      const asked: string[] = [];
      const stop = page.onDialog(({ type, message, defaultPrompt, accept }) => {
        asked.push(`${type} ${message} ${defaultPrompt}`);
        void accept('typed');
      });
      await page.goto(site.url('/dialogs'));
      await page.lifecycle.reached('load');
      await expect(page.evaluateInMainWorld('answers')).resolves.toEqual([null, true, 'typed']);
      expect(asked).toEqual(['alert 1 ', 'confirm ? ', 'prompt ? ']);
      await expect(page.evaluateInMainWorld('window.open("about:blank").confirm("in the popup")')).resolves.toBe(true);
      stop();
      await expect(page.evaluateInMainWorld('confirm("again")')).resolves.toBe(false);
    }));

  test('cross-site frames belong to the page that they are in, and to no other', () =>
    withPage(async ({ page }) => {
      const popups: TargetSession[] = [];
      page.targets.configure((target) => {
        if (target.kind === 'page' && !target.primary) popups.push(target);
        return [];
      });
      await page.goto(site.url('/'));
      await page.evaluateInMainWorld('new Promise((loaded) => { open("/around?b").onload = loaded })');
      await page.evaluateInMainWorld(
        'new Promise((loaded) => { const frame = document.createElement("iframe"); frame.onload = loaded; frame.src = "/around?a"; document.body.append(frame) })',
      );
      const [target] = popups;
      if (target === undefined) throw new Error('no popup');
      const popup = page.pageOf(target);
      const pathsOf = async (one: typeof page) => (await one.frames()).map(({ url }) => new URL(url).pathname + new URL(url).search).sort();
      await until(async () => (await pathsOf(page)).length === 5 && (await pathsOf(popup)).length === 4);
      expect(await pathsOf(page)).toEqual(['/', '/around?a', '/inner?a', '/innermost?a', '/same?a']);
      expect(await pathsOf(popup)).toEqual(['/around?b', '/inner?b', '/innermost?b', '/same?b']);
      expect(page.targets.all.filter(({ kind }) => kind === 'iframe')).toHaveLength(4);
      expect(page.frameTargets().map(({ kind }) => kind)).toEqual(['page', 'iframe', 'iframe']);
      expect(popup.frameTargets()[0]?.targetId).toBe(target.targetId);
      const found = await popup.inEveryFrame(({ evaluate }, { parentId }) =>
        parentId === undefined ? Promise.reject(new Error('no')) : evaluate(() => location.pathname),
      );
      expect([...found].sort()).toEqual(['/inner', '/innermost', '/same']);
    }));

  test('a popup is a page, also if it was loaded before', () =>
    withPage(async ({ page, show, onOneDocument }) => {
      await page.goto(site.url('/'));
      const popups: TargetSession[] = [];
      page.targets.configure((target) => {
        if (target.kind === 'page' && !target.primary) popups.push(target);
        return [];
      });
      await page.evaluateInMainWorld('new Promise((loaded) => { open("/popup").onload = loaded })');
      const [target] = popups;
      if (target === undefined) throw new Error('no popup');
      const popup = page.pageOf(target);
      await popup.lifecycle.reached('load');
      await expect(popup.evaluate(() => location.pathname)).resolves.toBe('/popup');
      await expect(popup.goto(site.url('/redirect'))).resolves.toMatchObject({ status: 200 });
      await popup.lifecycle.reached('load');
      await expect(popup.rect('h1')).resolves.toMatchObject({ x: 10, y: 2000 });
      expect((await popup.screenshot({ format: 'png' })).readUInt32BE(0)).toBe(0x89504e47);
      expect(page.pageOf(target)).toBe(popup);
      // Reads are guarded by the document of the page that is shown.
      const moves = () =>
        onOneDocument({
          prepare: () => Promise.resolve(),
          read: async () => {
            await popup.evaluateInMainWorld('location = "/popup"');
            await until(() => popup.evaluate(() => location.pathname === '/popup'));
          },
        });
      show(popup);
      await expect(moves()).rejects.toMatchObject({ code: 'page_unstable' });
    }));
});
