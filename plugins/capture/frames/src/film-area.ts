import { PlatenError, type Page, type Rect, type RenderContext } from '@platen/kernel';
import {
  ceilPixels,
  locateElement,
  measureElement,
  openDocument,
  settlePage,
  type ElementRequest,
  type Size,
  type View,
} from '@platen/lib-geometry';
import type { Film } from './film.js';
import { drawnScale, MAX_SOURCE_PIXELS } from './limits.js';
import type { FilmParams } from './params.js';

/** Makes all of what is to be filmed visible in the viewport, and says where it is, in pixels of the frames; undefined: the whole viewport. */
export async function openArea(context: RenderContext<FilmParams>, film: Film): Promise<Rect | undefined> {
  const { page, params } = context;
  if (film.element !== undefined) return elementArea(page, film.element);
  if (params.full_page === true) await showDocument(context);
  else await settlePage(page);
  return undefined;
}

/**
 * All of the document, measured as for a picture. Where its elements are as high as the viewport, the viewport keeps the height of
 * the browser, and only what is drawn grows (Emulation.setVisibleSize): nothing in the page hears of that.
 */
async function showDocument(context: RenderContext<FilmParams>): Promise<void> {
  const { page } = context;
  const { height, scale } = await openDocument(context);
  const shown = { width: page.profile.width, height: Math.max(page.profile.height, ceilPixels(height * scale)) };
  refuseLarge(shown, page.profile.deviceScaleFactor, 'a part of the page instead of "full_page"');
  await page.evaluate(scrollToTop);
  if (shown.height > page.profile.height + 1) await page.send('Emulation.setVisibleSize', shown);
  await settlePage(page, { moved: true });
}

/** An element that is not in sight is scrolled to; the viewport grows where it is larger than that. */
async function elementArea(page: Page, element: ElementRequest): Promise<Rect> {
  const { rect, view } = await locateElement(page, element);
  const area = toDevice(page, rect, view);
  if (isInside(area, page)) return area;
  const { width, height, deviceScaleFactor } = page.profile;
  const scale = drawnScale(deviceScaleFactor);
  await enlarge(page, {
    width: Math.max(width, area.width / scale),
    height: Math.max(height, area.height / scale),
  });
  await page.evaluate(scrollToElement, element.selector);
  const moved = await settlePage(page, { moved: true });
  const shown = toDevice(page, await measureElement(page, element), moved);
  if (isInside(shown, page)) return shown;
  throw new PlatenError(
    'capture_too_large',
    `"${element.key}" matched an element of which the browser cannot show all at once, as a film needs it: ${element.selector}`,
  );
}

async function enlarge(page: Page, { width, height }: Size): Promise<void> {
  const wanted = { width: ceilPixels(width), height: ceilPixels(height) };
  refuseLarge(wanted, page.profile.deviceScaleFactor, 'a smaller element');
  if (wanted.width !== page.profile.width || wanted.height !== page.profile.height) await page.setProfile(wanted);
}

function refuseLarge(size: Size, scale: number, instead: string): void {
  const large = describeLarge(size, scale, instead);
  if (large !== undefined) throw new PlatenError('capture_too_large', large);
}

/** Why pictures of this size, in CSS pixels, are too large to be drawn for every frame; undefined where they are not. */
export function describeLarge({ width, height }: Size, scale: number, instead: string): string | undefined {
  const pixels = width * height * scale ** 2;
  if (pixels <= MAX_SOURCE_PIXELS) return undefined;
  // Rounded down: what is advised is accepted. Less than 1 is no advice.
  const most = Math.floor(Math.sqrt(MAX_SOURCE_PIXELS / (width * height)) * 10) / 10;
  const less = most >= 1 && most < scale ? `a "device_scale_factor" of at most ${String(most)}, or ` : '';
  const drawn = `${String(Math.ceil(width * scale))} x ${String(Math.ceil(height * scale))} pixels, ${inMillions(pixels)} million`;
  return `every frame would be drawn in ${drawn}, and at most ${inMillions(MAX_SOURCE_PIXELS)} million can be filmed: ask for ${less}${instead}`;
}

function inMillions(pixels: number): string {
  return (pixels / 1e6).toFixed(1);
}

/** Runs in the page: closes over nothing. In the middle, clear of bars at the edges. */
function scrollToElement(selector: string): void {
  document.querySelector(selector)?.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
}

function scrollToTop(): void {
  scrollTo({ left: 0, top: 0, behavior: 'instant' });
}

/** From CSS pixels of the document to pixels of the frames; begins where the browser snaps the box to. */
function toDevice({ profile }: Page, rect: Rect, view: View): Rect {
  const zoom = view.scale * drawnScale(profile.deviceScaleFactor);
  return {
    x: Math.round((rect.x - view.x) * zoom),
    y: Math.round((rect.y - view.y) * zoom),
    width: ceilPixels(rect.width * zoom),
    height: ceilPixels(rect.height * zoom),
  };
}

/** Up to the pixel that counting up may add. */
function isInside({ x, y, width, height }: Rect, { profile }: Page): boolean {
  const scale = drawnScale(profile.deviceScaleFactor);
  const right = Math.ceil(profile.width * scale);
  const bottom = Math.ceil(profile.height * scale);
  return x >= 0 && y >= 0 && x + width <= right + 1 && y + height <= bottom + 1;
}
