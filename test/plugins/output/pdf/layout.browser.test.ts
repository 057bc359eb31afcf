import { createTestKernel } from '@platen/kernel/testing';
import pdf from '@platen/plugin-pdf';
import png from '@platen/plugin-png';
import print from '@platen/plugin-print';
import screenshot from '@platen/plugin-screenshot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planPaper, readMargins } from '../../../../plugins/capture/print/src/paper.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { BLUE, GREEN, isColour, WHITE } from '../../capture/pictures.js';
import { askAbout, drawPage, inspectPdf } from './inspect-pdf.js';

const host = createTestKernel({ plugins: [print, pdf, screenshot, png] });
const requested: string[] = [];
let site: Site;
beforeAll(async () => {
  site = await openSite({
    '/resource': () => {
      requested.push('resource');
      return 'x';
    },
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const dataUrl = (html: string) => `data:text/html;charset=utf-8,${encodeURIComponent(`<!doctype html>${html}`)}`;
const PAGES = dataUrl(
  `<title>Report</title><h1>one</h1>${['two', 'three', 'four'].map((word) => `<h1 style="break-before:page">${word}</h1>`).join('')}`,
);

async function render(params: object, url = PAGES): Promise<Buffer> {
  return (await host.render({ url, output_type: 'pdf', ...params })).bytes();
}
const wordsOf = async (params: object, url?: string) =>
  (await inspectPdf(await render(params, url))).text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
const refusalOf = (params: object) => () => host.kernel.plan(host.kernel.validate({ url: PAGES, output_type: 'pdf', ...params }, 'body'));
const is400 = (parameter: string, detail: RegExp) =>
  expect.objectContaining({
    status: 400,
    details: expect.objectContaining({
      errors: [expect.objectContaining({ parameter, detail: expect.stringMatching(detail) as string })],
    }) as object,
  }) as Error;

/** The box of a word in points from the upper left corner of the page. */
async function placeOf(bytes: Buffer, word: string): Promise<{ readonly x: number; readonly y: number; readonly height: number }> {
  const boxes = await askAbout(bytes, 'pdftotext', ['-bbox'], ['-']);
  const [, ...numbers] = new RegExp(`xMin="([\\d.-]+)" yMin="([\\d.-]+)" xMax="[\\d.-]+" yMax="([\\d.-]+)">${word}<`).exec(boxes) ?? [];
  const [x = NaN, y = NaN, bottom = NaN] = numbers.map(Number);
  return { x, y, height: bottom - y };
}

describe('pdf_format', () => {
  it.each([
    ['Letter', 612, 792],
    ['legal', 612, 1008],
    ['TABLOID', 792, 1224],
    ['Ledger', 1224, 792],
    ['A0', 2384, 3370],
    ['a4', 595, 842],
    ['A6', 298, 420],
  ])('%s is %d x %d points', async (pdf_format, width, height) => {
    const { size } = await inspectPdf(await render({ pdf_format, pdf_page_ranges: '1' }));
    // The browser rounds lengths up to its own units.
    expect(Math.max(Math.abs(size[0] - width), Math.abs(size[1] - height))).toBeLessThan(1.5);
  });

  it('is turned by pdf_landscape', async () => {
    const { size } = await inspectPdf(await render({ pdf_format: 'A5', pdf_landscape: true }));
    expect(Math.max(Math.abs(size[0] - 595), Math.abs(size[1] - 420))).toBeLessThan(1.5);
  });

  it.each(['pdf_width', 'pdf_height'])('cannot be combined with %s', (side) => {
    expect(refusalOf({ pdf_format: 'A4', [side]: 5 })).toThrow(`"pdf_format" and "${side}" are mutually exclusive`);
  });

  it('is one of the names', () => {
    expect(refusalOf({ pdf_format: 'A7' })).toThrow(/"pdf_format".*Letter, Legal, Tabloid, Ledger, A0/);
  });
});

describe('pdf_margin', () => {
  it.each([
    ['1', [1, 1, 1, 1]],
    ['1in 2in', [1, 2, 1, 2]],
    ['2.54cm 50.8mm 72pt', [1, 2, 1, 2]],
    [' 96px .5 0 1IN ', [1, 0.5, 0, 1]],
  ])('%j is read as in CSS', (text, expected) => {
    const { marginTop, marginRight, marginBottom, marginLeft } = readMargins(text);
    expect([marginTop, marginRight, marginBottom, marginLeft].map((inches) => Math.round(inches * 1e6) / 1e6)).toEqual(expected);
  });

  it('moves the content', async () => {
    const url = dataUrl('<body style="margin:0"><p style="margin:0">word');
    const place = await placeOf(await render({ pdf_margin: '1in 2in 1in 3in' }, url), 'word');
    expect([Math.round(place.x), Math.round(place.y)]).toEqual([216, 72]);
    const bare = await placeOf(await render({ pdf_margin: 0 }, url), 'word');
    expect(Math.max(Math.abs(bare.x), Math.abs(bare.y))).toBeLessThan(0.5);
  });

  it('yields to the margin of the page', async () => {
    const url = dataUrl('<style>@page{margin:72pt}body,p{margin:0}</style><p>word');
    expect(Math.round((await placeOf(await render({ pdf_margin: '3in' }, url), 'word')).x)).toBe(72);
  });

  it.each([
    [{ pdf_margin: '1in 5in' }],
    [{ pdf_margin: '6in 0' }],
    [{ pdf_margin: '4.25in', pdf_format: 'letter' }],
    [{ pdf_margin: '2.1in', pdf_format: 'a6' }],
  ])('that leaves no room is refused: %j', (params) => {
    expect(refusalOf(params)).toThrow(is400('pdf_margin', /leaves no room on a page of [\d.]+ x [\d.]+ inches/));
  });

  it.each(['', '1 2 3 4 5', '1em', '-1cm', 'auto', '1cm,2cm', '1e9'])('is one to four lengths, unlike %j', (pdf_margin) => {
    expect(refusalOf({ pdf_margin })).toThrow(/"pdf_margin".*one to four lengths in in, cm, mm, pt or px/);
  });

  it('is by default that of browsers, and less on small paper', () => {
    expect(planPaper({ pdf_format: 'a4' })).toMatchObject({ marginTop: 0.4, marginLeft: 0.4 });
    expect(planPaper({ pdf_width: 1, pdf_height: 2 })).toMatchObject({ marginTop: 0.2, marginLeft: 0.1 });
  });
});

describe('pdf_header and pdf_footer', () => {
  const FOOTER = 'Page <span class="pageNumber"></span> of <span class=totalPages></span>, <i class=title></i>';

  it('are on every page, with what their classes name', async () => {
    const header = '<b class=date></b> <b class=url></b>';
    const bytes = await render({ pdf_header: header, pdf_footer: FOOTER, pdf_margin: '1in' });
    const pages = await Promise.all(
      [1, 4].map((page) => askAbout(bytes, 'pdftotext', ['-layout', '-f', String(page), '-l', String(page)], ['-'])),
    );
    expect(pages[0]).toMatch(/\d+\/\d+\/\d+.*data:text[\s\S]*one[\s\S]*Page 1 of 4, Report/);
    expect(pages[1]).toMatch(/four[\s\S]*Page 4 of 4, Report/);
  });

  it('replace the header and footer of the browser where only one is given', async () => {
    expect(await wordsOf({ pdf_footer: 'mine' })).toEqual(['one', 'mine', 'two', 'mine', 'three', 'mine', 'four', 'mine']);
    expect((await wordsOf({ pdf_footer: '' })).join(' ')).toBe('one two three four');
  });

  it('are a block of 9 points between the side margins, unless styled', async () => {
    const bytes = await render({ pdf_header: 'small<div style="font-size:18pt">large</div>', pdf_margin: '1in' });
    const [small, large] = await Promise.all([placeOf(bytes, 'small'), placeOf(bytes, 'large')]);
    expect(Math.round(small.x)).toBe(72);
    expect(large.y).toBeGreaterThan(small.y);
    expect(large.height / small.height).toBeCloseTo(2, 1);
  });

  it('are styled by their own style elements, with images and backgrounds of data: URLs', async () => {
    const image = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="#00f"/></svg>')}`;
    const header = `<style>.b { height: 90px; background: green; -webkit-print-color-adjust: exact }</style><div class=b></div><img style="width:90px;height:90px" src='${image}'>`;
    const drawn = await drawPage(await render({ pdf_header: header, pdf_margin: '3in 0 1in' }));
    expect([isColour(drawn.at(100, 50), GREEN), isColour(drawn.at(30, 120), BLUE)]).toEqual([true, true]);
  });

  it.each([
    [
      'scripts',
      '<script>document.body.append("RAN")</script><img src=x onerror="document.body.append(`RAN`)"><svg onload="document.body.append(`RAN`)"></svg>',
    ],
    [
      'style sheets',
      '<link rel=stylesheet href="$"><link rel=stylesheet href="data:text/css,p{}"><style>@import url($);@import "data:text/css,p{}"; p{}</style>',
    ],
    ['hidden imports', String.raw`<style>@\69mport url($); @font-face{font-family:q;src:u\72l($)} p{font-family:q}</style>`],
    ['fonts', '<style>@font-face{font-family:q;src:url($)} p{font-family:q}</style>'],
    ['images', '<img src="$"><img srcset="$ 2x"><div style="background:url($)">d</div><video poster="$" src="$"></video>'],
    [
      'files of SVG',
      '<svg><use href="$#a"/><image href="$"/><g filter="url($#a)" fill="url(#b)"/><set attributeName=href to="$"/></svg><div style="filter:url($#a)">d</div><div style="filter:url(&quot;$#a">d</div>',
    ],
    [
      'frames',
      '<iframe src="$"></iframe><iframe srcdoc="<script>parent.document.body.append(`RAN`)</script>"></iframe><object data="$"></object><embed src="$">',
    ],
    [
      'documents',
      '<!doctype html><html><head><meta http-equiv=refresh content="0;url=$"><base href="$"></head><body onload="document.body.append(`RAN`)">',
    ],
    ['broken markup', '<p title="\'><div></span></table><td><![CDATA[ ]]> </style> <style> { } @media { p {'],
  ])('neither run nor fetch anything, nor fail: %s', async (_what, template) => {
    requested.length = 0;
    const words = await wordsOf({ pdf_header: `<p>kept</p>${template.replaceAll('$', site.url('/resource'))}`, pdf_page_ranges: '1' });
    expect(words).toContain('one');
    expect(words).toContain('kept');
    expect(words.join(' ')).not.toContain('RAN');
    expect(requested).toEqual([]);
  });

  it('are not nested without end', async () => {
    await expect(render({ pdf_header: '<b>'.repeat(600) })).rejects.toMatchObject(is400('pdf_header', /too deeply nested/));
  });

  it('work on a page that allows no styles and no scripts', async () => {
    const url = dataUrl(`<meta http-equiv=content-security-policy content="default-src 'none'; require-trusted-types-for 'script'">x`);
    const bytes = await render(
      { pdf_header: '<style>.a { font-size: 18pt }</style><p class=a style="margin-left:72pt">head', pdf_margin: '1in' },
      url,
    );
    const { x, height } = await placeOf(bytes, 'head');
    expect([Math.round(x), height > 15]).toEqual([144, true]);
  });

  it.each([
    [{ pdf_header: 'x', pdf_margin: '0 1in 1in' }, 'pdf_header', /needs a top margin.*"pdf_margin"/],
    [{ pdf_footer: 'x', pdf_margin: '1in 1in 0' }, 'pdf_footer', /needs a bottom margin.*"pdf_margin"/],
  ])('need a margin: %j', (params, parameter, detail) => {
    expect(refusalOf(params)).toThrow(is400(parameter, detail));
  });

  it('are at most 256 KiB', () => {
    expect(refusalOf({ pdf_header: 'x'.repeat(262_145) })).toThrow(/"pdf_header"/);
    // Of bytes.
    expect(refusalOf({ pdf_footer: 'ü'.repeat(131_073) })).toThrow('"pdf_footer" must have at most 256 KiB');
    expect(refusalOf({ pdf_footer: 'ü'.repeat(131_072) })).not.toThrow();
  });
});

describe('pdf_page_ranges', () => {
  it.each([
    ['2', ['two']],
    ['2-3', ['two', 'three']],
    [' 1 , 3 - ', ['one', 'three', 'four']],
    ['-2,4', ['one', 'two', 'four']],
    ['3-99', ['three', 'four']],
    ['4,1', ['one', 'four']],
  ])('%j has the pages %j', async (pdf_page_ranges, words) => {
    expect(await wordsOf({ pdf_page_ranges })).toEqual(words);
  });

  it('keeps tags and outline', async () => {
    const bytes = await render({ pdf_page_ranges: 2, pdf_generate_tagged_pdf: true, pdf_generate_document_outline: true });
    const { info, catalog } = await inspectPdf(bytes);
    expect([info['Pages'], info['Tagged'], typeof catalog['/Outlines']]).toEqual(['1', 'yes', 'string']);
  });

  it.each(['5', '9-', '7-8, 20'])('without any page of the document is a 422: %j', async (pdf_page_ranges) => {
    await expect(render({ pdf_page_ranges })).rejects.toMatchObject({
      code: 'selection_empty',
      status: 422,
      message: `"pdf_page_ranges" has no page of this PDF: ${pdf_page_ranges}`,
    });
  });

  it.each(['', '0', '1,,2', '1-2-3', 'a', '-', '1;2', '-0'])('is a list of pages, unlike %j', (pdf_page_ranges) => {
    expect(refusalOf({ pdf_page_ranges })).toThrow(/"pdf_page_ranges".*page numbers and ranges/);
  });

  it('has no range that ends before it begins', () => {
    expect(refusalOf({ pdf_page_ranges: '1, 5 - 3' })).toThrow(is400('pdf_page_ranges', /ends before it begins: 5 - 3/));
  });
});

describe('pdf_print_background', () => {
  const url = dataUrl('<style>@page{margin:0}html{background:green}</style>');

  it.each([
    [undefined, GREEN],
    [true, GREEN],
    [false, WHITE],
  ])('%s', async (pdf_print_background, color) => {
    expect(isColour((await drawPage(await render({ pdf_print_background }, url))).at(300, 300), color)).toBe(true);
  });
});
