import type { Page } from '@platen/kernel';

/** UTF-16 code units per response. Parsing one blocks all other renders for some milliseconds. */
export const PIECE = 2 ** 20;

/** The beginning of a text. The rest of a longer text is stored in the page. */
export interface Piece {
  readonly text: string;
  readonly length: number;
}

/** The whole text. The rest is requested in pieces. */
export async function collectText(page: Pick<Page, 'evaluate'>, { text, length }: Piece): Promise<string> {
  const pieces = [text];
  for (let from = PIECE; from < length; from += PIECE) pieces.push(await page.evaluate(readPiece, from, PIECE));
  return pieces.join('');
}

/** Runs in the page. The last piece deletes the stored text. */
function readPiece(from: number, size: number): string {
  const text: unknown = Reflect.get(globalThis, 'platenText');
  if (typeof text !== 'string') throw new Error('the document was replaced while it was read');
  if (from + size >= text.length) Reflect.deleteProperty(globalThis, 'platenText');
  return text.slice(from, from + size);
}
