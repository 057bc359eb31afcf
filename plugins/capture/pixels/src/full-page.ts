import { contextKey, type Page, type RenderContext } from '@platen/kernel';
import { measureDocument, settlePage, walkPage, type Extent } from '@platen/lib-geometry';
import { planFrame, refuseTooLarge, type Region } from './frame.js';
import { FIRST_LOAD_MS, MAX_PIXELS, MAX_VIEWPORT_PIXELS } from './limits.js';
import type { PixelParams } from './params.js';
import { readCaptureOptions } from './pixel-capture.js';

/** What the first load held, where the viewport has grown for it. */
const FIRST_CONTENT = contextKey<string>('full-page-content');

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
  context.set(FIRST_CONTENT, await page.evaluate(weighContent));
  await page.setProfile({ height: boundedHeight(page, extent.height * extent.scale) });
  await context.loadAgain();
}

/** The whole document as a region, with the viewport set to the height at which it is to be captured. */
export async function openDocumentRegion(context: RenderContext<PixelParams>): Promise<Region> {
  const { page } = context;
  const original = context.plan.profile.height;
  const first = await settledExtent(page);
  if (viewHeight(page, first) >= first.height) {
    const before = context.get(FIRST_CONTENT);
    const same = before === undefined || before === (await page.evaluate(weighContent));
    return same ? captureHeight(page, first, original) : openShorterRegion(page, first, original);
  }

  // It grew: by what loaded meanwhile, or because its elements are as high as the viewport. Only the second kind shrinks again.
  const tall = await extentAt(page, boundedHeight(page, first.height * first.scale));
  if (tall.inner) return captureHeight(page, tall, original);
  const small = await extentAt(page, original);
  if (small.height !== tall.height) return documentRegion(page, await walkedExtent(page));
  return captureHeight(page, await extentAt(page, boundedHeight(page, tall.height * tall.scale)), original);
}

/**
 * A page that fills its viewport may do so only because the viewport has the height of what the first load held: how high it is
 * shows in the original one.
 */
async function openShorterRegion(page: Page, filled: Extent, original: number): Promise<Region> {
  const { height } = page.profile;
  const small = await extentAt(page, original);
  if (small.height >= filled.height) return captureHeight(page, await extentAt(page, height), original);
  if (viewHeight(page, small) >= small.height) return documentRegion(page, small);
  const fitted = await extentAt(page, boundedHeight(page, small.height * small.scale));
  // One that grows with the viewport all the same has elements that are as high as that.
  if (fitted.height > viewHeight(page, fitted) + 1) {
    await page.setProfile({ height: original });
    return documentRegion(page, await walkedExtent(page));
  }
  return captureHeight(page, fitted, original);
}

/** In the high viewport where the browser paints all of it; else beyond the original one. */
async function captureHeight(page: Page, extent: Extent, original: number): Promise<Region> {
  const { height, deviceScaleFactor } = page.profile;
  const painted = height === original || extent.inner || height * deviceScaleFactor <= MAX_VIEWPORT_PIXELS;
  return documentRegion(page, painted ? extent : await extentAt(page, original));
}

async function documentRegion(page: Page, { height, scale }: Extent): Promise<Region> {
  const { profile } = page;
  const { left } = await settlePage(page, (await page.evaluate(scrollToTop)) ? { moved: true } : {});
  const visible = profile.height / scale;
  const viewport = height < visible + 1;
  return {
    x: -left,
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

/**
 * Of a page whose elements are as high as the viewport. In the high one they have pushed the rest out of sight, and what loads
 * when it is seen has not been loaded.
 */
async function walkedExtent(page: Page): Promise<Extent> {
  await walkPage(page);
  return settledExtent(page);
}

async function settledExtent(page: Page): Promise<Extent> {
  await settlePage(page, { moved: true });
  return page.evaluate(measureDocument);
}

/** Runs in the page: closes over nothing. Two loads with the same answer hold the same, as far as their height is concerned. */
function weighContent(): string {
  const { length } = document.documentElement.textContent;
  return `${String(document.getElementsByTagName('*').length)} elements, ${String(length)} characters`;
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
