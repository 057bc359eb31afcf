import type { RenderContext } from '@platen/kernel';
import type { DomCapture } from './capture-kinds.js';
import { evaluateWithoutTimeout } from './frame-world.js';
import { readDocument } from './in-page/index.js';
import { domRequest } from './keys.js';
import { collectText, PIECE } from './pieces.js';

/** The live document as HTML, in UTF-16 code units. A large document is fetched in pieces. */
export async function captureDom(context: RenderContext): Promise<DomCapture> {
  const { page } = context;
  const { inert = false } = context.get(domRequest) ?? {};
  context.setWaitReason('the document');
  const { url, title, lang, piece } = await evaluateWithoutTimeout(page, readDocument, { most: PIECE, inert });
  return { url, title, lang, html: await collectText(page, piece) };
}
