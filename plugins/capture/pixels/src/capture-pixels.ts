import type { RenderContext } from '@platen/kernel';
import { locateElement, settlePage, type View } from '@platen/lib-geometry';
import { planFrame, refuseTooLarge, type Region } from './frame.js';
import { openDocumentRegion } from './full-page.js';
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

function viewportRegion({ page: { profile } }: RenderContext<PixelParams>, { x, y, scale }: View): Region {
  return {
    x,
    y,
    width: profile.width / scale,
    height: profile.height / scale,
    zoom: profile.deviceScaleFactor * scale,
    viewport: true,
    beyond: false,
  };
}

/** Starts at the pixel to which the browser snaps the element's box, and is as large as its rectangle, whole pixels counted up. */
async function elementRegion({ page }: RenderContext<PixelParams>, selector: string): Promise<Region> {
  const { rect, view } = await locateElement(page, { key: 'image_selector', selector });
  const zoom = page.profile.deviceScaleFactor;
  const shown = { width: page.profile.width / view.scale, height: page.profile.height / view.scale };
  const inside =
    rect.x >= view.x && rect.y >= view.y && rect.x + rect.width <= view.x + shown.width && rect.y + rect.height <= view.y + shown.height;
  return { ...rect, x: Math.round(rect.x * zoom) / zoom, y: Math.round(rect.y * zoom) / zoom, zoom, viewport: false, beyond: !inside };
}
