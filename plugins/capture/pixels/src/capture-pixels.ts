import type { RenderContext } from '@platen/kernel';
import { settleAnimations, settlePage, type View } from '@platen/lib-geometry';
import { openElement } from './element.js';
import { planFrame, refuseTooLarge, type Region } from './frame.js';
import { openDocumentRegion } from './full-page.js';
import type { PixelParams } from './params.js';
import { readCaptureOptions, type PixelCapture } from './pixel-capture.js';
import { shoot } from './shoot.js';

/** One still picture of the page: of its viewport, of one element, or of all of it. */
export async function capturePixels(context: RenderContext<PixelParams>): Promise<PixelCapture> {
  const { page, params, plan } = context;
  const options = readCaptureOptions(plan.output.captureOptions);
  context.waitingFor('images, fonts and transitions');
  const { region, leave } = await openRegion(context);
  const frame = planFrame({ region, params, deviceScaleFactor: page.profile.deviceScaleFactor });
  refuseTooLarge(frame, options, plan.output.type);
  context.waitingFor('the screenshot');
  const picture = await shoot(page, frame, options);
  await leave?.();
  return picture;
}

interface OpenRegion {
  readonly region: Region;
  /** Puts the page back to where it was. */
  readonly leave?: () => Promise<void>;
}

async function openRegion(context: RenderContext<PixelParams>): Promise<OpenRegion> {
  const { page, params } = context;
  if (params.full_page === true) return { region: await openDocumentRegion(context) };
  if (params.image_selector !== undefined) return openElement(page, params.image_selector);
  const view = await settlePage(page);
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
