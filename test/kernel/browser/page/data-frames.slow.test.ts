import { afterAll, beforeAll, test } from 'vitest';
import { openPageSite, type PageSite } from '../page-site.js';

let pages: PageSite;

beforeAll(async () => {
  pages = await openPageSite({
    '/': '<!doctype html><iframe src="data:text/html,frame"></iframe><script>open("/popup")</script>',
    '/popup': '<!doctype html><title>popup</title>',
  });
});
afterAll(() => pages[Symbol.asyncDispose]());

test('a page with a frame of a data URL loads while it opens a popup', async () => {
  const load = () =>
    pages.withPage(async ({ page }) => {
      await page.goto(pages.site.url('/'));
      await page.lifecycle.reached('load');
    });
  // Several at a time: it failed where the processors were busy, in one load of thirty.
  for (let round = 0; round < 20; round += 1) await Promise.all([load(), load(), load(), load()]);
});
