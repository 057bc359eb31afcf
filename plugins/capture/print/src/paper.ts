import type { PlanDraft } from '@platen/kernel';
import { type Format, FORMATS, MAX_SIDE, MAX_TEMPLATE, MIN_SIDE, type PrintParams } from './params.js';

/** Lengths in inches, as Page.printToPDF takes them. */
export interface Paper {
  readonly paperWidth: number;
  readonly paperHeight: number;
  readonly marginTop: number;
  readonly marginRight: number;
  readonly marginBottom: number;
  readonly marginLeft: number;
}

/** Default page margin of browsers, in inches: about 1 cm. The page's own `@page { margin }` takes precedence. */
const MARGIN = 0.4;

/** Maximum share of a side that the default margin takes. */
const MAX_SIDE_SHARE = 0.1;

const PER_INCH: Readonly<Record<string, number>> = { in: 1, cm: 2.54, mm: 25.4, pt: 72, px: 96 };

/** The paper size, already turned to its orientation, and its margins. */
export function planPaper({ pdf_format, pdf_width, pdf_height, pdf_landscape, pdf_margin }: PrintParams): Paper {
  const format = FORMATS[nameFormat(pdf_format)];
  const sides = [pdf_width ?? format.width, pdf_height ?? format.height] as const;
  const [paperWidth, paperHeight] = pdf_landscape === true ? [Math.max(...sides), Math.min(...sides)] : sides;
  if (pdf_margin !== undefined) return { paperWidth, paperHeight, ...readMargins(pdf_margin) };
  const vertical = Math.min(MARGIN, paperHeight * MAX_SIDE_SHARE);
  const horizontal = Math.min(MARGIN, paperWidth * MAX_SIDE_SHARE);
  return { paperWidth, paperHeight, marginTop: vertical, marginBottom: vertical, marginLeft: horizontal, marginRight: horizontal };
}

/** Case is ignored. */
function nameFormat(given = 'Letter'): Format {
  // `Object.keys` forgets which keys the table has.
  const names = Object.keys(FORMATS) as Format[];
  return names.find((name) => name.toLowerCase() === given.toLowerCase()) ?? 'Letter';
}

/** The shorthand of CSS. A number without a unit is in inches. */
export function readMargins(text: string): Omit<Paper, 'paperWidth' | 'paperHeight'> {
  const lengths = text
    .trim()
    .split(/\s+/)
    .map((length) => parseFloat(length) / (PER_INCH[length.replace(/[\d.]/g, '').toLowerCase()] ?? 1));
  const [top = 0, right = top, bottom = top, left = right] = lengths;
  return { marginTop: top, marginRight: right, marginBottom: bottom, marginLeft: left };
}

/** Refuses margins that leave no room for the content, or none for a header or footer. */
export function checkMargins(params: PrintParams, refuse: PlanDraft['refuse']): void {
  const { paperWidth, paperHeight, marginTop, marginRight, marginBottom, marginLeft } = planPaper(params);
  const height = params.pdf_single_page === true ? MAX_SIDE : paperHeight;
  const hasRoom = height - marginTop - marginBottom >= MIN_SIDE && paperWidth - marginLeft - marginRight >= MIN_SIDE;
  if (params.pdf_margin !== undefined && !hasRoom) {
    refuse('pdf_margin', `"pdf_margin" leaves no room on a page of ${inches(paperWidth)} x ${inches(paperHeight)} inches`);
  }
  const needed = [
    { key: 'pdf_header', side: 'top', room: marginTop },
    { key: 'pdf_footer', side: 'bottom', room: marginBottom },
  ] as const;
  for (const { key, side, room } of needed) {
    if (room === 0 && isTemplate(params[key])) refuse(key, `"${key}" needs a ${side} margin to be printed in: set "pdf_margin"`);
  }
}

export function checkTemplates(params: PrintParams, refuse: PlanDraft['refuse']): void {
  for (const key of ['pdf_header', 'pdf_footer'] as const) {
    if (Buffer.byteLength(params[key] ?? '') > MAX_TEMPLATE) refuse(key, `"${key}" must have at most 256 KiB`);
  }
}

export function checkRanges({ pdf_page_ranges: ranges = '' }: PrintParams, refuse: PlanDraft['refuse']): void {
  const reversed = [...ranges.matchAll(/(\d+)\s*-\s*(\d+)/g)].find(([, first, last]) => Number(first) > Number(last));
  if (reversed !== undefined) refuse('pdf_page_ranges', `"pdf_page_ranges" has a range that ends before it begins: ${reversed[0]}`);
}

/** Empty text is no template. */
export function isTemplate(template: string | undefined): template is string {
  return template !== undefined && template.trim() !== '';
}

function inches(length: number): string {
  return String(Math.round(length * 100) / 100);
}
