import { contextKey, type Page, type RenderContext, withTimeout } from '@platen/kernel';
import { growForContent, isInViewport, measureFirst, openDocument, waitForStablePage, type Extent } from '@platen/lib-page-layout';
import { waitAgainKey } from '@platen/plugin-wait/keys';
import { planFrame, refuseTooLarge, type Region } from './frame.js';
import { FIRST_LOAD_MS } from './limits.js';
import type { ScreenshotParams } from './params.js';
import { readCaptureOptions } from './screenshot-capture.js';
import { findScrollSegments } from './scroll-segments.js';

/** Whether the first of the two loads is over. Another document, to which the page navigates by itself, is not loaded again. */
const FIRST_LOADED = contextKey<true>('screenshot: first load');

/**
 * The first load of `full_page`: measures the page at the browser height and loads it again at the height of its content, so that lazy
 * images load and sticky elements are in their natural position. A page that does not scroll, or that a plugin has navigated to, is not loaded
 * again. Applies to every
 * capture kind.
 */
export async function prepareFullPage(context: RenderContext<ScreenshotParams>): Promise<undefined> {
  if (context.params.full_page !== true || context.get(FIRST_LOADED)) return;
  const { page } = context;
  context.setWaitReason('the first of the two loads of "full_page"');
  await withTimeout(page.lifecycle.reached('load'), FIRST_LOAD_MS);
  const extent = await measureFirst(page);
  context.set(FIRST_LOADED, true);
  if (isInViewport(page, extent)) return;
  if (context.plan.capture.kind === 'screenshot') refuseLargeDocument(context, extent);
  await growForContent(context, extent);
  if (!context.isNavigatedByPlugin) await context.renavigate();
}

/** A page that is already too large is refused before the second load. */
function refuseLargeDocument({ page, params, plan }: RenderContext<ScreenshotParams>, { width, height, scale }: Extent): void {
  const { deviceScaleFactor } = page.profile;
  const size = { width: width ?? page.profile.width / scale, height };
  const region = { x: 0, y: 0, ...size, zoom: deviceScaleFactor * scale, viewport: false, beyond: true };
  refuseTooLarge(planFrame({ region, params, deviceScaleFactor }), readCaptureOptions(plan.output.captureOptions), plan.output.type);
}

/** The whole document as a region, with the viewport set to the height at which it is to be captured. */
export async function openDocumentRegion(context: RenderContext<ScreenshotParams>): Promise<Region> {
  return documentRegion(context.page, await openDocument(context, { still: true, waitAgain: context.get(waitAgainKey) }));
}

async function documentRegion(page: Page, extent: Extent): Promise<Region> {
  const { width, height, scale } = extent;
  const { profile } = page;
  const view = await waitForStablePage(page, (await page.evaluate(scrollToTop)) ? { moved: true } : {});
  const visible = { width: profile.width / scale, height: profile.height / scale };
  const viewport = width === null ? height < visible.height + 1 : width < visible.width + 1;
  const zoom = profile.deviceScaleFactor * scale;
  const region = { x: -view.left, y: 0, ...visible, zoom, viewport, beyond: !viewport };
  // A browser with this native scale ends its boxes at whole pixels. A pixel added by rounding up would not be painted.
  const snapped = profile.deviceScaleFactor === (await page.nativeScaleFactor());
  const ended = (length: number) => (snapped ? Math.max(1, Math.round(length * zoom)) / zoom : length);
  if (viewport) {
    const end = ended(region.height);
    return Math.abs(end - region.height) * zoom < 1e-6 ? region : { ...region, height: end, viewport: false };
  }
  if (width !== null) return { ...region, x: 0, width };
  const whole = { ...region, height: ended(height) };
  return { ...whole, segments: await findScrollSegments(page, whole, view) };
}

/** Runs in the page. Returns whether there was anything to scroll. */
function scrollToTop(): boolean {
  const scrolled = scrollX !== 0 || scrollY !== 0;
  scrollTo({ left: 0, top: 0, behavior: 'instant' });
  return scrolled;
}
