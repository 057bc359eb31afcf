import type { Page, RenderContext } from '@platen/kernel';
import { measureDocument, settlePage, type Extent } from '@platen/lib-geometry';
import { planFrame, refuseTooLarge, type Region } from './frame.js';
import { FIRST_LOAD_MS, MAX_PIXELS, MAX_VIEWPORT_PIXELS } from './limits.js';
import type { PixelParams } from './params.js';
import { readCaptureOptions } from './pixel-capture.js';

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
  const extent = await page.evaluate(measureDocument);
  if (viewHeight(page, extent) >= extent.height) return;
  if (context.plan.capture.kind === 'pixels') refuseHopeless(context, extent);
  await page.setProfile({ height: boundedHeight(page, extent.height * extent.scale) });
  await context.loadAgain();
}

/** The whole document as a region, with the viewport set to the height at which it is to be captured. */
export async function openDocumentRegion(context: RenderContext<PixelParams>): Promise<Region> {
  const { page } = context;
  const original = context.plan.profile.height;
  const first = await settledExtent(page);
  if (viewHeight(page, first) >= first.height) return captureHeight(page, first, original);

  // It grew: by what loaded meanwhile, or because its elements are as high as the viewport. Only the second kind shrinks again.
  const tall = await extentAt(page, boundedHeight(page, first.height * first.scale));
  if (tall.inner) return captureHeight(page, tall, original);
  const small = await extentAt(page, original);
  if (small.height !== tall.height) return documentRegion(page, small);
  return captureHeight(page, await extentAt(page, boundedHeight(page, tall.height * tall.scale)), original);
}

/** In the high viewport where the browser paints all of it; else beyond the original one. */
async function captureHeight(page: Page, extent: Extent, original: number): Promise<Region> {
  const { height, deviceScaleFactor } = page.profile;
  const painted = height === original || extent.inner || height * deviceScaleFactor <= MAX_VIEWPORT_PIXELS;
  return documentRegion(page, painted ? extent : await extentAt(page, original));
}

async function documentRegion(page: Page, { height, scale }: Extent): Promise<Region> {
  const { profile } = page;
  if (await page.evaluate(scrollToTop)) await settlePage(page, { moved: true });
  const visible = profile.height / scale;
  const viewport = height < visible + 1;
  return {
    x: 0,
    y: 0,
    width: profile.width / scale,
    height: viewport ? visible : height,
    zoom: profile.deviceScaleFactor * scale,
    viewport,
    beyond: !viewport,
  };
}

function viewHeight({ profile }: Page, { scale }: Extent): number {
  return profile.height / scale;
}

async function extentAt(page: Page, height: number): Promise<Extent> {
  await page.setProfile({ height });
  return settledExtent(page);
}

async function settledExtent(page: Page): Promise<Extent> {
  await settlePage(page, { moved: true });
  return page.evaluate(measureDocument);
}

/** Runs in the page. Answers whether there was anything to scroll. */
function scrollToTop(): boolean {
  const scrolled = scrollX !== 0 || scrollY !== 0;
  scrollTo({ left: 0, top: 0, behavior: 'instant' });
  return scrolled;
}

/** No higher than the highest picture. */
function boundedHeight({ profile }: Page, height: number): number {
  return Math.min(Math.ceil(height), Math.floor(MAX_PIXELS / (profile.width * profile.deviceScaleFactor ** 2)));
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
