import { PlatenError, type Page, type Rect, type RenderContext } from '@platen/kernel';
import {
  ceilPixels,
  measureElement,
  openDocument,
  waitForStableElement,
  waitForStablePage,
  showWhole,
  type ElementRequest,
  type Size,
  type View,
} from '@platen/lib-page-layout';
import type { VideoPlan } from './video-plan.js';
import { drawnScale, MAX_SOURCE_PIXELS } from './limits.js';
import type { VideoParams } from './params.js';

/** The area to be recorded, in view. */
export interface OpenArea {
  /** Its current position; undefined: the whole viewport. */
  measure(): Promise<VideoArea | undefined>;
}

/** Makes the whole recorded area visible in the viewport. */
export async function openArea(context: RenderContext<VideoParams>, video: VideoPlan): Promise<OpenArea> {
  const { page, params } = context;
  if (video.element !== undefined) return elementArea(page, video.element);
  if (params.full_page === true) await showDocument(context);
  else await waitForStablePage(page);
  return { measure: () => Promise.resolve(undefined) };
}

/**
 * The whole document, measured as for a screenshot. If its elements are as high as the viewport, the viewport keeps the height of the
 * browser, and only the drawn area grows (Emulation.setVisibleSize): the page cannot observe that.
 */
async function showDocument(context: RenderContext<VideoParams>): Promise<void> {
  const { page } = context;
  const { height, scale } = await openDocument(context);
  const shown = { width: page.profile.width, height: Math.max(page.profile.height, ceilPixels(height * scale)) };
  refuseLarge(shown, page.profile.deviceScaleFactor, 'a part of the page instead of "full_page"');
  await page.evaluate(scrollToTop);
  if (shown.height > page.profile.height + 1) await page.send('Emulation.setVisibleSize', shown);
  await waitForStablePage(page, { moved: true });
}

/** Where an element is in the frames, in their pixels. */
export interface VideoArea extends Rect {
  /** Of the video, in pixels with fractions, as a screenshot of the area has them. */
  readonly natural: Size;
  /** Pixels of the video per pixel of the frames. */
  readonly magnification: number;
}

/** An element out of view is scrolled to. The viewport grows if the element is larger. */
async function elementArea(page: Page, element: ElementRequest): Promise<OpenArea> {
  const show = () =>
    showWhole(page, element, (wanted) => {
      refuseLarge(wanted, page.profile.deviceScaleFactor, 'a smaller element');
      return wanted;
    });
  const seen = await show();
  const small = seen.view.scale < 1 && seen.rect.width <= page.profile.width && seen.rect.height <= page.profile.height;
  // A phone scales down a page that is wider than the device. The element is shown in its own size.
  if (small) await page.send('Emulation.setPageScaleFactor', { pageScaleFactor: 1 });
  const again = small ? await show() : seen;
  // An element that slides in when it is scrolled to is recorded where it comes to rest, as in a screenshot. An element that moves in
  // view is recorded as it moves.
  const scrolled = seen.scrolled || again.scrolled;
  const shown = scrolled ? await waitForStableElement(page, element, { ...again, scrolled }) : again;
  const measure = async () => toDevice(page, await measureElement(page, element), shown.view);
  if (isInside(toDevice(page, shown.rect, shown.view), page)) return { measure };
  throw new PlatenError(
    'capture_too_large',
    `"${element.key}" matched an element that the browser cannot show as a whole, as a recording requires: request a smaller element, an element inside it, or the whole page ("full_page"): ${element.selector}`,
  );
}

function refuseLarge(size: Size, scale: number, instead: string): void {
  const large = describeLarge(size, scale, instead);
  if (large !== undefined) throw new PlatenError('capture_too_large', large);
}

/** Why screenshots of this size, in CSS pixels, are too large to be drawn for every frame; undefined if they are not. */
export function describeLarge({ width, height }: Size, deviceScaleFactor: number, instead: string): string | undefined {
  const scale = drawnScale(deviceScaleFactor);
  const pixels = width * height * scale ** 2;
  if (pixels <= MAX_SOURCE_PIXELS) return undefined;
  // Rounded down, so that the advised value is accepted. A value below 1 is not advised.
  const most = Math.floor(Math.sqrt(MAX_SOURCE_PIXELS / (width * height)) * 10) / 10;
  const less = most >= 1 && most < scale ? `a "device_scale_factor" of at most ${String(most)}, or ` : '';
  const drawn = `${String(Math.ceil(width * scale))} x ${String(Math.ceil(height * scale))} pixels (${inMillions(pixels)} million)`;
  return `every frame would have ${drawn}, more than the maximum of ${inMillions(MAX_SOURCE_PIXELS)} million: request ${less}${instead}`;
}

function inMillions(pixels: number): string {
  return (pixels / 1e6).toFixed(1);
}

/** Runs in the page; must not capture outer variables. */
function scrollToTop(): void {
  scrollTo({ left: 0, top: 0, behavior: 'instant' });
}

/** From CSS pixels of the document to pixels of the frames. Begins at the pixel to which the browser snaps the box. */
function toDevice({ profile }: Page, rect: Rect, view: View): VideoArea {
  const zoom = view.scale * drawnScale(profile.deviceScaleFactor);
  return {
    x: Math.round((rect.x - view.x) * zoom),
    y: Math.round((rect.y - view.y) * zoom),
    width: ceilPixels(rect.width * zoom),
    height: ceilPixels(rect.height * zoom),
    magnification: profile.deviceScaleFactor / zoom,
    natural: { width: rect.width * profile.deviceScaleFactor, height: rect.height * profile.deviceScaleFactor },
  };
}

/** With a tolerance of the pixel that rounding up may add. */
function isInside({ x, y, width, height }: Rect, { profile }: Page): boolean {
  const scale = drawnScale(profile.deviceScaleFactor);
  const right = Math.ceil(profile.width * scale);
  const bottom = Math.ceil(profile.height * scale);
  return x >= 0 && y >= 0 && x + width <= right + 1 && y + height <= bottom + 1;
}
