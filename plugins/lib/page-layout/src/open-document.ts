import { contextKey, PlatenError, type Page, type RenderContext } from '@platen/kernel';
import { autoScroll } from './auto-scroll.js';
import { measureDocument, waitUntilFitted, weighContent } from './in-page/index.js';
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

/** The extent of the first load, if the viewport has grown for it. */
interface FirstLoad {
  readonly content: string;
  /** See `Extent`. */
  readonly hidden: number;
}

const FIRST_LOAD = contextKey<FirstLoad>('full-page-first-load');

/** The page was loaded a third time, at the height of the browser: it takes heights from the viewport once. */
const LOADED_LOW = contextKey<true>('full-page-loaded-low');

/** Milliseconds for handlers of `resize`, which are often debounced. */
const RESIZE_MS = 1_000;

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
  /** Waits for the request's condition once more, after the page was scrolled through. */
  readonly waitAgain?: (() => Promise<void>) | undefined;
}

type DocumentContext = Pick<RenderContext, 'page' | 'plan' | 'get' | 'set' | 'deadlineAt' | 'isNavigatedByPlugin' | 'renavigate'>;

/**
 * The document's extent, after setting the viewport to the capture height: as high as the document, or the browser's own height if the
 * document is captured beyond the viewport. For every capture kind.
 */
export async function openDocument(context: DocumentContext, { still, waitAgain }: OpenOptions = {}): Promise<Extent> {
  const { page, deadlineAt } = context;
  const original = context.plan.profile.height;
  const before = context.get(FIRST_LOAD);
  const isTall = before !== undefined && context.get(LOADED_LOW) === undefined;
  const loaded = await laidOutExtent(page);
  const reacts = still === true && isTall && (await autoScroll(page, { deadlineAt, whole: true }));
  const first = reacts ? await settledExtent(page) : loaded;
  const scroll = () => autoScroll(page, { deadlineAt, waitAgain });
  const reload = still === true && !context.isNavigatedByPlugin ? () => loadLow(context) : undefined;
  const request = { page, original, before, still: still === true, reacts, scroll, reload };
  if (before !== undefined && !isTall) return first.hidden > 0 ? expandedExtent(request) : scrolledExtent(request);
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
  /** It has reacted as if it was scrolled through. */
  readonly reacts: boolean;
  /** Scrolls through the document. */
  readonly scroll: () => Promise<unknown>;
  /** Loads the page again, at the height of the browser; undefined if that cannot be done. */
  readonly reload: (() => Promise<never>) | undefined;
}

/** The render waits for its conditions again, as for any other document, and captures that. */
async function loadLow(context: DocumentContext): Promise<never> {
  context.set(LOADED_LOW, true);
  await context.renavigate();
  throw new PlatenError('page_unstable', 'the page is loaded again at the height of the browser');
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
  return scrolledExtent(request);
}

async function openLoaded(request: OpenRequest, first: Extent): Promise<Extent> {
  const { page, original, before, still, reacts } = request;
  // A box that a high viewport does not enlarge, or content that a higher viewport shows elsewhere.
  if (before !== undefined && ((await isStillHidden(page, before, original)) || first.placed)) {
    const small = await extentAt(page, original);
    return small.hidden > 0 ? expandedExtent(request) : scrolledExtent(request);
  }
  if (viewHeight(page, first) >= first.height) {
    if (before === undefined) return captureHeight(request, first);
    // Content that moved since the first load no longer overflows the end of the page.
    const { filled } = still && (await animationsEnd(page, first)) ? await settledExtent(page) : { filled: first.filled || !reacts };
    const same = filled && before.content === (await page.evaluate(weighContent));
    return same ? captureHeight(request, first) : openShorter(request, first);
  }

  const extent = before === undefined ? undefined : await openFitted(request, before, first);
  if (extent !== undefined) return extent;
  // The document grew, either because more content loaded or because its elements are as high as the viewport. Only the latter shrinks
  // again.
  const tall = await extentAt(page, boundedHeight(page, first.height * first.scale));
  const small = await extentAt(page, original);
  // A box that scrolled in the first load: because content loaded meanwhile, the document scrolls, too.
  if (small.hidden > 0 || (before !== undefined && before.hidden > 0)) return expandedExtent(request);
  if (small.height !== tall.height) return scrolledExtent(request);
  return captureHeight(request, await extentAt(page, boundedHeight(page, tall.height * tall.scale)));
}

/** For a page whose scripts took heights from the high viewport. Undefined if there are none, or if they are not what made the page grow. */
async function openFitted(request: OpenRequest, before: FirstLoad, first: Extent): Promise<Extent | undefined> {
  const { page, original, reload } = request;
  const heights = [viewHeight(page, first), original / first.scale] as const;
  if (await page.evaluate(waitUntilFitted, ...heights, 0)) return undefined;
  await page.setProfile({ height: original });
  const fitted = await page.evaluate(waitUntilFitted, ...heights, RESIZE_MS);
  if (!fitted && reload !== undefined) return reload();
  const small = await settledExtent(page);
  if (small.hidden > 0 || before.hidden > 0) return expandedExtent(request);
  return small.height === first.height ? undefined : scrolledExtent(request);
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
async function openShorter(request: OpenRequest, filled: Extent): Promise<Extent> {
  const { page, original } = request;
  const { height } = page.profile;
  const small = await extentAt(page, original);
  if (small.height >= filled.height) return captureHeight(request, await extentAt(page, height));
  if (viewHeight(page, small) >= small.height) return small;
  if (small.hidden > 0) return expandedExtent(request);
  const fitted = await extentAt(page, boundedHeight(page, small.height * small.scale));
  // A page that grows with the viewport anyway has elements that are as high as the viewport.
  if (fitted.height > viewHeight(page, fitted) + 1) {
    await page.setProfile({ height: original });
    return scrolledExtent(request);
  }
  return captureHeight(request, fitted);
}

/** Captures in the high viewport if the browser paints all of it, else beyond the original viewport. */
async function captureHeight(request: OpenRequest, extent: Extent): Promise<Extent> {
  const { page, original } = request;
  const { height, deviceScaleFactor } = page.profile;
  const painted = height === original || height * deviceScaleFactor <= MAX_VIEWPORT_PIXELS;
  if (painted) return extent;
  await prepareBeyondViewport(page);
  const small = await extentAt(page, original);
  return small.hidden > 0 ? expandedExtent(request) : small;
}

async function extentAt(page: Page, height: number): Promise<Extent> {
  await page.setProfile({ height });
  return settledExtent(page);
}

/** For a page that scrolls in a box and is larger than any viewport, or grows with it. */
async function expandedExtent(request: OpenRequest): Promise<Extent> {
  const { page } = request;
  await expandBoxes(page);
  const { hidden } = await settledExtent(page);
  // Content that loaded meanwhile.
  if (hidden > 0) await expandBoxes(page);
  return scrolledExtent(request);
}

/**
 * For a page whose elements are as high as the viewport. In the high viewport they have pushed the rest out of view, so lazy content has
 * not been loaded.
 */
async function scrolledExtent({ page, scroll }: OpenRequest): Promise<Extent> {
  await prepareBeyondViewport(page);
  await scroll();
  return shownExtent(page);
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
