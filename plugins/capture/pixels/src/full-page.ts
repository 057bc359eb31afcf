import type { Page, RenderContext } from '@platen/kernel';
import { growForContent, measureFirst, openDocument, settlePage, viewHeight, type Extent } from '@platen/lib-geometry';
import { planFrame, refuseTooLarge, type Region } from './frame.js';
import { FIRST_LOAD_MS } from './limits.js';
import type { PixelParams } from './params.js';
import { readCaptureOptions } from './pixel-capture.js';
import { findVisits } from './visits.js';

/**
 * `full_page`'s first load: measures the page at the browser height and loads it again at the height of its content, so that
 * lazy images load and sticky elements stand in their natural place. A page that does not scroll is not loaded again.
 * Holds for every capture kind.
 */
export async function prepareFullPage(context: RenderContext<PixelParams>): Promise<undefined> {
  if (context.params.full_page !== true) return;
  const { page } = context;
  context.waitingFor('the first of the two loads of "full_page"');
  await within(page.lifecycle.reached('load'), FIRST_LOAD_MS);
  const extent = await measureFirst(page);
  if (viewHeight(page, extent) >= extent.height) return;
  if (context.plan.capture.kind === 'pixels') refuseHopeless(context, extent);
  await growForContent(context, extent);
  await context.loadAgain();
}

/** The whole document as a region, with the viewport set to the height at which it is to be captured. */
export async function openDocumentRegion(context: RenderContext<PixelParams>): Promise<Region> {
  return documentRegion(context.page, await openDocument(context, { still: true }));
}

async function documentRegion(page: Page, { height, scale }: Extent): Promise<Region> {
  const { profile } = page;
  const view = await settlePage(page, (await page.evaluate(scrollToTop)) ? { moved: true } : {});
  const visible = profile.height / scale;
  const viewport = height < visible + 1;
  const region = {
    x: -view.left,
    y: 0,
    width: profile.width / scale,
    height: viewport ? visible : height,
    zoom: profile.deviceScaleFactor * scale,
    viewport,
    beyond: !viewport,
  };
  return viewport ? region : { ...region, visits: await findVisits(page, region, view) };
}

/** Runs in the page. Answers whether there was anything to scroll. */
function scrollToTop(): boolean {
  const scrolled = scrollX !== 0 || scrollY !== 0;
  scrollTo({ left: 0, top: 0, behavior: 'instant' });
  return scrolled;
}

/** A page that is too high already is not loaded again to be refused afterwards. */
function refuseHopeless({ page, params, plan }: RenderContext<PixelParams>, { height, scale }: Extent): void {
  const { width, deviceScaleFactor } = page.profile;
  const region = { x: 0, y: 0, width: width / scale, height, zoom: deviceScaleFactor * scale, viewport: false, beyond: true };
  refuseTooLarge(planFrame({ region, params, deviceScaleFactor }), readCaptureOptions(plan.output.captureOptions), plan.output.type);
}

/** Waits no longer than that; what comes later is nobody's concern. */
async function within(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
