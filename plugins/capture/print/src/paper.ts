import type { Params } from '@platen/kernel';
import type { PrintParams } from './params.js';

type Paper = Pick<
  NonNullable<Params<'Page.printToPDF'>[0]>,
  'paperWidth' | 'paperHeight' | 'marginTop' | 'marginRight' | 'marginBottom' | 'marginLeft'
>;

/** US Letter, in inches. */
const LETTER = { width: 8.5, height: 11 };
/** What browsers leave free around a printed page, in inches: about 1 cm. The page's own `@page { margin }` goes before it. */
const MARGIN = 0.4;
/** Of a side: what the margin takes at most. */
const MOST_OF_SIDE = 0.1;

/** The sheet that is printed on, already turned to its orientation. */
export function planPaper({ pdf_width, pdf_height, pdf_landscape }: PrintParams): Paper {
  const sides = [pdf_width ?? LETTER.width, pdf_height ?? LETTER.height] as const;
  const [paperWidth, paperHeight] = pdf_landscape === true ? [Math.max(...sides), Math.min(...sides)] : sides;
  const vertical = Math.min(MARGIN, paperHeight * MOST_OF_SIDE);
  const horizontal = Math.min(MARGIN, paperWidth * MOST_OF_SIDE);
  return { paperWidth, paperHeight, marginTop: vertical, marginBottom: vertical, marginLeft: horizontal, marginRight: horizontal };
}
