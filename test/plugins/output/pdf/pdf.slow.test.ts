import { readFile } from 'node:fs/promises';
import { createTestKernel } from '@platen/kernel/testing';
import emulate from '@platen/plugin-emulate';
import pdf from '@platen/plugin-pdf';
import pixels from '@platen/plugin-screenshot';
import print from '@platen/plugin-print';
import wait from '@platen/plugin-wait';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { isColour, svg } from '../../capture/pictures.js';
import { askAbout, drawPage, inspectPdf } from './inspect-pdf.js';

const FONT = await readFile(new URL('../../../../node_modules/@fontsource/inter/files/inter-latin-400-normal.woff2', import.meta.url));

const HEADINGS = '<h1>First</h1><p>One.</p><h2>Inner</h2><p>Two.</p><h1>Last</h1>';
const article = (body: string, head = '') =>
  `<!doctype html><html lang="de-CH"><meta charset="utf-8"><title>Über Käse</title>${head}<body>${body}`;

const host = createTestKernel({ plugins: [print, pdf, pixels, emulate, wait] });
let site: Site;
beforeAll(async () => {
  site = await openSite({
    '/': article(HEADINGS),
    '/foreign': '<!doctype html><html lang="not a tag"><p>Hello',
    '/media': article(
      '<p class=printed>FOR PRINT</p><p class=shown>FOR SCREENS</p>',
      '<style>@media print{.shown{display:none}}@media screen{.printed{display:none}}</style>',
    ),
    '/fonts': article(
      '<p class=all>Everywhere</p><p class=paper>On paper</p>',
      '<style>@font-face{font-family:A;src:url(/a.woff2)}@font-face{font-family:B;src:url(/b.woff2)}.all{font-family:A}@media print{.paper{font-family:B}}</style>',
    ),
    '/a.woff2': { headers: { 'content-type': 'font/woff2' }, body: FONT },
    '/b.woff2': { headers: { 'content-type': 'font/woff2' }, body: FONT },
    '/paper.svg': svg('#00f'),
    '/background': article(
      '<div class=box></div>',
      '<style>@page{margin:0}html{background:#0f0}body{margin:0}.box{width:200px;height:200px}@media print{.box{background:url(/paper.svg) 0 0/cover}}</style>',
    ),
    '/lazy': article('<p>top<div style="height:9000px"></div><img loading=lazy width=100 height=100 src=/picture.png>'),
    '/picture.png': { headers: { 'content-type': 'image/png' }, body: await onePicture() },
    '/a5': article('A5', '<style>@page{size:A5}</style>'),
    '/long': article('<p>word </p>'.repeat(200)),
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

function onePicture(): Promise<Buffer> {
  return sharp({ create: { width: 10, height: 10, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
}

async function render(path: string, params: object = {}): Promise<Buffer> {
  const url = path.startsWith('data:') ? path : site.url(path);
  const { output, bytes } = await host.render({ url, output_type: 'pdf', ...params });
  expect(output).toMatchObject({ contentType: 'application/pdf', extension: 'pdf' });
  return bytes();
}

const inspect = async (path: string, params?: object) => inspectPdf(await render(path, params));

describe('pdf_generate_tagged_pdf', () => {
  it.each([{}, { pdf_generate_tagged_pdf: false }, { pdf_generate_tagged_pdf: null }])('is off with %j', async (params) => {
    const { info, catalog } = await inspect('/', params);
    expect(info['Tagged']).toBe('no');
    expect(Object.keys(catalog)).not.toContain('/StructTreeRoot');
  });

  it('puts the structure in', async () => {
    const bytes = await render('/', { pdf_generate_tagged_pdf: true });
    const { info, catalog } = await inspectPdf(bytes);
    expect(info['Tagged']).toBe('yes');
    expect(catalog).toHaveProperty('/StructTreeRoot');
    const structure = await askAbout(bytes, 'pdfinfo', ['-struct-text']);
    expect(structure).toMatch(/H1[^]*"First"[^]*P[^]*"One\."[^]*H2[^]*"Inner"/);
  });
});

describe('pdf_generate_document_outline', () => {
  const OUTLINE = /"First".*\n.*\t"Inner".*\n.*"Last"/;

  it.each([{}, { pdf_generate_document_outline: false }, { pdf_generate_tagged_pdf: true }])('is off with %j', async (params) => {
    const bytes = await render('/', params);
    expect((await inspectPdf(bytes)).catalog).not.toHaveProperty('/Outlines');
    expect(await askAbout(bytes, 'mutool', ['show'], ['outline'])).toBe('');
  });

  it.each([true, false])('makes it from the headings, with tags %s', async (tagged) => {
    const bytes = await render('/', { pdf_generate_document_outline: true, pdf_generate_tagged_pdf: tagged });
    expect(await askAbout(bytes, 'mutool', ['show'], ['outline'])).toMatch(OUTLINE);
    const { info, catalog } = await inspectPdf(bytes);
    expect([info['Tagged'], '/StructTreeRoot' in catalog, '/MarkInfo' in catalog]).toEqual([tagged ? 'yes' : 'no', tagged, tagged]);
  });
});

describe('title and language', () => {
  it.each([{}, { pdf_generate_tagged_pdf: true }, { pdf_generate_document_outline: true }])(
    "are the document's, with %j",
    async (params) => {
      const { info, catalog } = await inspect('/', params);
      expect([info['Title'], catalog['/Lang']]).toEqual(['Über Käse', 'u:de-CH']);
    },
  );

  it.each([{}, { pdf_generate_tagged_pdf: true }])('are left out where the document has none, or nonsense, with %j', async (params) => {
    const { info, catalog } = await inspect('/foreign', params);
    expect([info['Title'], catalog['/Lang']]).toEqual([undefined, undefined]);
  });

  it('name no headless browser', async () => {
    expect((await inspect('/')).info['Creator']).toBe('Chromium');
  });
});

describe('the paper', () => {
  it.each([
    [{}, 612, 792],
    [{ pdf_width: 5 }, 360, 792],
    [{ pdf_height: 5.5 }, 612, 396],
    [{ pdf_width: 8.27, pdf_height: 11.69 }, 595, 842],
    [{ pdf_width: 0.2, pdf_height: 0.3 }, 14, 22],
    [{ pdf_width: 200, pdf_height: 200 }, 14_400, 14_400],
    [{ pdf_landscape: true }, 792, 612],
    [{ pdf_landscape: true, pdf_width: 4, pdf_height: 6 }, 432, 288],
    [{ pdf_landscape: true, pdf_width: 6, pdf_height: 4 }, 432, 288],
    [{ pdf_landscape: false, pdf_width: 6, pdf_height: 4 }, 432, 288],
    [{ pdf_width: null, pdf_height: null, pdf_landscape: null, pdf_scale: null, pdf_prefer_css_page_size: null }, 612, 792],
  ])('with %j is %d x %d points', async (params, width, height) => {
    const { size } = await inspect('data:text/html,<p>x', params);
    expect(Math.abs(size[0] - width), String(size)).toBeLessThanOrEqual(1);
    expect(Math.abs(size[1] - height), String(size)).toBeLessThanOrEqual(1);
  });

  it.each([
    [{}, 612, 792],
    [{ pdf_width: 3, pdf_height: 5 }, 216, 360],
    [{ pdf_prefer_css_page_size: true }, 420, 595],
    [{ pdf_prefer_css_page_size: true, pdf_width: 3, pdf_height: 5, pdf_landscape: true }, 420, 595],
  ])('of a page with a size of its own: pdf_prefer_css_page_size decides, %j', async (params, width, height) => {
    const { size } = await inspect('/a5', params);
    expect(Math.abs(size[0] - width) + Math.abs(size[1] - height), String(size)).toBeLessThanOrEqual(2);
  });

  it.each([
    ['@page{size:A5 landscape}', { pdf_width: 8.5, pdf_height: 11, pdf_landscape: false, pdf_prefer_css_page_size: false }, 612, 792],
    ['@page{size:A4 portrait}', { pdf_landscape: true }, 792, 612],
    ['@page{size:landscape !important}', {}, 612, 792],
    ['@media print{@page wide{size:A5 landscape !important}}p{page:wide}', {}, 612, 792],
    ['@page:first{size:landscape}', { pdf_width: 3, pdf_height: 5 }, 216, 360],
    ['@page{size:A4 landscape}', { pdf_prefer_css_page_size: true }, 842, 595],
    ['@page{size:landscape}', { pdf_prefer_css_page_size: true }, 792, 612],
  ])('of a page that names an orientation, %s: pdf_prefer_css_page_size decides, %j', async (css, params, width, height) => {
    const { size } = await inspect(`data:text/html,${encodeURIComponent(`<style>${css}</style><p>x`)}`, params);
    expect(Math.abs(size[0] - width) + Math.abs(size[1] - height), String(size)).toBeLessThanOrEqual(2);
  });

  it('leaves margins to the page, also where it names an orientation', async () => {
    const css = '@page{size:A5 landscape;margin:0}body{margin:0}';
    const words = await askAbout(await render(`data:text/html,<style>${css}</style>word`), 'pdftotext', ['-bbox'], ['-']);
    const [, x = ''] = /xMin="([\d.]+)" yMin="[\d.]+"[^>]*>word</.exec(words) ?? [];
    expect(Number(x)).toBeLessThan(2);
  });

  it('pdf_scale scales what is printed', async () => {
    const widthAt = async (pdf_scale: number) => {
      const words = await askAbout(await render('/', { pdf_scale }), 'pdftotext', ['-bbox'], ['-']);
      const [, from = '', to = ''] = /xMin="([\d.]+)" yMin="[\d.]+" xMax="([\d.]+)"[^>]*>First</.exec(words) ?? [];
      return Number(to) - Number(from);
    };
    const normal = await widthAt(1);
    expect((await widthAt(2)) / normal).toBeCloseTo(2, 1);
    expect((await widthAt(0.1)) / normal).toBeCloseTo(0.1, 2);
  });
});

describe('a page whose main area scrolls, not the page', () => {
  const LINES = Array.from({ length: 40 }, (_, at) => `line${String(at)}.`);
  const MAIN = LINES.map((line) => `<p style="height:90px;margin:0">${line}</p>`).join('');
  const FIT = 'html,body{height:100%;margin:0;overflow:hidden}';
  it.each([
    ['as high as the window', `${FIT}main{height:100vh;overflow-y:auto}`, `<main>${MAIN}</main>`],
    ['a part of it', `${FIT}main{height:calc(100vh - 60px);overflow:auto}`, `<header style="height:60px">H</header><main>${MAIN}</main>`],
    [
      'fixed',
      `${FIT}main{position:fixed;inset:60px 0 0 200px;overflow-y:scroll}`,
      `<nav style="position:fixed;left:0;width:200px">N</nav><main>${MAIN}</main>`,
    ],
    [
      'positioned in other boxes',
      `${FIT}#a{position:absolute;inset:0;overflow:hidden}main{position:absolute;inset:50px 0 0;overflow:auto}`,
      `<div id=a><main>${MAIN}</main></div>`,
    ],
    [
      'flexible',
      `${FIT}body{display:flex;flex-direction:column}main{flex:1;min-height:0;overflow:auto}`,
      `<header>H</header><main>${MAIN}</main>`,
    ],
    [
      'in a grid',
      `${FIT}body{display:grid;grid-template:50px 1fr/200px 1fr}main{overflow:auto}header{grid-column:span 2}`,
      `<header>H</header><nav>N</nav><main>${MAIN}</main>`,
    ],
    [
      'in a custom element',
      FIT,
      `<x-app style="contain:size layout;display:block;height:100vh"><template shadowrootmode=open><style>main{position:absolute;inset:0;overflow:auto}</style><main><slot></slot></main></template>${MAIN}</x-app>`,
    ],
    ['in a window that scrolls a little', 'main{height:100vh;overflow:auto}', `<main>${MAIN}</main>`],
    ['within one', `${FIT}main{height:100vh;overflow:auto}section{height:100%;overflow:auto}`, `<main><section>${MAIN}</section></main>`],
  ])('is printed whole: %s', async (_what, style, body) => {
    const { text } = await inspect(`data:text/html,${encodeURIComponent(article(body, `<style>${style}</style>`))}`);
    expect(text.match(/line\d+\./g)).toEqual(LINES);
  });
});

describe('what is printed', () => {
  it.each([
    [{}, 'FOR PRINT'],
    [{ emulate_media: 'print' }, 'FOR PRINT'],
    [{ emulate_media: 'screen' }, 'FOR SCREENS'],
  ])('with %j is %s', async (params, text) => {
    expect((await inspect('/media', params)).text.trim()).toBe(text);
  });

  it('has its web fonts embedded, also those that only paper needs', async () => {
    const before = site.requests.length;
    const fonts = await askAbout(await render('/fonts'), 'pdffonts', []);
    expect(site.requests.slice(before).map(({ url }) => url)).toEqual(expect.arrayContaining(['/a.woff2', '/b.woff2']));
    const rows = fonts.trim().split('\n').slice(2);
    expect(rows.map((row) => row.split(/\s+/)[0]?.replace(/^[A-Z]+\+/, ''))).toEqual(['Inter-Regular', 'Inter-Regular']);
    for (const row of rows) expect(row).toMatch(/ yes +yes +yes /);
  });

  it('has its backgrounds, also those that only paper has', async () => {
    const picture = await drawPage(await render('/background'));
    expect([picture.width, picture.height]).toEqual([612, 792]);
    expect(isColour(picture.at(75, 75), [0, 0, 255], 2)).toBe(true);
    expect(isColour(picture.at(400, 400), [0, 255, 0], 2)).toBe(true);
  });

  it('has the images that load when they come into view', async () => {
    expect(await askAbout(await render('/lazy'), 'pdfimages', ['-list'])).toMatch(/^\s+\d+ +0 +image +10 +10 /m);
  });

  it('has a margin, where the page says nothing about one', async () => {
    const words = await askAbout(await render('data:text/html,<body style="margin:0">word'), 'pdftotext', ['-bbox'], ['-']);
    const [, x = '', y = ''] = /xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>word</.exec(words) ?? [];
    // 0.4 inches are 28.8 points; glyphs stand a little beside their boxes.
    for (const at of [x, y]) expect(Math.abs(Number(at) - 28.8)).toBeLessThan(2);
  });

  it('is all of the page', async () => {
    const { info, text } = await inspect('/long');
    expect(Number(info['Pages'])).toBeGreaterThan(5);
    expect(text.match(/word/g)).toHaveLength(200);
  });
});
