import { type DeviceProfile, isPlatenError, type Page, PlatenError, type Rect } from '@platen/kernel';
import { withFlatTree } from '@platen/lib-page-functions';
import {
  assertVisible,
  clippedElementError,
  isOutOfViewport,
  leaveBoxes,
  measureElement,
  prepareBeyondViewport,
  restoreScroll,
  seenInBoxes,
  type Shown,
  showWhole,
  type Size,
  type View,
  waitForStableElement,
  waitForStablePage,
} from '@platen/lib-page-layout';
import type { Region } from './frame.js';
import { FRAMES_DRAW_MS, MAX_VIEWPORT_SIDE } from './limits.js';
import { findScrollSegments, framesDrawn } from './scroll-segments.js';

const KEY = 'image_selector';

/** An element to be captured, with a function that restores the page afterwards. */
export interface OpenElement {
  readonly region: Region;
  /** Its box is the same as when it was measured; undefined for the visible part of an element. */
  readonly hasSameBox?: () => Promise<boolean>;
  leave(): Promise<void>;
}

/**
 * Brings the element into view. The viewport is made as high as the element if necessary, because content out of view is not painted. An
 * element that grows with the viewport is captured in the original viewport, strip by strip. If neither helps, it is captured beyond the
 * viewport.
 */
export async function openElement(page: Page, selector: string): Promise<OpenElement> {
  const shown = await waitForStableElement(page, { key: KEY, selector }, await showOf(page, selector));
  await assertVisible(page, { key: KEY, selector });
  const leave = () => restoreScroll(page, shown);
  const open = (region: Region, view: View): OpenElement => {
    // An element that has disappeared meanwhile is in the screenshot.
    const hasSameBox = () => regionOf(page, selector, { view }).then((now) => isSameBox(now, region), isGone);
    return { region, leave, hasSameBox };
  };
  const leavesViewport = shown.scrolled && (await isOutOfViewport(page, selector));
  if (shown.boxed && !shown.whole) return { region: await visibleRegion(page, selector), leave };
  if (shown.whole && !leavesViewport) {
    await framesDrawn(page, FRAMES_DRAW_MS);
    return open(await regionOf(page, selector, shown), shown.view);
  }

  await leave();
  await prepareBeyondViewport(page);
  const view = await waitForStablePage(page, { moved: true });
  const region = { ...(await regionOf(page, selector, { view })), beyond: true };
  const { width, deviceScaleFactor } = page.profile;
  const inStrips = !leavesViewport && region.width * view.scale <= width && region.height * deviceScaleFactor <= MAX_VIEWPORT_SIDE;
  const segments =
    inStrips && !(await page.evaluate(isFixed, selector))
      ? [{ top: region.y, bottom: region.y + region.height, placed: false }]
      : await findScrollSegments(page, region, view);
  return open({ ...region, segments }, view);
}

async function showOf(page: Page, selector: string): Promise<Shown> {
  const { width, height } = page.profile;
  const element = { key: KEY, selector, boxed: 'shown' } as const;
  let before: Rect | undefined;
  const shown = await showWhole(page, element, (wanted, missing, rect) => {
    if (missing.boxed && fitsLimit(wanted, page.profile)) return wanted;
    if (missing.boxed && missing.height > 1) throw tooLargeToShow(selector, wanted, page.profile);
    // A wider viewport changes the layout.
    if (missing.width > 1 || !fitsLimit(wanted, page.profile)) return undefined;
    before ??= rect;
    return { width, height: wanted.height };
  });
  if (shown.boxed && !shown.whole) {
    await page.setProfile({ width, height });
    return { ...shown, view: await waitForStablePage(page, { moved: true }) };
  }
  if (before === undefined || isSameSize(before, shown.rect)) return shown;
  await page.setProfile({ width, height });
  await waitForStablePage(page, { moved: true });
  return { ...shown, whole: false };
}

/** Of an element that a box clips in every viewport: the part that the page shows, at the box's current scroll position. */
async function visibleRegion(page: Page, selector: string): Promise<Region> {
  await leaveBoxes(page);
  const view = await waitForStablePage(page, { moved: true });
  const region = await regionOf(page, selector, { view });
  const seen = await page.evaluate(seenInBoxes, selector);
  if (seen === null) throw clippedElementError({ key: KEY, selector });
  return { ...region, width: Math.min(region.width, seen.width), height: Math.min(region.height, seen.height) };
}

function tooLargeToShow(selector: string, { width, height }: Size, { deviceScaleFactor }: DeviceProfile): PlatenError {
  const needed = Math.ceil(Math.max(width, height) * deviceScaleFactor);
  const less = deviceScaleFactor > 1 ? 'a lower "device_scale_factor", ' : '';
  return new PlatenError(
    'capture_too_large',
    `"${KEY}" matched an element in a scrolling box that is too large to be shown as a whole: a side of the viewport would need ${String(needed)} device pixels, more than the maximum of ${String(MAX_VIEWPORT_SIDE)}; request ${less}a smaller element, or the whole page ("full_page"): ${selector}`,
  );
}

function fitsLimit({ width, height }: Pick<Rect, 'width' | 'height'>, { deviceScaleFactor }: DeviceProfile): boolean {
  return Math.max(width, height) * deviceScaleFactor <= MAX_VIEWPORT_SIDE;
}

/** Pixels by which an element that keeps moving may have moved while it is captured. */
const MOVED = 10;

function isSameBox(one: Region, other: Region): boolean {
  return isSameSize(one, other) && Math.abs(one.x - other.x) < MOVED && Math.abs(one.y - other.y) < MOVED;
}

/** @throws the error if it is another one */
function isGone(error: unknown): true {
  if (isPlatenError(error) && (error.code === 'selector_not_found' || error.code === 'selector_empty')) return true;
  throw error;
}

function isSameSize(one: Size, other: Size): boolean {
  return Math.abs(one.width - other.width) < 1 && Math.abs(one.height - other.height) < 1;
}

/** Starts where the browser paints the element's box, and has the current size of its rectangle, rounded up to whole pixels. */
async function regionOf(page: Page, selector: string, { view }: { readonly view: View }): Promise<Region> {
  const shift = await page.evaluate(measureShift, selector);
  const now = await measureElement(page, { key: KEY, selector });
  // An element that was moved into the document and keeps moving may be a little further by now.
  const rect = { ...now, x: Math.max(now.x, view.left), y: Math.max(now.y, 0) };
  const origin = paintedOrigin(rect, shift, await page.nativeScaleFactor());
  const shown = { width: page.profile.width / view.scale, height: page.profile.height / view.scale };
  const inside =
    origin.x >= view.x &&
    origin.y >= view.y &&
    origin.x + rect.width <= view.x + shown.width &&
    origin.y + rect.height <= view.y + shown.height;
  return { ...rect, x: origin.x - view.left, y: origin.y, zoom: page.profile.deviceScaleFactor, viewport: false, beyond: !inside };
}

/** Runs in the page; must not capture outer variables. Whether scrolling does not move it. */
const isFixed = withFlatTree((tree, selector: string): boolean => {
  const element = document.querySelector(selector);
  return element !== null && [element, ...tree.ancestors(element)].some((at) => getComputedStyle(at).position === 'fixed');
});

/** A place in CSS pixels of the document. */
interface Place {
  readonly x: number;
  readonly y: number;
}

/**
 * Where the browser paints a box whose rectangle begins within a pixel. It rounds the layout position to whole pixels of its own scale,
 * and then adds `shift` exactly. Null: the box is rotated or scaled, so nothing is rounded.
 */
function paintedOrigin({ x, y }: Rect, shift: Place | null, nativeScaleFactor: number): Place {
  if (shift === null) return { x, y };
  const snap = (place: number, by: number) => Math.round((place - by) * nativeScaleFactor) / nativeScaleFactor + by;
  return { x: snap(x, shift.x), y: snap(y, shift.y) };
}

/**
 * Runs in the page; must not capture outer variables. How far the element is moved after its layout: by transforms, and by its position
 * within an SVG.
 */
const measureShift = withFlatTree((tree, selector: string): Place | null => {
  const selected = document.querySelector(selector);
  let shift: Place = { x: 0, y: 0 };
  if (selected === null) return shift;
  for (const element of [selected, ...tree.ancestors(selected)]) {
    const drawing = element instanceof SVGElement ? element.ownerSVGElement : null;
    if (drawing !== null) {
      const [inner, outer] = [selected.getBoundingClientRect(), drawing.getBoundingClientRect()];
      shift = { x: inner.x - outer.x, y: inner.y - outer.y };
      continue;
    }
    const { transform, rotate, scale, translate } = getComputedStyle(element);
    const [x = 0, y = 0] = translate === 'none' ? [] : translate.split(' ').map(parseFloat);
    const { a, b, c, d, e, f, is2D } = new DOMMatrixReadOnly(transform);
    const plain = is2D && a === 1 && b === 0 && c === 0 && d === 1 && rotate === 'none' && scale === 'none' && !translate.includes('%');
    if (!plain) return null;
    shift = { x: shift.x + e + x, y: shift.y + f + y };
  }
  return shift;
});
