import { createTestKernel } from '@platen/kernel/testing';
import pdf from '@platen/plugin-pdf';
import print from '@platen/plugin-print';
import { afterAll, describe, expect, it } from 'vitest';
import { askAbout, inspectPdf } from './inspect-pdf.js';

const host = createTestKernel({ plugins: [print, pdf] });
afterAll(() => host[Symbol.asyncDispose]());

const PAGE = `data:text/html;charset=utf-8,${encodeURIComponent('<!doctype html><html lang=de><title>Käse (>> \\ \u{1f9c0}</title><h1>one</h1><h2>two</h2>')}`;

async function render(params: object, url = PAGE): Promise<Buffer> {
  return (await host.render({ url, output_type: 'pdf', ...params })).bytes();
}

describe('pdf_title, pdf_author, pdf_subject, pdf_keywords', () => {
  const all = { pdf_title: 'Rechnung (17) \\ >> <b>&', pdf_author: 'Ann ❤ \u{1f600}', pdf_subject: 'Über Käse', pdf_keywords: 'one, zwei' };

  it('are the document information, beside the dates and the producer of the browser', async () => {
    const { info } = await inspectPdf(await render(all));
    expect(info).toMatchObject({
      Title: all.pdf_title,
      Author: all.pdf_author,
      Subject: all.pdf_subject,
      Keywords: all.pdf_keywords,
      Creator: expect.any(String) as string,
      Producer: expect.stringContaining('PDF') as string,
      CreationDate: expect.stringMatching(/20\d\d/) as string,
    });
  });

  it('are the same in XMP', async () => {
    const xmp = await askAbout(await render(all), 'pdfinfo', ['-meta']);
    expect(xmp).toContain(
      '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Rechnung (17) \\ &gt;&gt; &lt;b&gt;&amp;</rdf:li></rdf:Alt></dc:title>',
    );
    expect(xmp).toContain(`<dc:creator><rdf:Seq><rdf:li>${all.pdf_author}</rdf:li></rdf:Seq></dc:creator>`);
    expect(xmp).toContain('Über Käse</rdf:li></rdf:Alt></dc:description>');
    expect(xmp).toContain('<pdf:Keywords>one, zwei</pdf:Keywords>');
    expect(xmp).toContain('<xmp:CreatorTool>Chromium</xmp:CreatorTool>');
    expect(xmp).toMatch(/<xmp:CreateDate>20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00<\/xmp:CreateDate>/);
  });

  it.each([{ pdf_author: 'Ann' }, { pdf_subject: 'a' }, { pdf_keywords: 'k' }])('alone leave the title of the page: %j', async (params) => {
    const bytes = await render(params);
    expect((await inspectPdf(bytes)).info['Title']).toBe('Käse (>> \\ \u{1f9c0}');
    expect(await askAbout(bytes, 'pdfinfo', ['-meta'])).toContain('Käse (&gt;&gt; \\ \u{1f9c0}</rdf:li></rdf:Alt></dc:title>');
  });

  it.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])('keep language, tags (%s) and outline (%s), and no object of the browser changes its place', async (tagged, outline) => {
    const bytes = await render({ ...all, pdf_generate_tagged_pdf: tagged, pdf_generate_document_outline: outline });
    const { info, catalog, text } = await inspectPdf(bytes);
    expect([info['Tagged'], '/Outlines' in catalog, catalog['/Lang'], info['Title']]).toEqual([
      tagged ? 'yes' : 'no',
      outline,
      'u:de',
      all.pdf_title,
    ]);
    expect(text).toContain('two');
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('give a page without a title one, and leave it without one otherwise', async () => {
    const untitled = 'data:text/html,<p>x';
    expect((await inspectPdf(await render({ pdf_title: 'T' }, untitled))).info['Title']).toBe('T');
    expect((await inspectPdf(await render({ pdf_author: 'A' }, untitled))).info).toMatchObject({ Author: 'A' });
    expect((await inspectPdf(await render({ pdf_author: 'A' }, untitled))).info['Title']).toBeUndefined();
  });

  it('lose the characters that XML does not have in XMP only', async () => {
    const bytes = await render({ pdf_title: 'a\u0001b\ud800c' });
    expect(await askAbout(bytes, 'pdfinfo', ['-meta'])).toContain('>abc<');
  });

  it.each(['pdf_title', 'pdf_author', 'pdf_subject', 'pdf_keywords'])('%s is text of at most 4,096 characters', (key) => {
    const validate = (value: unknown) => () => host.kernel.validate({ url: PAGE, [key]: value }, 'body');
    for (const value of ['', 'x'.repeat(4097), 7, ['x']]) expect(validate(value)).toThrow(`"${key}"`);
    expect(validate('x'.repeat(4096))).not.toThrow();
  });
});
