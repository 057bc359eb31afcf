import type { Readable } from 'node:stream';
import { isPlatenError, type Page, PlatenError, type RenderContext } from '@platen/kernel';
import { unrollBoxes } from '@platen/lib-page-layout';
import { planAmendment } from './amend-pdf.js';
import { planTemplates } from './clean-template.js';
import { planMetadata } from './metadata.js';
import { type Paper, planPaper } from './paper.js';
import type { PrintParams } from './params.js';
import { openPrintMedia } from './print-media.js';
import { ensureFramesPrinted } from './full-chrome-fallback.js';
import { fitToOnePage, isBeyondLastPage, restyleForOnePage } from './single-page.js';
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

/** More than any printer or reader accepts. Each page costs the browser about half a millisecond. */
const MAX_PAGES = 20_000;

/** Of CSS. */
const PIXELS_PER_INCH = 96;

/** Maximum factor by which the browser shrinks content that is too wide for its page (`kPrintingMaximumShrinkFactor`). */
const MAX_SHRINKING = 2;

/** In CSS pixels: on narrower paper every line wraps differently. */
const MIN_WIDTH = 100;

/** Reverts a change of the page. */
type Revert = () => Promise<void>;

/** Prints the page and streams the PDF. Other captures see the page as it was before printing, also if that fails. */
export async function capturePrint(context: RenderContext<PrintParams>): Promise<PrintCapture> {
  const reverts: Revert[] = [];
  try {
    return await printPage(context, reverts);
  } finally {
    // A page that is lost has nothing to revert, and its own error.
    for (const revert of reverts.reverse()) await revert().catch(() => undefined);
  }
}

async function printPage(context: RenderContext<PrintParams>, reverts: Revert[]): Promise<PrintCapture> {
  const { page, params, plan } = context;
  context.setWaitReason('images and fonts');
  const { emulate_media: asked } = plan.params;
  await openPrintMedia(page, { chosen: asked !== undefined, reverts });
  await ensureFramesPrinted(context);
  reverts.push(await unrollBoxes(page));
  const { language, title, ...size } = await page.evaluate(readDocument);
  const paper = planPaper(params);
  // If the page may set the paper size, the number of pages is not known before printing.
  const isUnknown = params.pdf_prefer_css_page_size === true || params.pdf_single_page === true;
  const excess = isUnknown ? undefined : describeManyPages(size, params, paper);
  if (excess !== undefined) throw new PlatenError('capture_too_large', excess);
  context.setWaitReason('the page to be printed');
  if (params.pdf_prefer_css_page_size !== true) await overridePageSize(page);
  if (params.pdf_single_page === true) reverts.push(await restyleForOnePage(page));
  const handle = await print(page, params, paper);
  // Printing loads frames with `loading=lazy`.
  await ensureFramesPrinted(context);
  const amendment = planAmendment({
    ...{ language, outline: params.pdf_generate_document_outline, tagged: params.pdf_generate_tagged_pdf },
    metadata: planMetadata(params, title),
  });
  return { data: streamPdf(context, handle, amendment) };
}

/** Runs in the page; must not capture outer variables. */
function readDocument(): PrintedPage & { readonly language: string; readonly title: string } {
  const { lang, scrollHeight } = document.documentElement;
  return { language: lang, title: document.title, width: innerWidth, height: scrollHeight };
}

interface PrintedPage {
  /** In CSS pixels, as shown in a window of this width. */
  readonly width: number;
  readonly height: number;
}

/** Why a page of this size would have too many PDF pages; undefined if it would not. The estimate is too low rather than too high. */
function describeManyPages(page: PrintedPage, params: PrintParams, { paperWidth, paperHeight }: Paper): string | undefined {
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
async function print(page: Page, params: PrintParams, paper: Paper): Promise<string> {
  const { pdf_generate_document_outline: outline = false, pdf_generate_tagged_pdf: tagged = false } = params;
  const layout = {
    ...paper,
    ...(await planTemplates(params, paper)),
    scale: params.pdf_scale ?? 1,
    printBackground: params.pdf_print_background ?? true,
    preferCSSPageSize: params.pdf_prefer_css_page_size ?? false,
  };
  try {
    const { stream } = await page.send(
      'Page.printToPDF',
      {
        ...(params.pdf_single_page === true ? await fitToOnePage(page, layout) : layout),
        ...(params.pdf_page_ranges === undefined ? {} : { pageRanges: params.pdf_page_ranges.replaceAll(/\s/g, '') }),
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
    if (isBeyondLastPage(error)) {
      throw new PlatenError('selection_empty', `"pdf_page_ranges" has no page of this PDF: ${params.pdf_page_ranges ?? ''}`, {
        cause: error,
      });
    }
    // Chromium's generic error. A very long document is a known cause.
    const why = String(error).includes('Printing failed') ? `: ${PERHAPS_TOO_LONG}` : '';
    throw new PlatenError('print_failed', `the browser could not print the page${why}`, { cause: error });
  }
  throw new PlatenError('print_failed', 'the browser printed the page but returned no PDF');
}
