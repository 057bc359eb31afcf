import type { DomCapture } from '../capture-kinds.js';
import type { Piece } from '../pieces.js';
import { ActiveContent } from './active-content.js';
import { DocumentFrames } from './document-frames.js';
import { DocumentReader } from './document-reader.js';
import { DocumentWriter } from './document-writer.js';

export interface ReadDocumentRequest {
  /** UTF-16 code units of the first piece. */
  readonly most: number;
  readonly inert: boolean;
}

export interface ReadDocument extends Omit<DomCapture, 'html'> {
  readonly piece: Piece;
}

/** The whole document as HTML. A text that is too large for one response is stored in the isolated world. */
export function readDocument({ most, inert }: ReadDocumentRequest): ReadDocument {
  const programs = new ActiveContent();
  const reader = new DocumentReader(inert ? { programs, frames: new DocumentFrames(programs) } : null);
  reader.readDocument();
  const html = new DocumentWriter(reader).writeDocument();
  // Read through prototypes, because a page may have named a form `title`.
  const read = (name: 'URL' | 'title') => Reflect.get(Document.prototype, name, document);
  if (html.length > most) Reflect.set(globalThis, 'platenText', html);
  const piece = { text: html.slice(0, most), length: html.length };
  return { url: read('URL'), title: read('title'), lang: document.documentElement.getAttribute('lang') ?? '', piece };
}
