import type { DeviceProfile, Page, Rect } from '@platen/kernel';
import { leaveElement, measureElement, paintDeferred, settlePage, showWhole, type Shown, type View } from '@platen/lib-geometry';
import type { Region } from './frame.js';
import { FRAMES_DRAW_MS, MAX_VIEWPORT_SIDE } from './limits.js';
import { measureShift, paintedOrigin } from './painted-origin.js';
import { findVisits, framesDrawn } from './visits.js';

const KEY = 'image_selector';

/** An element to be captured, and what puts the page back afterwards. */
export interface OpenElement {
  readonly region: Region;
  leave(): Promise<void>;
}

/**
 * Brings the element into view, in a viewport that is as high as it where need be, since what is out of view is not painted by itself.
 * Where the element grows with the viewport it is captured in the original one, strip by strip; where none of it helps, beyond the viewport.
 */
export async function openElement(page: Page, selector: string): Promise<OpenElement> {
  const shown = await showOf(page, selector);
  const leave = () => leaveElement(page, shown);
  if (shown.whole) {
    await framesDrawn(page, FRAMES_DRAW_MS);
    return { region: await regionOf(page, selector, shown), leave };
  }

  await leave();
  await paintDeferred(page);
  const view = await settlePage(page, { moved: true });
  const region = { ...(await regionOf(page, selector, { view })), beyond: true };
  const { width, deviceScaleFactor } = page.profile;
  const inStrips = region.width * view.scale <= width && region.height * deviceScaleFactor <= MAX_VIEWPORT_SIDE;
  const visits =
    inStrips && !(await page.evaluate(isFixed, selector))
      ? [{ top: region.y, bottom: region.y + region.height }]
      : await findVisits(page, region, view);
  return { region: { ...region, visits }, leave };
}

async function showOf(page: Page, selector: string): Promise<Shown> {
  const { width, height } = page.profile;
  const element = { key: KEY, selector };
  let before: Rect | undefined;
  const shown = await showWhole(page, element, (wanted, lack, rect) => {
    if (lack.boxed) return isBearable(wanted, page.profile) ? wanted : undefined;
    // A wider viewport is another layout.
    if (lack.width > 1 || !isBearable(wanted, page.profile)) return undefined;
    before = rect;
    return { width, height: wanted.height };
  });
  if (before === undefined || isSameSize(before, shown.rect)) return shown;
  await page.setProfile({ width, height });
  await settlePage(page, { moved: true });
  return { ...shown, whole: false };
}

function isBearable({ width, height }: Pick<Rect, 'width' | 'height'>, { deviceScaleFactor }: DeviceProfile): boolean {
  return Math.max(width, height) * deviceScaleFactor <= MAX_VIEWPORT_SIDE;
}

function isSameSize(one: Rect, other: Rect): boolean {
  return Math.abs(one.width - other.width) < 1 && Math.abs(one.height - other.height) < 1;
}

/** Starts where the browser paints the element's box, and is as large as its rectangle is now, whole pixels counted up. */
async function regionOf(page: Page, selector: string, { view }: { readonly view: View }): Promise<Region> {
  const shift = await page.evaluate(measureShift, selector);
  const now = await measureElement(page, { key: KEY, selector });
  // One that was moved into the document and keeps moving may have gone a little further meanwhile.
  const rect = { ...now, x: Math.max(now.x, view.left), y: Math.max(now.y, 0) };
  const origin = paintedOrigin(rect, shift);
  const shown = { width: page.profile.width / view.scale, height: page.profile.height / view.scale };
  const inside =
    origin.x >= view.x &&
    origin.y >= view.y &&
    origin.x + rect.width <= view.x + shown.width &&
    origin.y + rect.height <= view.y + shown.height;
  return { ...rect, x: origin.x - view.left, y: origin.y, zoom: page.profile.deviceScaleFactor, viewport: false, beyond: !inside };
}

/** Runs in the page: closes over nothing. Whether scrolling does not move it. */
function isFixed(selector: string): boolean {
  for (let element = document.querySelector(selector); element !== null; element = element.parentElement) {
    if (getComputedStyle(element).position === 'fixed') return true;
  }
  return false;
}
