import type { Fragments, InferParams, Rule } from '@platen/kernel';

/** Inches. A page of a PDF is at most 14,400 units of 1/72 inch wide and high (ISO 32000-1, annex C). */
export const MAX_SIDE = 200;
/**
 * Inches. Below 1/75 all PDF pages get that size. Below about 1e-8, which counts as zero, Chromium 156 exits with all its pages instead
 * of printing. The limit is far from both, with a margin for other releases.
 */
export const MIN_SIDE = 0.001;

/** Sides in inches. */
export const FORMATS = {
  Letter: { width: 8.5, height: 11 },
  Legal: { width: 8.5, height: 14 },
  Tabloid: { width: 11, height: 17 },
  Ledger: { width: 17, height: 11 },
  A0: millimeters(841, 1189),
  A1: millimeters(594, 841),
  A2: millimeters(420, 594),
  A3: millimeters(297, 420),
  A4: millimeters(210, 297),
  A5: millimeters(148, 210),
  A6: millimeters(105, 148),
} as const;

export type Format = keyof typeof FORMATS;

function millimeters(width: number, height: number) {
  return { width: width / 25.4, height: height / 25.4 };
}

/** A pattern for words in any case. */
function anyOf(words: readonly string[]): string {
  const letters = (word: string) => word.replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);
  return `^(?:${words.map(letters).join('|')})$`;
}

const LENGTH = String.raw`(?:\d{1,6}(?:\.\d{0,6})?|\.\d{1,6})(?:[iI][nN]|[cC][mM]|[mM][mM]|[pP][tT]|[pP][xX])?`;
const PAGE = String.raw`0*[1-9]\d{0,5}`;
const RANGE = String.raw`\s*(?:${PAGE}(?:\s*-\s*(?:${PAGE})?)?|-\s*${PAGE})\s*`;

/** In bytes of UTF-8: `maxLength` is of characters, which have at least one. */
export const MAX_TEMPLATE = 262_144;
/** In characters. */
const MAX_TEXT = 4096;

const TEMPLATE =
  'Elements of the classes date, title, url, pageNumber and totalPages are filled in. Scripts do not run, and only data: URLs are loaded.';

const text = (property: string, example: string) =>
  ({
    'x-extension': true,
    type: 'string',
    description: `${property} in the metadata of the PDF.`,
    minLength: 1,
    maxLength: MAX_TEXT,
    examples: [example],
  }) as const;

export const PRINT_PARAMS = {
  pdf_generate_document_outline: {
    type: 'boolean',
    description: 'Add an outline (bookmarks) from the headings of the page to the PDF.',
    default: false,
  },
  pdf_generate_tagged_pdf: {
    type: 'boolean',
    description: 'Add the logical structure (tags) to the PDF, for screen readers and text extraction.',
    default: false,
  },
  pdf_width: {
    type: 'number',
    description: 'Page width in inches.',
    exclusiveMinimum: 0,
    maximum: MAX_SIDE,
    default: 8.5,
    examples: [8.27],
    'x-synonyms': { paper_width: true },
  },
  pdf_height: {
    type: 'number',
    description: 'Page height in inches.',
    exclusiveMinimum: 0,
    maximum: MAX_SIDE,
    default: 11,
    examples: [11.69],
    'x-synonyms': { paper_height: true },
  },
  pdf_landscape: {
    type: 'boolean',
    description: 'Landscape orientation: the longer side of the page is its width.',
    default: false,
    'x-synonyms': { landscape: true },
  },
  pdf_prefer_css_page_size: {
    type: 'boolean',
    description:
      "Let the page's own `@page { size }` take precedence over width, height and orientation; otherwise its content is fitted to the page size.",
    default: false,
  },
  pdf_scale: {
    type: 'number',
    description: 'Scale factor of the content.',
    minimum: 0.1,
    maximum: 2,
    default: 1,
    examples: [0.8],
  },
  pdf_format: {
    'x-extension': true,
    type: 'string',
    description: 'Paper size by its name, instead of pdf_width and pdf_height. Case is ignored.',
    pattern: anyOf(Object.keys(FORMATS)),
    'x-expects': `one of: ${Object.keys(FORMATS).join(', ')}`,
    examples: ['A4'],
    'x-synonyms': { format: true, paper_format: true, paper_size: true, page_size: true, paper: true },
    'x-search': ['A4', 'letter'],
  },
  pdf_margin: {
    'x-extension': true,
    type: 'string',
    'x-number': true,
    description:
      "Page margins, as in CSS: one to four lengths in in, cm, mm, pt or px; a number is in inches. The page's own `@page { margin }` takes precedence. Default: 0.4 inches.",
    pattern: String.raw`^\s*${LENGTH}(?:\s+${LENGTH}){0,3}\s*$`,
    'x-expects': 'one to four lengths in in, cm, mm, pt or px, such as "1cm" or "10mm 15mm"',
    examples: ['1cm 2cm'],
    'x-synonyms': { margin: true, margins: true, margin_top: true, margin_bottom: true, margin_left: true, margin_right: true },
    'x-search': ['margins', 'border'],
  },
  pdf_header: {
    'x-extension': true,
    'x-at-file': true,
    type: 'string',
    description: `HTML in the top margin of every page. ${TEMPLATE}`,
    maxLength: MAX_TEMPLATE,
    examples: ['<b class="title"></b>'],
    'x-synonyms': { header_template: true, header_html: true, display_header_footer: true },
    'x-search': ['letterhead'],
  },
  pdf_footer: {
    'x-extension': true,
    'x-at-file': true,
    type: 'string',
    description: `HTML in the bottom margin of every page. ${TEMPLATE}`,
    maxLength: MAX_TEMPLATE,
    examples: ['Page <span class="pageNumber"></span> of <span class="totalPages"></span>'],
    'x-synonyms': { footer_template: true, footer_html: true },
    'x-search': ['page numbers'],
  },
  pdf_page_ranges: {
    'x-extension': true,
    type: 'string',
    'x-number': true,
    description: 'Pages to print. An end may be omitted: `-2` is the first two pages.',
    pattern: `^${RANGE}(?:,${RANGE})*$`,
    maxLength: MAX_TEXT,
    'x-expects': 'page numbers and ranges such as "2-3, 5, 8-"',
    examples: ['2-3, 5, 8-'],
    'x-synonyms': { page_ranges: true, pages: true, native_page_ranges: true },
  },
  pdf_print_background: {
    'x-extension': true,
    type: 'boolean',
    description: 'Print background colors and images.',
    default: true,
    'x-synonyms': { print_background: true, background: true },
  },
  pdf_single_page: {
    'x-extension': true,
    type: 'boolean',
    description: `Print one page as high as the content, at most ${String(MAX_SIDE)} inches.`,
    default: false,
    'x-synonyms': { single_page: true, one_page: true },
    'x-search': ['without page breaks'],
  },
  pdf_title: { ...text('Title', 'Invoice 17'), description: 'Title in the metadata of the PDF. Default: the title of the page.' },
  pdf_author: text('Author', 'Ada Lovelace'),
  pdf_subject: text('Subject', 'Analytical engine'),
  pdf_keywords: text('Keywords', 'engine, notes'),
} as const satisfies Fragments;

export type PrintParams = InferParams<typeof PRINT_PARAMS>;

export const PRINT_RULES: readonly Rule[] = [
  exclude('pdf_format', 'pdf_width'),
  exclude('pdf_format', 'pdf_height'),
  exclude('pdf_single_page', 'pdf_height', { pdf_single_page: { const: true } }),
  exclude('pdf_single_page', 'pdf_prefer_css_page_size', {
    pdf_single_page: { const: true },
    pdf_prefer_css_page_size: { const: true },
  }),
];

function exclude(one: string, other: string, properties: object = {}): Rule {
  return {
    'x-message': `"${one}" and "${other}" are mutually exclusive`,
    'x-parameters': [one, other],
    not: { required: [one, other], properties: { [one]: {}, [other]: {}, ...properties } },
  };
}

/** The first side of the paper that is too small to print on. */
export function findTinySide(params: Partial<PrintParams>): 'pdf_width' | 'pdf_height' | undefined {
  return (['pdf_width', 'pdf_height'] as const).find((side) => (params[side] ?? MIN_SIDE) < MIN_SIDE);
}
