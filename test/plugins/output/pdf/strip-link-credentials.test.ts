import { expect, it } from 'vitest';
import { stripLinkCredentials } from '../../../../plugins/capture/print/src/stream-pdf.js';

const PDF = String.raw`1 0 obj <</S /URI
/URI (http://me\(1\):hush@site.test/a\)b)>> endobj 2 0 obj <</URI (http://me\(1\):hush@site.test/)>> (http://other@x.test/) /URI (http://own:word@x.test/) /UR`;
const BARE = String.raw`1 0 obj <</S /URI
/URI (http://site.test/a\)b)${' '.repeat(13)}>> endobj 2 0 obj <</URI (http://site.test/)${' '.repeat(13)}>> (http://other@x.test/) /URI (http://own:word@x.test/) /UR`;

async function pass(...chunks: readonly string[]): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stripLinkCredentials(source(chunks), 'http://me(1):hush@site.test/')) parts.push(part);
  return Buffer.concat(parts).toString('latin1');
}

async function* source(chunks: readonly string[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield await Promise.resolve(Buffer.from(chunk, 'latin1'));
}

it('links of a PDF lose the user and password of the target and stand where they stood, whatever the chunks', async () => {
  expect(BARE).toHaveLength(PDF.length);
  for (let at = 0; at <= PDF.length; at++) expect(await pass(PDF.slice(0, at), PDF.slice(at))).toBe(BARE);
  expect(await pass(...PDF.split(/(?=.)/s))).toBe(BARE);
});
