import { createTestKernel } from '@platen/kernel/testing';
import { settleAnimations } from '@platen/lib-page-layout';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import { describe, expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { openPool } from '../../../kernel/browser/open-pool.js';
import { dataUrl, page } from '../pictures.js';

async function open(html: string) {
  const pool = openPool();
  const lease = await pool.lease({});
  await lease.tab.page.goto(dataUrl(html));
  await lease.tab.page.lifecycle.reached('load');
  return {
    page: lease.tab.page,
    async [Symbol.asyncDispose]() {
      await lease[Symbol.asyncDispose]();
      await pool[Symbol.asyncDispose]();
    },
  };
}

const box = (id: string, seconds: number, more: string) =>
  `<div id="${id}" style="height:50px;background:red;transition:opacity ${String(seconds)}s linear"></div><script>${more}</script>`;

/** Runs in the page: how often the first box has become as it was to become. */
function countEnds(): number {
  return Number(document.querySelector('div')?.dataset['ends']);
}

describe('what is waited for of transitions', () => {
  it('is not one that begins anew whenever it ends', async () => {
    const beat = 'let ends=0;const next=()=>{it.dataset.ends=ends;it.style.opacity=++ends%2?.3:1};it.ontransitionend=next;onload=next';
    await using opened = await open(box('it', 0.6, beat));
    expect(await settleAnimations(opened.page, { everywhere: true })).toBe(true);
    expect(await opened.page.evaluate(countEnds)).toBe(2);
    expect(await settleAnimations(opened.page, { everywhere: true })).toBe(false);
    expect(await settleAnimations(opened.page, { selector: '#it', limitMs: 2000 })).toBe(false);
  });

  it('is no more than 2 seconds in all for one page', async () => {
    const both = box('a', 1.2, 'onload=()=>{a.style.opacity=0}') + box('b', 1.2, '');
    await using opened = await open(both);
    expect(await settleAnimations(opened.page, { everywhere: true })).toBe(true);
    await opened.page.evaluate(() => {
      for (const element of document.querySelectorAll('div')) element.style.opacity = '0.5';
    });
    expect(await settleAnimations(opened.page, { everywhere: true })).toBe(false);
    expect(await settleAnimations(opened.page, { everywhere: true, limitMs: 2000 })).toBe(true);
  });

  it.each([{ image_selector: 'img' }, { full_page: true }, {}])('is named where the time was over meanwhile: %j', async (params) => {
    await using host = createTestKernel({ plugins: [pixels, png] });
    // The browser runs: the time is the page's.
    await host.render({ url: 'data:text/html,' });
    await using site = await openSite({
      '/': page('<script>onload=()=>{document.body.innerHTML="<img src=/endless.png width=50 height=50>"}</script>'),
      '/endless.png': () => undefined,
    });
    const rendering = host.render({ url: site.url('/'), timeout: 2, ...params });
    await expect(rendering).rejects.toMatchObject({
      code: 'render_timeout',
      details: { phase: 'capture', unmet: 'images, fonts and transitions' },
    });
  });
});
