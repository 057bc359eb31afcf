import { contextKey, type Page, type RenderContext } from '@platen/kernel';
import { measureDocument, scrollThrough, weighContent } from './in-page/index.js';
import type { Extent } from './in-page/measure-document.js';
import { expandBoxes, forceContentPainting, prepareBeyondViewport } from './restyle-page.js';
import { settleAnimations, waitForStablePage } from './wait-for-stable-page.js';

/** Pixels of the largest image in any format, which is also libvips's default limit. */
export const MAX_PIXELS = 16_383 ** 2;

/**
 * Device pixels of the highest viewport that is captured as it is. From about 40,000 on the browser leaves parts of a high viewport
 * unpainted; beyond an ordinary viewport it paints all of it.
 */
const MAX_VIEWPORT_PIXELS = 16_384;

/** Milliseconds for scrolling down: about 200 viewport heights. */
const SCROLL_MS = 8_000;
/** Milliseconds that images and lazy iframes still in flight get at the end. */
const IMAGES_MS = 3_000;

/** The extent of the first load, if the viewport has grown for it. */
interface FirstLoad {
  readonly content: string;
  /** See `Extent`. */
  readonly hidden: number;
}

const FIRST_LOAD = contextKey<FirstLoad>('full-page-first-load');

/** The document's extent in its first load. */
export async function measureFirst(page: Page): Promise<Extent> {
  const extent = await page.evaluate(measureDocument, null);
  return extent.deferred ? laidOutExtent(page) : extent;
}

/** The first load is over, and the viewport grows to the extent of its content. */
export async function growForContent(
  context: Pick<RenderContext, 'page' | 'set'>,
  { height, width, hidden, scale }: Extent,
): Promise<void> {
  const { page } = context;
  context.set(FIRST_LOAD, { content: await page.evaluate(weighContent), hidden });
  await page.setProfile(width === null ? { height: boundedHeight(page, height * scale) } : { width: boundedWidth(page, width * scale) });
}

/** Whether all of the document is in the viewport. */
export function isInViewport(page: Page, { height, width, scale }: Extent): boolean {
  return width === null ? page.profile.height / scale >= height : page.profile.width / scale >= width;
}

export interface OpenOptions {
  /** For a still image: waits for transitions that show content, if they end soon. */
  readonly still?: true;
}

/**
 * The document's extent, after setting the viewport to the capture height: as high as the document, or the browser's own height if the
 * document is captured beyond the viewport. For every capture kind.
 */
export async function openDocument(context: Pick<RenderContext, 'page' | 'plan' | 'get'>, { still }: OpenOptions = {}): Promise<Extent> {
  const { page } = context;
  const request = { page, original: context.plan.profile.height, before: context.get(FIRST_LOAD), still: still === true };
  const first = await laidOutExtent(page);
  const wide = first.width !== null || page.profile.width !== context.plan.profile.width;
  const extent = wide ? await openWide(request, first, context.plan.profile.width) : await openLoaded(request, first);
  // Content that came into view meanwhile.
  return still === true && (await animationsEnd(page, extent)) ? shownExtent(page) : extent;
}

interface OpenRequest {
  readonly page: Page;
  /** CSS pixels of the browser's viewport. */
  readonly original: number;
  /** Undefined: the page was loaded once. */
  readonly before: FirstLoad | undefined;
  readonly still: boolean;
}

/**
 * A document that overflows horizontally is captured in a wide viewport, unless it grew with the viewport or is too wide for the
 * browser to paint.
 */
async function openWide(request: OpenRequest, first: Extent, original: number): Promise<Extent> {
  const { page } = request;
  const { width, deviceScaleFactor } = page.profile;
  if (first.width === null && width * deviceScaleFactor <= MAX_VIEWPORT_PIXELS) return openLoaded(request, first);
  await page.setProfile({ width: original });
  return scrolledExtent(page);
}

async function openLoaded({ page, original, before, still }: OpenRequest, first: Extent): Promise<Extent> {
  // A box that a high viewport does not enlarge, or content that a higher viewport shows elsewhere.
  if (before !== undefined && ((await isStillHidden(page, before, original)) || first.placed)) {
    const small = await extentAt(page, original);
    return small.hidden > 0 ? expandedExtent(page) : scrolledExtent(page);
  }
  if (viewHeight(page, first) >= first.height) {
    if (before === undefined) return captureHeight(page, first, original);
    // Content that moved since the first load no longer overflows the end of the page.
    const shrunk = still && (await animationsEnd(page, first)) && !(await settledExtent(page)).filled;
    const same = !shrunk && before.content === (await page.evaluate(weighContent));
    return same ? captureHeight(page, first, original) : openShorter(page, first, original);
  }

  // The document grew, either because more content loaded or because its elements are as high as the viewport. Only the latter shrinks
  // again.
  const tall = await extentAt(page, boundedHeight(page, first.height * first.scale));
  const small = await extentAt(page, original);
  // A box that scrolled in the first load: because content loaded meanwhile, the document scrolls, too.
  if (small.hidden > 0 || (before !== undefined && before.hidden > 0)) return expandedExtent(page);
  if (small.height !== tall.height) return scrolledExtent(page);
  return captureHeight(page, await extentAt(page, boundedHeight(page, tall.height * tall.scale)), original);
}

/** Whether a page's scroll container hides as much of it as in the browser's viewport. */
async function isStillHidden(page: Page, before: FirstLoad, original: number): Promise<boolean> {
  if (before.hidden === 0) return false;
  const { hidden } = await page.evaluate(measureDocument, original);
  return hidden >= before.hidden - 1;
}

/**
 * A page may fill its viewport only because the viewport is as high as the first load's content: its height in the original viewport
 * decides.
 */
async function openShorter(page: Page, filled: Extent, original: number): Promise<Extent> {
  const { height } = page.profile;
  const small = await extentAt(page, original);
  if (small.height >= filled.height) return captureHeight(page, await extentAt(page, height), original);
  if (viewHeight(page, small) >= small.height) return small;
  if (small.hidden > 0) return expandedExtent(page);
  const fitted = await extentAt(page, boundedHeight(page, small.height * small.scale));
  // A page that grows with the viewport anyway has elements that are as high as the viewport.
  if (fitted.height > viewHeight(page, fitted) + 1) {
    await page.setProfile({ height: original });
    return scrolledExtent(page);
  }
  return captureHeight(page, fitted, original);
}

/** Captures in the high viewport if the browser paints all of it, else beyond the original viewport. */
async function captureHeight(page: Page, extent: Extent, original: number): Promise<Extent> {
  const { height, deviceScaleFactor } = page.profile;
  const painted = height === original || height * deviceScaleFactor <= MAX_VIEWPORT_PIXELS;
  if (painted) return extent;
  await prepareBeyondViewport(page);
  const small = await extentAt(page, original);
  return small.hidden > 0 ? expandedExtent(page) : small;
}

async function extentAt(page: Page, height: number): Promise<Extent> {
  await page.setProfile({ height });
  return settledExtent(page);
}

/** For a page that scrolls in a box and is larger than any viewport, or grows with it. */
async function expandedExtent(page: Page): Promise<Extent> {
  await expandBoxes(page);
  const { hidden } = await settledExtent(page);
  // Content that loaded meanwhile.
  if (hidden > 0) await expandBoxes(page);
  return scrolledExtent(page);
}

/**
 * For a page whose elements are as high as the viewport. In the high viewport they have pushed the rest out of view, so lazy content has
 * not been loaded.
 */
async function scrolledExtent(page: Page): Promise<Extent> {
  await prepareBeyondViewport(page);
  await autoScroll(page);
  return shownExtent(page);
}

/**
 * Scrolls through the document in steps of one viewport height, from the top to the bottom (with vertical writing, from the first line to
 * the last) and back, so that lazy images and other content behind an IntersectionObserver load; then waits for images and lazy iframes.
 * Ends after 11 s at the latest, even if the page grows with every step.
 */
async function autoScroll(page: Page): Promise<void> {
  await page.evaluate(scrollThrough, { scrollMs: SCROLL_MS, imagesMs: IMAGES_MS });
}

/** Content that a box clips is not in any screenshot. */
async function shownExtent(page: Page): Promise<Extent> {
  const { height, hidden, ...extent } = await settledExtent(page);
  return { ...extent, height: height - hidden, hidden: 0 };
}

/** Estimated sizes of skipped content are not heights. */
async function laidOutExtent(page: Page): Promise<Extent> {
  const extent = await settledExtent(page);
  if (!extent.deferred) return extent;
  await forceContentPainting(page);
  return settledExtent(page);
}

async function settledExtent(page: Page): Promise<Extent> {
  await waitForStablePage(page, { moved: true });
  return page.evaluate(measureDocument, null);
}

/** Returns whether anything was waited for. */
async function animationsEnd(page: Page, { animated }: Extent): Promise<boolean> {
  return animated && settleAnimations(page, { everywhere: true });
}

/** CSS pixels of the document that the viewport shows. */
function viewHeight({ profile }: Page, { scale }: Extent): number {
  return profile.height / scale;
}

/** No higher than the highest image. */
function boundedHeight({ profile }: Page, height: number): number {
  return Math.min(Math.ceil(height), Math.floor(MAX_PIXELS / (profile.width * profile.deviceScaleFactor ** 2)));
}

/** No wider than the largest image. */
function boundedWidth({ profile }: Page, width: number): number {
  return Math.min(Math.ceil(width), Math.floor(MAX_PIXELS / (profile.height * profile.deviceScaleFactor ** 2)));
}
