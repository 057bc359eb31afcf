import type { RenderContext } from '@platen/kernel';
import type { DomCapture } from './capture-kinds.js';
import { DocumentReader } from './document-reader.js';
import { DocumentWriter } from './document-writer.js';
import { evaluateAtLeisure } from './frame-world.js';
import { definePageFunction } from './page-function.js';
import { collectText, PIECE, type Piece } from './pieces.js';

/** The live document as HTML, in UTF-16 code units that are fetched piece by piece where it is large. */
export async function captureDom({ page, waitingFor }: RenderContext): Promise<DomCapture> {
  waitingFor('the document');
  const { url, title, lang, piece } = await evaluateAtLeisure(page, readDom, PIECE);
  return { url, title, lang, html: await collectText(page, piece) };
}

const readDom = definePageFunction({ DocumentReader, DocumentWriter }, (classes, most: number) => {
  const reader = new classes.DocumentReader();
  reader.readDocument();
  const html = new classes.DocumentWriter(reader).writeDocument();
  // By prototypes: a page may have named a form `title`.
  const say = (name: 'URL' | 'title') => Reflect.get(Document.prototype, name, document);
  // Where the page keeps what is too large for one answer; nobody else looks into this world.
  if (html.length > most) Reflect.set(globalThis, 'platenText', html);
  const piece: Piece = { text: html.slice(0, most), length: html.length };
  return { url: say('URL'), title: say('title'), lang: document.documentElement.getAttribute('lang') ?? '', piece };
});
