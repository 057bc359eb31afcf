import type { Fragments, InferParams } from '@platen/kernel';

/** Inches. A page of a PDF is at most 14,400 units of 1/72 inch wide and high (ISO 32000-1, annex C). */
const MAX_SIDE = 200;
/**
 * Inches. Below 1/75 all PDF pages get that size. Below about 1e-8, which counts as zero, Chromium 156 exits with all its pages instead
 * of printing. The limit is far from both, with a margin for other releases.
 */
export const MIN_SIDE = 0.001;

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
} as const satisfies Fragments;

export type PrintParams = InferParams<typeof PRINT_PARAMS>;

/** The first side of the paper that is too small to print on. */
export function findTinySide(params: Partial<PrintParams>): 'pdf_width' | 'pdf_height' | undefined {
  return (['pdf_width', 'pdf_height'] as const).find((side) => (params[side] ?? MIN_SIDE) < MIN_SIDE);
}
