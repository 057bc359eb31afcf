import { isPlatenError, PlatenError, type Page, type RenderContext } from '@platen/kernel';
import { planAmendment } from './amend-pdf.js';
import { overridePageSize } from './override-page-size.js';
import { describeManySheets, planPaper, type PrintedPage } from './paper.js';
import type { PrintParams } from './params.js';
import type { PrintCapture } from './print-capture.js';
import { openPrintMedia } from './print-media.js';
import { ensureFramesPrinted } from './full-chrome-fallback.js';
import { streamPdf } from './stream-pdf.js';

/** Prints the page and streams the PDF. */
export async function capturePrint(context: RenderContext<PrintParams>): Promise<PrintCapture> {
  const { page, params, plan } = context;
  context.setWaitReason('images and fonts');
  const { emulate_media: asked } = plan.params;
  const leavePrintMedia = await openPrintMedia(page, { chosen: asked !== undefined });
  await ensureFramesPrinted(context);
  const { language, ...size } = await page.evaluate(readDocument);
  // If the page may set the paper size, the number of pages is not known before printing.
  const tooMany = params.pdf_prefer_css_page_size === true ? undefined : describeManySheets(size, params);
  if (tooMany !== undefined) throw new PlatenError('capture_too_large', tooMany);
  context.setWaitReason('the page to be printed');
  if (params.pdf_prefer_css_page_size !== true) await overridePageSize(page);
  const handle = await print(page, params);
  // Printing loads frames with `loading=lazy`.
  await ensureFramesPrinted(context);
  // Captures in addition to the PDF see the page as it was before printing.
  await leavePrintMedia();
  const amendment = planAmendment({ language, outline: params.pdf_generate_document_outline, tagged: params.pdf_generate_tagged_pdf });
  return { data: streamPdf(context, handle, amendment) };
}

/** Runs in the page; must not capture outer variables. */
function readDocument(): PrintedPage & { readonly language: string } {
  const { lang, scrollHeight } = document.documentElement;
  return { language: lang, width: innerWidth, height: scrollHeight };
}

/** As long as the render lasts. */
const UNBOUNDED = { timeoutMs: Infinity };

const PERHAPS_TOO_LONG =
  'it may be too long to be printed as one; a smaller "pdf_scale" or a larger "pdf_width" and "pdf_height" make fewer sheets of it';

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
  throw new PlatenError('print_failed', 'the browser printed the page and did not give the PDF');
}
