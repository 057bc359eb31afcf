import type { RenderContext } from '@platen/kernel';
import type { DomCapture } from './capture-kinds.js';
import { DocumentFrames } from './document-frames.js';
import { ActiveContent } from './active-content.js';
import { DocumentReader } from './document-reader.js';
import { DocumentWriter } from './document-writer.js';
import { evaluateWithoutTimeout } from './frame-world.js';
import { domRequest } from './keys.js';
import { definePageFunction } from './page-function.js';
import { collectText, PIECE, type Piece } from './pieces.js';

/** The live document as HTML, in UTF-16 code units. A large document is fetched in pieces. */
export async function captureDom(context: RenderContext): Promise<DomCapture> {
  const { page } = context;
  const { inert = false } = context.get(domRequest) ?? {};
  context.setWaitReason('the document');
  const { url, title, lang, piece } = await evaluateWithoutTimeout(page, readDom, { most: PIECE, inert });
  return { url, title, lang, html: await collectText(page, piece) };
}

interface DomReading {
  /** UTF-16 code units of the first piece. */
  readonly most: number;
  readonly inert: boolean;
}

const readDom = definePageFunction(
  { DocumentFrames, ActiveContent, DocumentReader, DocumentWriter },
  (classes, { most, inert }: DomReading) => {
    const programs = new classes.ActiveContent();
    const reader = new classes.DocumentReader(inert ? { programs, frames: new classes.DocumentFrames(programs) } : null);
    reader.readDocument();
    const html = new classes.DocumentWriter(reader).writeDocument();
    // Read through prototypes, because a page may have named a form `title`.
    const say = (name: 'URL' | 'title') => Reflect.get(Document.prototype, name, document);
    // A text that is too large for one response is stored in the page. Only Platen can access this world.
    if (html.length > most) Reflect.set(globalThis, 'platenText', html);
    const piece: Piece = { text: html.slice(0, most), length: html.length };
    return { url: say('URL'), title: say('title'), lang: document.documentElement.getAttribute('lang') ?? '', piece };
  },
);
