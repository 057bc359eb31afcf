import { definePlugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import pdf from '@platen/plugin-pdf';
import print from '@platen/plugin-print';
import { afterAll, describe, expect, it } from 'vitest';
import { inspectPdf, type PdfFacts } from './inspect-pdf.js';

const seen: unknown[] = [];
/** Reads the page after the print. */
const witness = definePlugin({
  name: 'test-witness',
  apply({ hooks }) {
    hooks.additionalAssets.tapPromise('test-witness', async ({ page }) => {
      const read = () => {
        const rule = document.styleSheets[0]?.cssRules[0];
        const style = rule instanceof CSSStyleRule ? rule.style : undefined;
        const inline = document.querySelector('p')?.style.marginTop;
        return [style?.height, style?.getPropertyPriority('height'), inline, document.adoptedStyleSheets.length];
      };
      seen.push(...(await page.evaluate(read)));
    });
  },
});

const host = createTestKernel({ plugins: [print, pdf, witness] });
afterAll(() => host[Symbol.asyncDispose]());

const dataUrl = (html: string) => `data:text/html;charset=utf-8,${encodeURIComponent(`<!doctype html>${html}`)}`;
const block = (pixels: number) => `<div style="height:${String(pixels)}px">block</div>`;

async function render(html: string, params: object = {}): Promise<PdfFacts> {
  const { bytes } = await host.render({ url: dataUrl(html), output_type: 'pdf', pdf_single_page: true, ...params });
  return inspectPdf(await bytes());
}

/** A CSS pixel is 0.75 points; the browser rounds sizes up to whole ones. */
const points = (pixels: number) => pixels * 0.75;
const TOLERANCE = 3;

describe('pdf_single_page', () => {
  it.each<readonly [string, string, number, object]>([
    ['a long page', `<body style="margin:0">${block(5000)}`, 5000, { pdf_margin: 0 }],
    ['a short page', `<body style="margin:0">${block(100)}`, 100, { pdf_margin: 0 }],
    ['margins of the request', `<body style="margin:0">${block(5000)}`, 5000 + 192, { pdf_margin: '1in' }],
    ['margins of the page', `<style>@page{margin:2in}body{margin:0}</style>${block(5000)}`, 5000 + 384, {}],
    ['a scale', `<body style="margin:0">${block(5000)}`, 2500, { pdf_margin: 0, pdf_scale: 0.5 }],
    [
      'forced page breaks',
      `<body style="margin:0">${block(900)}<h1 style="break-before:page;margin:0;height:100px">next</h1>`,
      1000,
      { pdf_margin: 0 },
    ],
    ['a page as high as its window', `<style>html,body{height:100%}</style>${block(3000)}`, 3008, { pdf_margin: 0 }],
    [
      'parts as high as the window',
      `<style>body{margin:0}.hero{min-height:100vh}</style><div class=hero>hero</div>${block(3000)}<div style="height:calc(50vh + 10px)">x</div>`,
      3000 + 720 + 370,
      { pdf_margin: 0 },
    ],
    ['a paper size of the page', `<style>@page{size:A5 landscape}body{margin:0}</style>${block(5000)}`, 5000, { pdf_margin: 0 }],
    ['landscape', `<body style="margin:0">${block(5000)}`, 5000, { pdf_margin: 0, pdf_landscape: true }],
  ])('is as high as the content: %s', async (_what, html, pixels, params) => {
    const { info, size } = await render(html, params);
    expect(info['Pages']).toBe('1');
    expect(Math.abs(size[1] - points(pixels)), `${String(size[1] / 0.75)} pixels`).toBeLessThan(TOLERANCE);
    expect(Math.abs(size[0] - ('pdf_landscape' in params ? 792 : 612))).toBeLessThan(TOLERANCE);
  });

  it('has the whole text, header, footer, tags and outline', async () => {
    const html = Array.from({ length: 200 }, (_, line) => `<h2>line${String(line)}</h2>`).join('');
    const params = {
      pdf_header: 'above',
      pdf_footer: 'below <i class=totalPages></i>',
      pdf_generate_tagged_pdf: true,
      pdf_generate_document_outline: true,
    };
    const { info, text, catalog } = await render(html, params);
    expect([info['Pages'], info['Tagged'], typeof catalog['/Outlines']]).toEqual(['1', 'yes', 'string']);
    expect(text).toMatch(/above[\s\S]*line0\n[\s\S]*line199[\s\S]*below 1/);
  });

  it('leaves the page as it was', async () => {
    seen.length = 0;
    await render('<style>p{height:50vh!important}</style><p style="margin-top:10vh">x');
    expect(seen).toEqual(['50vh', 'important', '10vh', 0]);
  });

  it('higher than 200 inches is a 422 that says what to do', async () => {
    await expect(render(block(25_000))).rejects.toMatchObject({
      code: 'capture_too_large',
      status: 422,
      message: expect.stringMatching(/one page of 200 inches.*"pdf_single_page".*"pdf_scale"/) as string,
    });
    expect((await render(block(25_000), { pdf_scale: 0.5 })).info['Pages']).toBe('1');
  });

  it.each([
    ['pdf_height', { pdf_height: 5 }],
    ['pdf_prefer_css_page_size', { pdf_prefer_css_page_size: true }],
  ])('cannot be combined with %s', (key, params) => {
    const given = { url: dataUrl('x'), output_type: 'pdf', pdf_single_page: true, ...params };
    expect(() => host.kernel.validate(given, 'body')).toThrow(`"pdf_single_page" and "${key}" are mutually exclusive`);
    expect(() => host.kernel.validate({ ...given, pdf_single_page: false }, 'body')).not.toThrow();
  });
});
