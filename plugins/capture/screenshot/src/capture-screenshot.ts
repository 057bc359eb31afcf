import type { RenderContext } from '@platen/kernel';
import { settleAnimations, waitForStablePage, type View } from '@platen/lib-page-layout';
import { openElement } from './element.js';
import { planFrame, refuseTooLarge, type Region } from './frame.js';
import { openDocumentRegion } from './full-page.js';
import type { PixelParams } from './params.js';
import { readCaptureOptions, type ScreenshotCapture } from './screenshot-capture.js';
import { takeScreenshot } from './take-screenshot.js';

/** One still image of the page: the viewport, one element, or the full page. */
export async function captureScreenshot(context: RenderContext<PixelParams>): Promise<ScreenshotCapture> {
  const { page, params, plan } = context;
  const options = readCaptureOptions(plan.output.captureOptions);
  context.setWaitReason('images, fonts and transitions');
  const { region, leave } = await openRegion(context);
  const frame = planFrame({ region, params, deviceScaleFactor: page.profile.deviceScaleFactor });
  refuseTooLarge(frame, options, plan.output.type);
  context.setWaitReason('the screenshot');
  const picture = await takeScreenshot(page, frame, options);
  await leave?.();
  return picture;
}

interface OpenRegion {
  readonly region: Region;
  /** Restores the page's scroll position. */
  readonly leave?: () => Promise<void>;
}

async function openRegion(context: RenderContext<PixelParams>): Promise<OpenRegion> {
  const { page, params } = context;
  if (params.full_page === true) return { region: await openDocumentRegion(context) };
  if (params.image_selector !== undefined) return openElement(page, params.image_selector);
  const view = await waitForStablePage(page);
  if (view.animated) await settleAnimations(page, { everywhere: true });
  return { region: viewportRegion(context, view) };
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
