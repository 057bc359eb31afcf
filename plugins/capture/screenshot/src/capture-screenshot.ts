import type { RenderContext } from '@platen/kernel';
import { settleAnimations, waitForStablePage, type View } from '@platen/lib-page-layout';
import { openElement } from './element.js';
import { planFrame, refuseTooLarge, type Frame, type Region } from './frame.js';
import { openDocumentRegion } from './full-page.js';
import type { PixelParams } from './params.js';
import { readCaptureOptions, type ScreenshotCapture, type ScreenshotCaptureOptions } from './screenshot-capture.js';
import { takeScreenshot } from './take-screenshot.js';

/** One still image of the page: the viewport, one element, or the full page. */
export async function captureScreenshot(context: RenderContext<PixelParams>): Promise<ScreenshotCapture> {
  const { page, params, plan } = context;
  const options = readCaptureOptions(plan.output.captureOptions);
  context.setWaitReason('images, fonts and transitions');
  if (params.full_page !== true && params.image_selector === undefined) return captureViewport(context, options);
  const { region, leave } = await openRegion(context);
  const frame = frameOf(context, region);
  refuseTooLarge(frame, options, plan.output.type);
  context.setWaitReason('the screenshot');
  const picture = await takeScreenshot(page, frame, options);
  await leave?.();
  return picture;
}

/** A view of a page without scrolling, zoom or animation. */
const AT_REST: View = { x: 0, y: 0, scale: 1, left: 0, animated: false, waited: false };

/**
 * The current viewport. The screenshot is requested while the page settles, because a later request waits for one more frame. It is taken
 * again if the page had to settle.
 */
async function captureViewport(context: RenderContext<PixelParams>, options: ScreenshotCaptureOptions): Promise<ScreenshotCapture> {
  const { page, plan } = context;
  const expected = frameOf(context, viewportRegion(context, AT_REST));
  refuseTooLarge(expected, options, plan.output.type);
  const settling = waitForStablePage(page);
  const early = expected.clip === undefined ? takeScreenshot(page, expected, options) : undefined;
  early?.catch(() => undefined);
  const view = await settling;
  if (view.animated) await settleAnimations(page, { everywhere: true });
  const frame = frameOf(context, viewportRegion(context, view));
  context.setWaitReason('the screenshot');
  if (early !== undefined && frame.clip === undefined && !view.animated && !view.waited) return early;
  return takeScreenshot(page, frame, options);
}

function frameOf({ page, params }: RenderContext<PixelParams>, region: Region): Frame {
  return planFrame({ region, params, deviceScaleFactor: page.profile.deviceScaleFactor });
}

interface OpenRegion {
  readonly region: Region;
  /** Restores the page's scroll position. */
  readonly leave?: () => Promise<void>;
}

async function openRegion(context: RenderContext<PixelParams>): Promise<OpenRegion> {
  const { image_selector: selector } = context.params;
  return selector === undefined ? { region: await openDocumentRegion(context) } : openElement(context.page, selector);
}

function viewportRegion({ page: { profile } }: RenderContext<PixelParams>, { x, y, scale, left }: View): Region {
  return {
    x: x - left,
    y,
    width: profile.width / scale,
    height: profile.height / scale,
    zoom: profile.deviceScaleFactor * scale,
    viewport: true,
    beyond: false,
  };
}
