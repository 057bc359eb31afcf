import { type Page, PlatenError, type Rect } from '@platen/kernel';
import { prepareBeyondViewport, settleAnimations, type View, waitForStablePage } from '@platen/lib-page-layout';
import type { Region } from './frame.js';
import { findScrollSegments, startSegmentScroller } from './scroll-segments.js';

/** The value of `image_clip`, which the schema has checked. */
export function readClip(text: string): Rect {
  const [x = 0, y = 0, width = 0, height = 0] = text.split(',').map(Number);
  return { x, y, width, height };
}

/**
 * A rectangle of the page, in whole device pixels. What is out of view is scrolled to before, so that it is loaded and drawn, unless the
 * rectangle is refused.
 */
export async function openClip(page: Page, text: string, refuse: (region: Region) => unknown): Promise<Region> {
  const first = await stableView(page);
  const clip = { ...(await limitToPage(page, text, first)), viewport: false, beyond: false };
  if (isInside(clip, first, page)) return clip;
  refuse(clip);
  await scrollTo(page, clip);
  await prepareBeyondViewport(page);
  const view = await stableView(page);
  const region = { ...(await limitToPage(page, text, view)), viewport: false, beyond: true };
  return { ...region, segments: await findScrollSegments(page, region, view) };
}

async function stableView(page: Page): Promise<View> {
  const view = await waitForStablePage(page);
  if (view.animated) await settleAnimations(page, { everywhere: true });
  return view;
}

/** The part of the rectangle that is on the page. */
async function limitToPage(page: Page, text: string, view: View): Promise<Pick<Region, 'x' | 'y' | 'width' | 'height' | 'zoom'>> {
  const zoom = page.profile.deviceScaleFactor;
  const clip = readClip(text);
  const { width, height } = await page.evaluate(measurePage);
  const snap = (place: number, most: number) => Math.round(Math.min(Math.max(place, 0), most) * zoom);
  const [left, right] = [snap(clip.x, width), snap(clip.x + clip.width, width)];
  const [top, bottom] = [snap(clip.y, height), snap(clip.y + clip.height, height)];
  if (right > left && bottom > top) {
    return { x: left / zoom - view.left, y: top / zoom, width: (right - left) / zoom, height: (bottom - top) / zoom, zoom };
  }
  const size = `${String(Math.round(width))} x ${String(Math.round(height))} pixels`;
  throw new PlatenError('selection_empty', `"image_clip" is outside of the page, which has ${size}: ${text}`);
}

function isInside({ x, y, width, height }: Rect, view: View, { profile }: Page): boolean {
  const [right, bottom] = [view.x + profile.width / view.scale, view.y + profile.height / view.scale];
  return x >= view.x && y >= view.y && x + width <= right && y + height <= bottom;
}

/** As a reader would: a viewport at a time. */
async function scrollTo(page: Page, { y, height }: Rect): Promise<void> {
  await using scroller = await startSegmentScroller(page);
  for (let top = y; top < y + height; top += page.profile.height) {
    await scroller.show({ top, bottom: Math.min(top + page.profile.height, y + height), placed: false });
  }
}

/** Runs in the page; must not capture outer variables. In CSS pixels; no smaller than the viewport. */
function measurePage(): { readonly width: number; readonly height: number } {
  const { documentElement, scrollingElement } = document;
  const sizes = [documentElement, scrollingElement ?? documentElement];
  return {
    width: Math.max(innerWidth, ...sizes.map(({ scrollWidth }) => scrollWidth)),
    height: Math.max(innerHeight, ...sizes.map(({ scrollHeight }) => scrollHeight)),
  };
}
