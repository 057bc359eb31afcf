import type { Params } from '@platen/kernel';
import type { PrintParams } from './params.js';

type Paper = Pick<
  NonNullable<Params<'Page.printToPDF'>[0]>,
  'paperWidth' | 'paperHeight' | 'marginTop' | 'marginRight' | 'marginBottom' | 'marginLeft'
>;

/** US Letter, in inches. */
const LETTER = { width: 8.5, height: 11 };
/** Default page margin of browsers, in inches: about 1 cm. The page's own `@page { margin }` takes precedence. */
const MARGIN = 0.4;
/** Maximum share of a side that the margin takes. */
const MOST_OF_SIDE = 0.1;

/** More than any printer or reader accepts. Each page costs the browser about half a millisecond. */
const MOST_SHEETS = 20_000;
/** Of CSS. */
const PIXELS_PER_INCH = 96;
/** Maximum factor by which the browser shrinks content that is too wide for its page (`kPrintingMaximumShrinkFactor`). */
const MOST_SHRINKING = 2;
/** In CSS pixels: on narrower paper every line wraps differently. */
const LEAST_WIDTH = 100;

export interface PrintedPage {
  /** In CSS pixels, as shown in a window of this width. */
  readonly width: number;
  readonly height: number;
}

/** Why a page of this size would have too many PDF pages; undefined if it would not. The estimate is too low rather than too high. */
export function describeManySheets(page: PrintedPage, params: PrintParams): string | undefined {
  const { paperWidth = 0, paperHeight = 0 } = planPaper(params);
  const zoom = (params.pdf_scale ?? 1) / PIXELS_PER_INCH;
  const sheet = { width: paperWidth / zoom, height: paperHeight / zoom };
  if (sheet.width < LEAST_WIDTH) return undefined;
  const sheets = (page.height * Math.min(1, page.width / sheet.width)) / sheet.height / MOST_SHRINKING;
  if (sheets <= MOST_SHEETS) return undefined;
  const keys = params.pdf_landscape === true ? 'a larger "pdf_width" and "pdf_height"' : 'a larger "pdf_height"';
  return `the PDF would have more than ${String(MOST_SHEETS)} sheets: ask for ${keys}, or a smaller "pdf_scale"`;
}

/** The paper size, already turned to its orientation. */
export function planPaper({ pdf_width, pdf_height, pdf_landscape }: PrintParams): Paper {
  const sides = [pdf_width ?? LETTER.width, pdf_height ?? LETTER.height] as const;
  const [paperWidth, paperHeight] = pdf_landscape === true ? [Math.max(...sides), Math.min(...sides)] : sides;
  const vertical = Math.min(MARGIN, paperHeight * MOST_OF_SIDE);
  const horizontal = Math.min(MARGIN, paperWidth * MOST_OF_SIDE);
  return { paperWidth, paperHeight, marginTop: vertical, marginBottom: vertical, marginLeft: horizontal, marginRight: horizontal };
}
