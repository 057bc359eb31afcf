import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createTestKernel } from '@platen/kernel/testing';
import pdf from '@platen/plugin-pdf';
import print from '@platen/plugin-print';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { amendPdf, planAmendment } from '../../../../plugins/capture/print/src/amend-pdf.js';
import { planPaper } from '../../../../plugins/capture/print/src/paper.js';
import { inspectPdf } from './inspect-pdf.js';

let tagged: Buffer;
beforeAll(async () => {
  await using host = createTestKernel({ plugins: [print, pdf] });
  const { bytes } = await host.render({
    url: 'data:text/html,<html lang=en><h1>Hello</h1>',
    output_type: 'pdf',
    pdf_generate_tagged_pdf: true,
    pdf_generate_document_outline: true,
  });
  tagged = await bytes();
});

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function amended(bytes: Buffer, size: number, amendment: Parameters<typeof amendPdf>[1], onUnknown = vi.fn()): Promise<Buffer> {
  return buffer(Readable.from(amendPdf(inPieces(bytes, size), amendment, onUnknown)));
}

describe('planAmendment', () => {
  it.each([
    [
      { language: 'de-CH', outline: false, tagged: false },
      { language: 'de-CH', untag: false },
    ],
    [
      { language: 'de-CH', outline: true, tagged: false },
      { language: 'de-CH', untag: true },
    ],
    [
      { language: '', outline: true, tagged: undefined },
      { language: undefined, untag: true },
    ],
    [
      { language: '', outline: true, tagged: true },
      { language: undefined, untag: false },
    ],
    [{ language: '', outline: undefined, tagged: undefined }, undefined],
    [{ language: 'en) /OpenAction (', outline: false, tagged: false }, undefined],
    [{ language: 'en', outline: true, tagged: true }, undefined],
  ])('%j needs %j', (wishes, amendment) => {
    expect(planAmendment(wishes)).toEqual(amendment);
  });
});

describe('amendPdf', () => {
  it.each([1, 7, 100, 4096, 2 ** 20])('finds the catalog in pieces of %d bytes, and leaves all before its own as it was', async (size) => {
    const bytes = await amended(tagged, size, { language: 'fr', untag: true });
    expect(bytes.subarray(0, tagged.length).equals(tagged)).toBe(true);
    const { catalog, info, text } = await inspectPdf(bytes);
    expect(catalog).toMatchObject({ '/Lang': 'u:fr', '/Outlines': expect.any(String), '/Pages': expect.any(String) });
    expect([info['Tagged'], '/StructTreeRoot' in catalog, text.trim()]).toEqual(['no', false, 'Hello']);
  });

  it.each([
    ['none', () => Buffer.from('%PDF-1.7\nnothing')],
    ['one of another form', (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace('/Type /Catalog', '/Catalog/Type '), 'latin1')],
    ['one that the trailer does not name', (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace('/Root ', '/Boot '), 'latin1')],
    ['one that is not closed', (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replaceAll('endobj', 'endOBJ'), 'latin1')],
  ])('leaves a PDF as it came, and says so, where its catalog is %s', async (_what, make) => {
    const odd = make(tagged);
    const onUnknown = vi.fn();
    expect((await amended(odd, 4096, { language: 'fr', untag: true }, onUnknown)).equals(odd)).toBe(true);
    expect(onUnknown).toHaveBeenCalledOnce();
  });
});

describe('planPaper', () => {
  it('leaves a margin that a small sheet can bear', () => {
    expect(planPaper({})).toMatchObject({ marginTop: 0.4, marginLeft: 0.4 });
    expect(planPaper({ pdf_width: 1, pdf_height: 2 })).toMatchObject({
      marginTop: 0.2,
      marginBottom: 0.2,
      marginLeft: 0.1,
      marginRight: 0.1,
    });
  });
});
