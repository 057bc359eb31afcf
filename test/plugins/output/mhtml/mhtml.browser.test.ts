import { readFile } from 'node:fs/promises';
import { definePlugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import mhtml from '@platen/plugin-mhtml';
import pixels from '@platen/plugin-screenshot';
import wait from '@platen/plugin-wait';
import { simpleParser, type ParsedMail } from 'mailparser';
import type { Page as PuppeteerPage } from 'puppeteer';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { openOffline as open } from './open-offline.js';

const host = createTestKernel({ plugins: [mhtml, pixels, wait] });
let site: Site;
let bytes: Buffer;
let mail: ParsedMail;
beforeAll(async () => {
  const picture = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const png = { headers: { 'content-type': 'image/png' }, body: picture };
  const font = await readFile(new URL('../../../../node_modules/@fontsource/inter/files/inter-latin-400-normal.woff2', import.meta.url));
  site = await openSite({
    '/': () => `<!doctype html><html lang="de"><meta charset="utf-8"><title>Über 漢字</title><link rel="stylesheet" href="/style.css">
      <h1>漢字 &amp; Käse</h1><img id="picture" src="/picture.png"><p id="added"></p><div id="host"></div>
      <iframe src="/frame"></iframe><iframe src="${site.url('/frame?other', 'localhost')}"></iframe>
      <div style="height:9000px"></div><img id="lazy" loading="lazy" src="/lazy.png">
      <script>
        added.textContent = 'by script';
        host.attachShadow({ mode: 'open' }).innerHTML = '<b>in the shadow</b>';
      </script>`,
    '/style.css': {
      headers: { 'content-type': 'text/css' },
      body: '@font-face{font-family:A;src:url(/font.woff2)}h1{font-family:A;color:rgb(1,2,3)}body{background:url(/ground.png)}',
    },
    '/state': () => `<!doctype html><p id="adopted">x</p><div id="host"></div>
      <img id="chosen" src="/none.png" srcset="/picture.png 1x"><picture><source srcset="/ground.png"><img id="sourced" src="/none.png"></picture>
      <img id="blob"><input id="typed" value="old"><input id="secret" type="password"><textarea id="area">old</textarea>
      <select id="select"><option>1<option>2</select><input id="box" type="checkbox">
      <iframe src="${site.url('/state-frame', 'localhost')}"></iframe>
      <script>
        const sheet = (text) => { const made = new CSSStyleSheet(); made.replaceSync(text); return made; };
        document.adoptedStyleSheets = [sheet('#adopted{color:rgb(1,2,3)}')];
        const root = host.attachShadow({ mode: 'open' });
        root.innerHTML = '<style>i{color:rgb(4,5,6)}</style><i>i</i><b>b</b>';
        root.adoptedStyleSheets = [sheet('b{color:rgb(7,8,9)}')];
        [typed.value, secret.value, area.value, select.selectedIndex, box.checked] = ['new', 'hush', 'new', 1, true];
        fetch('/picture.png').then((answer) => answer.blob()).then((data) => { blob.src = URL.createObjectURL(data); });
      </script>`,
    '/pictures': `<!doctype html><link rel="stylesheet" href="/sets/style.css"><style>body{margin:0}#own{background:image-set(url(picture.png?own) 1x)}
      body>*{position:absolute;top:0;width:30px;height:20px}</style>
      <svg style="left:0"><image href="picture.png?drawn" width="30" height="20" /></svg><video style="left:30px" poster="picture.png?poster"></video>
      <div style="left:60px" id="linked"></div><div style="left:90px" id="own"></div><div style="left:120px;background:image-set(url(picture.png?inline) 1x)"></div>
      <script>new Image().src = ['be', 'acon.png'].join('')</script>`,
    '/sets/style.css': { headers: { 'content-type': 'text/css' }, body: '#linked{background:image-set(url(../picture.png?linked) 1x)}' },
    '/state-frame': `<p>x<script>const sheet = new CSSStyleSheet();sheet.replaceSync('p{color:rgb(10,11,12)}');document.adoptedStyleSheets = [sheet]</script>`,
    '/frame': '<p>framed<img src="/framed.png">',
    '/font.woff2': { headers: { 'content-type': 'font/woff2' }, body: font },
    ...Object.fromEntries(['picture', 'ground', 'framed', 'lazy', 'beacon'].map((name) => [`/${name}.png`, png])),
  });
  bytes = await render();
  mail = await simpleParser(bytes, { skipImageLinks: true, skipTextToHtml: true });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function render(params: object = {}): Promise<Buffer> {
  const result = await host.render({ url: site.url('/'), output_type: 'mhtml', ...params });
  expect(result.output).toMatchObject({ contentType: 'multipart/related', extension: 'mhtml' });
  return result.bytes();
}

const locations = ({ attachments }: ParsedMail) => attachments.map(({ headers }) => headers.get('content-location'));

describe('as a MIME document (RFC 2557)', () => {
  it('has a header that names the page', () => {
    expect(mail.headers.get('snapshot-content-location')).toBe(site.url('/'));
    expect(mail.headers.get('content-type')).toMatchObject({ value: 'multipart/related', params: { type: 'text/html' } });
    expect(mail.subject).toBe('Über 漢字');
  });

  it('has lines that end with CRLF, and nothing beyond ASCII', () => {
    const text = bytes.toString('latin1');
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n\x80-\xff]/);
  });

  it('has the document first', () => {
    const [, part = ''] = /\r\n\r\n--[^]*?\r\n([^]*?\r\n)\r\n/.exec(bytes.toString('latin1')) ?? [];
    expect(part).toContain('Content-Type: text/html; charset=UTF-8\r\n');
    expect(part).toContain(`Content-Location: ${site.url('/')}\r\n`);
  });

  it('has a part for each thing that was loaded, whole', () => {
    const names = ['/picture.png', '/ground.png', '/framed.png', '/style.css', '/font.woff2'];
    expect(locations(mail)).toEqual(expect.arrayContaining([...names.map((name) => site.url(name)), site.url('/framed.png', 'localhost')]));
    for (const { contentType, content } of mail.attachments) {
      if (contentType === 'image/png') expect(content.subarray(1, 4).toString()).toBe('PNG');
    }
  });

  it('has the frames of all sites', () => {
    expect(String(mail.html).match(/framed<img/g)).toHaveLength(2);
  });

  it('has neither scripts nor anything of ours', () => {
    expect(mail.html).toContain('by script');
    expect(mail.html).not.toMatch(/<script|platen|__/i);
  });
});

it('has lazy images where full_page showed them', async () => {
  expect(locations(mail)).not.toContain(site.url('/lazy.png'));
  expect(locations(await simpleParser(await render({ full_page: true }), { skipTextToHtml: true }))).toContain(site.url('/lazy.png'));
});

/** Opens the file in a browser that has no network: it asks the site for nothing. */
async function openOffline<T>(saved: Buffer, look: (page: PuppeteerPage) => Promise<T>): Promise<T> {
  const before = site.requests.length;
  const seen = await open(saved, look);
  expect(site.requests.length).toBe(before);
  return seen;
}

it('opens without a network, with images, styles, frames and shadow trees', async () => {
  await openOffline(bytes, async (page) => {
    await page.evaluate(() => document.fonts.load('16px A'));
    const seen = await page.evaluate(() => ({
      title: document.title,
      heading: document.querySelector('h1')?.textContent,
      colour: getComputedStyle(document.querySelector('h1') ?? document.body).color,
      font: [...document.fonts].map(({ status }) => status),
      width: document.querySelector<HTMLImageElement>('#picture')?.naturalWidth,
      shadow: document.querySelector('#host')?.shadowRoot?.textContent,
    }));
    expect(seen).toEqual({
      title: 'Über 漢字',
      heading: '漢字 & Käse',
      colour: 'rgb(1, 2, 3)',
      font: ['loaded'],
      width: 30,
      shadow: 'in the shadow',
    });
    const frames = await Promise.all(
      page
        .frames()
        .slice(1)
        .map((frame) => frame.evaluate(() => document.querySelector('img')?.naturalWidth)),
    );
    expect(frames).toEqual([30, 30]);
  });
});

it('keeps adopted style sheets, those of shadow trees, chosen images, blobs and what was typed', async () => {
  const saved = await render({ url: site.url('/state'), wait_for: 'networkidle0' });
  expect(saved.toString('latin1')).not.toMatch(/hush|^(?=.*@blob).{77}/m);
  const seen = await openOffline(saved, async (page) => ({
    ...(await page.evaluate(() => {
      const find = (selector: string) =>
        document.querySelector(selector) ?? document.querySelector('#host')?.shadowRoot?.querySelector(selector);
      const colour = (selector: string) => getComputedStyle(find(selector) ?? document.documentElement).color;
      const width = (selector: string) => document.querySelector<HTMLImageElement>(selector)?.naturalWidth;
      const value = (selector: string) => document.querySelector<HTMLInputElement>(selector)?.value;
      return {
        colours: ['#adopted', 'i', 'b'].map(colour),
        widths: ['#chosen', '#sourced', '#blob'].map(width),
        values: ['#typed', '#secret', '#area', '#select'].map(value),
        checked: document.querySelector<HTMLInputElement>('#box')?.checked,
      };
    })),
    framed: await page.frames()[1]?.evaluate(() => getComputedStyle(document.querySelector('p') ?? document.body).color),
  }));
  expect(seen).toEqual({
    colours: ['rgb(1, 2, 3)', 'rgb(4, 5, 6)', 'rgb(7, 8, 9)'],
    widths: [30, 30, 30],
    values: ['new', '', 'new', '2'],
    checked: true,
    framed: 'rgb(10, 11, 12)',
  });
});

it('has the pictures of drawings, posters and image sets, and none that the page only counts by', async () => {
  const saved = await render({ url: site.url('/pictures'), wait_for: 'networkidle0' });
  expect(locations(await simpleParser(saved, { skipTextToHtml: true }))).not.toContain(site.url('/beacon.png'));
  const shot = await openOffline(saved, (page) => page.screenshot({ clip: { x: 0, y: 0, width: 150, height: 20 } }));
  const pixels = await sharp(shot).removeAlpha().raw().toBuffer();
  // Without scripts the browser lays its controls, a shadow, over the video.
  const isRed = (x: number) => {
    const [red = 0, green, blue] = pixels.subarray((150 * 4 + x) * 3, (150 * 4 + x) * 3 + 3);
    return red > 0 && green === 0 && blue === 0;
  };
  expect([5, 35, 65, 95, 125].filter((x) => !isRed(x))).toEqual([]);
});

it('says the charset of its text parts, which is that of their bytes', async () => {
  const saved = await render({ url: `data:text/html;charset=windows-1252,<title>%FC</title><style>p{content:"%FC"}</style><p>%FC` });
  const text = saved.toString('latin1');
  expect(text.match(/^Content-Type: text\/.*$/gm)).toEqual([
    'Content-Type: text/html; charset=windows-1252',
    'Content-Type: text/css; charset=windows-1252',
  ]);
  expect((await simpleParser(saved, { skipTextToHtml: true })).html).toContain('<p>ü');
});

it('leaves the live page as it was, for the assets that are made of it afterwards', async () => {
  const read = `JSON.stringify([document.documentElement.outerHTML, host.shadowRoot.innerHTML, [typed, secret, area, select].map(({ value }) => value),
    [...select.options].map(({ selected }) => selected), [chosen, sourced, blob].map(({ currentSrc }) => currentSrc), box.checked,
    Array.from(document.querySelectorAll('source, use'), ({ outerHTML }) => outerHTML), [typed.defaultValue, area.defaultValue, box.defaultChecked], document.styleSheets.length])`;
  const seen: unknown[] = [];
  const look = definePlugin({
    name: 'test-look',
    requires: ['mhtml'],
    assets: [{ key: 'with_look', name: 'look' }],
    params: { with_look: { type: 'boolean', description: 'Looks at the page.' } },
    apply({ hooks }) {
      hooks.waitFor.tapPromise('test-look', async (context) => {
        await context.page.lifecycle.reached('load');
        seen.push(
          await context.page.evaluateInMainWorld(
            `new Promise((done) => { const ask = () => blob.complete && blob.src ? done(${read}) : setTimeout(ask, 10); ask(); })`,
          ),
        );
      });
      hooks.additionalAssets.tapPromise('test-look', async ({ page }) => {
        seen.push(await page.evaluateInMainWorld(read));
      });
    },
  });
  await using looking = createTestKernel({ plugins: [mhtml, look] });
  await (await looking.render({ url: site.url('/state'), output_type: 'mhtml', with_look: true })).bytes();
  expect(seen).toHaveLength(2);
  expect(seen[0]).toContain('blob:');
  expect(seen[1]).toBe(seen[0]);
});

describe('the subject', () => {
  it.each([
    'Größe? Ja!',
    `Wie geht's? =?utf-8?Q?a?=`,
    'plain? ASCII = fine_too',
    '漢字？ '.repeat(30).trim(),
    '🏳️‍🌈? '.repeat(20).trim(),
    'long '.repeat(400).trim(),
  ])('is the title, in encoded words that other programs read: %s', async (title) => {
    const file = await render({ url: `data:text/html;charset=utf-8,<title>${encodeURIComponent(title)}</title>x` });
    const header = file.toString('latin1').split('\r\n\r\n')[0] ?? '';
    expect((await simpleParser(file)).subject).toBe(title);
    const words = header.match(/=\?.*\?=/g) ?? [];
    for (const word of words) expect(word).toMatch(/^=\?utf-8\?B\?[\w+/=]{1,63}\?=$/);
    expect(words.length > 0).toBe(title !== 'plain? ASCII = fine_too');
  });
});
