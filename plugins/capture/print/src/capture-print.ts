import type { Readable } from 'node:stream';
import { isPlatenError, type Page, type Params, PlatenError, type RenderContext } from '@platen/kernel';
import { unrollBoxes } from '@platen/lib-page-layout';
import { planAmendment } from './amend-pdf.js';
import type { PrintParams } from './params.js';
import { openPrintMedia } from './print-media.js';
import { ensureFramesPrinted } from './full-chrome-fallback.js';
import { streamPdf } from './stream-pdf.js';

/** The printed page. */
export interface PrintCapture {
  /** The bytes of a PDF, streamed from the browser. Its session lives until they are read. */
  readonly data: Readable;
}

declare module '@platen/kernel' {
  interface CaptureKinds {
    print: PrintCapture;
  }
}

/** US Letter, in inches. */
const LETTER = { width: 8.5, height: 11 };

/** Default page margin of browsers, in inches: about 1 cm. The page's own `@page { margin }` takes precedence. */
const MARGIN = 0.4;

/** Maximum share of a side that the margin takes. */
const MAX_SIDE_SHARE = 0.1;

/** More than any printer or reader accepts. Each page costs the browser about half a millisecond. */
const MAX_PAGES = 20_000;

/** Of CSS. */
const PIXELS_PER_INCH = 96;

/** Maximum factor by which the browser shrinks content that is too wide for its page (`kPrintingMaximumShrinkFactor`). */
const MAX_SHRINKING = 2;

/** In CSS pixels: on narrower paper every line wraps differently. */
const MIN_WIDTH = 100;

/** Prints the page and streams the PDF. */
export async function capturePrint(context: RenderContext<PrintParams>): Promise<PrintCapture> {
  const { page, params, plan } = context;
  context.setWaitReason('images and fonts');
  const { emulate_media: asked } = plan.params;
  const leavePrintMedia = await openPrintMedia(page, { chosen: asked !== undefined });
  await ensureFramesPrinted(context);
  const rollUp = await unrollBoxes(page);
  const { language, ...size } = await page.evaluate(readDocument);
  // If the page may set the paper size, the number of pages is not known before printing.
  const excess = params.pdf_prefer_css_page_size === true ? undefined : describeManyPages(size, params);
  if (excess !== undefined) throw new PlatenError('capture_too_large', excess);
  context.setWaitReason('the page to be printed');
  if (params.pdf_prefer_css_page_size !== true) await overridePageSize(page);
  const handle = await print(page, params);
  // Printing loads frames with `loading=lazy`.
  await ensureFramesPrinted(context);
  // Captures in addition to the PDF see the page as it was before printing.
  await rollUp();
  await leavePrintMedia();
  const amendment = planAmendment({ language, outline: params.pdf_generate_document_outline, tagged: params.pdf_generate_tagged_pdf });
  return { data: streamPdf(context, handle, amendment) };
}

/** Runs in the page; must not capture outer variables. */
function readDocument(): PrintedPage & { readonly language: string } {
  const { lang, scrollHeight } = document.documentElement;
  return { language: lang, width: innerWidth, height: scrollHeight };
}

interface PrintedPage {
  /** In CSS pixels, as shown in a window of this width. */
  readonly width: number;
  readonly height: number;
}

/** Why a page of this size would have too many PDF pages; undefined if it would not. The estimate is too low rather than too high. */
function describeManyPages(page: PrintedPage, params: PrintParams): string | undefined {
  const { paperWidth = 0, paperHeight = 0 } = planPaper(params);
  const zoom = (params.pdf_scale ?? 1) / PIXELS_PER_INCH;
  const paper = { width: paperWidth / zoom, height: paperHeight / zoom };
  if (paper.width < MIN_WIDTH) return undefined;
  const pages = (page.height * Math.min(1, page.width / paper.width)) / paper.height / MAX_SHRINKING;
  if (pages <= MAX_PAGES) return undefined;
  const keys = params.pdf_landscape === true ? 'a larger "pdf_width" and "pdf_height"' : 'a larger "pdf_height"';
  return `the PDF would have more than ${String(MAX_PAGES)} pages: request ${keys}, or a smaller "pdf_scale"`;
}

/**
 * Overrides the page's `@page { size }` while it is printed. Otherwise Chromium turns the paper to the orientation that the page sets,
 * whatever `preferCSSPageSize` is. The page's rules are restored afterwards.
 */
function overridePageSize(page: Page): Promise<void> {
  return page.evaluate(fixInPage);
}

/** Runs in the page; must not capture outer variables. The page's own listeners have run when this one does. */
function fixInPage(): void {
  /**
   * Rules whose `size` is important. A named page is more specific than the rule of this file, so it yields only where its `size` is not
   * important. Cross-origin style sheets cannot be read.
   */
  const importantRules = (sheet: CSSStyleSheet | CSSGroupingRule): CSSPageRule[] => {
    let rules: readonly CSSRule[] = [];
    try {
      rules = Array.from(sheet.cssRules);
    } catch {
      return [];
    }
    return rules.flatMap((rule) => {
      if (rule instanceof CSSPageRule) return rule.style.getPropertyPriority('size') === '' ? [] : [rule];
      if (rule instanceof CSSImportRule) return rule.styleSheet === null ? [] : importantRules(rule.styleSheet);
      return rule instanceof CSSGroupingRule ? importantRules(rule) : [];
    });
  };
  const setPriority = (rules: readonly CSSPageRule[], priority: '' | 'important'): void => {
    for (const { style } of rules) style.setProperty('size', style.getPropertyValue('size'), priority);
  };
  const ours = new CSSStyleSheet();
  ours.replaceSync('@page { size: auto !important }');
  let yielding: readonly CSSPageRule[] = [];
  addEventListener('beforeprint', () => {
    yielding = [...document.styleSheets, ...document.adoptedStyleSheets].flatMap(importantRules);
    setPriority(yielding, '');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, ours];
  });
  addEventListener('afterprint', () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== ours);
    setPriority(yielding, 'important');
  });
}

/** As long as the render lasts. */
const UNBOUNDED = { timeoutMs: Infinity };

const PERHAPS_TOO_LONG =
  'it may be too long for one PDF; a smaller "pdf_scale" or a larger "pdf_width" and "pdf_height" reduce the number of pages';

/** Page.printToPDF; returns the handle of the stream. */
async function print(page: Page, params: PrintParams): Promise<string> {
  const { pdf_generate_document_outline: outline = false, pdf_generate_tagged_pdf: tagged = false } = params;
  try {
    const { stream } = await page.send(
      'Page.printToPDF',
      {
        ...planPaper(params),
        scale: params.pdf_scale ?? 1,
        printBackground: true,
        preferCSSPageSize: params.pdf_prefer_css_page_size ?? false,
        // Chromium makes the outline from the tags, so it needs them.
        generateTaggedPDF: tagged || outline,
        generateDocumentOutline: outline,
        transferMode: 'ReturnAsStream',
      },
      UNBOUNDED,
    );
    if (stream !== undefined) return stream;
  } catch (error) {
    if (isPlatenError(error)) throw error;
    // Chromium's generic error. A very long document is a known cause.
    const why = String(error).includes('Printing failed') ? `: ${PERHAPS_TOO_LONG}` : '';
    throw new PlatenError('print_failed', `the browser could not print the page${why}`, { cause: error });
  }
  throw new PlatenError('print_failed', 'the browser printed the page but returned no PDF');
}

type Paper = Pick<
  NonNullable<Params<'Page.printToPDF'>[0]>,
  'paperWidth' | 'paperHeight' | 'marginTop' | 'marginRight' | 'marginBottom' | 'marginLeft'
>;

/** The paper size, already turned to its orientation. */
export function planPaper({ pdf_width, pdf_height, pdf_landscape }: PrintParams): Paper {
  const sides = [pdf_width ?? LETTER.width, pdf_height ?? LETTER.height] as const;
  const [paperWidth, paperHeight] = pdf_landscape === true ? [Math.max(...sides), Math.min(...sides)] : sides;
  const vertical = Math.min(MARGIN, paperHeight * MAX_SIDE_SHARE);
  const horizontal = Math.min(MARGIN, paperWidth * MAX_SIDE_SHARE);
  return { paperWidth, paperHeight, marginTop: vertical, marginBottom: vertical, marginLeft: horizontal, marginRight: horizontal };
}
