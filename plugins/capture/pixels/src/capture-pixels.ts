import type { RenderContext } from '@platen/kernel';
import { locateElement, settlePage, type View } from '@platen/lib-geometry';
import { planFrame, refuseTooLarge, type Region } from './frame.js';
import { openDocumentRegion } from './full-page.js';
import { measureShift, paintedOrigin } from './painted-origin.js';
import type { PixelParams } from './params.js';
import { readCaptureOptions, type PixelCapture } from './pixel-capture.js';
import { shoot } from './shoot.js';

/** One still picture of the page: of its viewport, of one element, or of all of it. */
export async function capturePixels(context: RenderContext<PixelParams>): Promise<PixelCapture> {
  const { page, params, plan } = context;
  const options = readCaptureOptions(plan.output.captureOptions);
  context.waitingFor('images and fonts');
  const region = await openRegion(context);
  const frame = planFrame({ region, params, deviceScaleFactor: page.profile.deviceScaleFactor });
  refuseTooLarge(frame, options, plan.output.type);
  context.waitingFor('the screenshot');
  return shoot(page, frame, options);
}

async function openRegion(context: RenderContext<PixelParams>): Promise<Region> {
  const { page, params } = context;
  if (params.full_page === true) return openDocumentRegion(context);
  if (params.image_selector !== undefined) return elementRegion(context, params.image_selector);
  return viewportRegion(context, await settlePage(page));
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

/** Starts where the browser paints the element's box, and is as large as its rectangle, whole pixels counted up. */
async function elementRegion({ page }: RenderContext<PixelParams>, selector: string): Promise<Region> {
  const { rect, view } = await locateElement(page, { key: 'image_selector', selector });
  const origin = paintedOrigin(rect, await page.evaluate(measureShift, selector));
  const shown = { width: page.profile.width / view.scale, height: page.profile.height / view.scale };
  const inside =
    origin.x >= view.x &&
    origin.y >= view.y &&
    origin.x + rect.width <= view.x + shown.width &&
    origin.y + rect.height <= view.y + shown.height;
  return { ...rect, x: origin.x - view.left, y: origin.y, zoom: page.profile.deviceScaleFactor, viewport: false, beyond: !inside };
}
