import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowsers } from '@platen/kernel';
import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import { ACTED, acting, openHarProber } from '../../capture/network/har-prober.js';
import { BINARY, openTrafficSite, TEXT } from '../../capture/network/traffic-site.js';

const PAGE = acting(
  `const got = [];
   for (const path of ['/gzip', '/brotli', '/first', '/json']) got.push((await (await fetch(path)).text()).length);
   got.push([...new Uint8Array(await (await fetch('/binary')).arrayBuffer())].join());
   got.push(await (await fetch('/post', { method: 'POST', body: 'question' })).text());
   const form = new FormData(); form.set('file', new File([new Uint8Array([0, 255, 128])], 'binary'));
   got.push(await (await fetch('/upload', { method: 'POST', body: form })).text());
   got.push(await (await fetch('/bytes', { method: 'POST', body: new Uint8Array([0, 255, 128]) })).text());
   document.title = JSON.stringify(got)`,
);

it("a HAR replays the page offline, in Playwright's routeFromHAR", async () => {
  await using prober = openHarProber();
  const site = await openTrafficSite({ '/': PAGE });
  const url = site.url('/');
  const har = await prober.har({ url, ...ACTED });
  // Gone: whatever is not in the HAR fails.
  await site[Symbol.asyncDispose]();
  const folder = await mkdtemp(join(tmpdir(), 'platen-replay-'));
  const { shell } = await findBrowsers();
  const browser = await chromium.launch({ executablePath: shell?.path ?? '', chromiumSandbox: false });
  try {
    await writeFile(join(folder, 'page.har'), har.text);
    const page = await browser.newPage();
    await page.routeFromHAR(join(folder, 'page.har'), { notFound: 'abort' });
    await page.goto(url);
    await page.waitForSelector('#done', { state: 'attached' });
    const landed = '<title>landed</title>';
    expect(JSON.parse(await page.title())).toEqual([
      TEXT.length,
      TEXT.length,
      landed.length,
      7,
      [...BINARY].join(),
      ...Array<string>(3).fill('{"ok":true}'),
    ]);
  } finally {
    await browser.close();
    await rm(folder, { recursive: true });
  }
});
