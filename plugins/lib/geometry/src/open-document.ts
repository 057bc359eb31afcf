import { contextKey, type Page, type RenderContext } from '@platen/kernel';
import { expandBoxes } from './expand-boxes.js';
import { measureDocument, type Extent } from './measure-document.js';
import { paintDeferred } from './restyle-page.js';
import { settlePage } from './settle-page.js';
import { walkPage } from './walk-page.js';

/** Pixels of the largest picture, whatever its format: also what libvips decodes without being told otherwise. */
export const MAX_PIXELS = 16_383 ** 2;

/**
 * Device pixels of the highest viewport that is captured as it is. From about 40,000 on the browser leaves parts of a high
 * viewport unpainted; beyond an ordinary viewport it paints all of it.
 */
const MAX_VIEWPORT_PIXELS = 16_384;

/** What the first load held, where the viewport has grown for it. */
const FIRST_CONTENT = contextKey<string>('full-page-content');

/** The first load is over, and the viewport becomes as high as what it held. */
export async function growForContent(context: Pick<RenderContext, 'page' | 'set'>, { height, scale }: Extent): Promise<void> {
  const { page } = context;
  context.set(FIRST_CONTENT, await page.evaluate(weighContent));
  await page.setProfile({ height: boundedHeight(page, height * scale) });
}

/**
 * How much there is of the document, with the viewport set to the height at which it is to be captured: as high as the document,
 * or the height of the browser, where the document is captured beyond it. For every capture kind.
 */
export async function openDocument(context: Pick<RenderContext, 'page' | 'plan' | 'get'>): Promise<Extent> {
  const { page } = context;
  const original = context.plan.profile.height;
  const first = await settledExtent(page);
  if (viewHeight(page, first) >= first.height) {
    const before = context.get(FIRST_CONTENT);
    const same = before === undefined || before === (await page.evaluate(weighContent));
    return same ? captureHeight(page, first, original) : openShorter(page, first, original);
  }

  // It grew: by what loaded meanwhile, or because its elements are as high as the viewport. Only the second kind shrinks again.
  const tall = await extentAt(page, boundedHeight(page, first.height * first.scale));
  const small = await extentAt(page, original);
  if (small.inner) return expandedExtent(page);
  if (small.height !== tall.height) return walkedExtent(page);
  return captureHeight(page, await extentAt(page, boundedHeight(page, tall.height * tall.scale)), original);
}

/**
 * A page that fills its viewport may do so only because the viewport has the height of what the first load held: how high it is
 * shows in the original one.
 */
async function openShorter(page: Page, filled: Extent, original: number): Promise<Extent> {
  const { height } = page.profile;
  const small = await extentAt(page, original);
  if (small.height >= filled.height) return captureHeight(page, await extentAt(page, height), original);
  if (viewHeight(page, small) >= small.height) return small;
  if (small.inner) return expandedExtent(page);
  const fitted = await extentAt(page, boundedHeight(page, small.height * small.scale));
  // One that grows with the viewport all the same has elements that are as high as that.
  if (fitted.height > viewHeight(page, fitted) + 1) {
    await page.setProfile({ height: original });
    return walkedExtent(page);
  }
  return captureHeight(page, fitted, original);
}

/** In the high viewport where the browser paints all of it; else beyond the original one. */
async function captureHeight(page: Page, extent: Extent, original: number): Promise<Extent> {
  const { height, deviceScaleFactor } = page.profile;
  const painted = height === original || height * deviceScaleFactor <= MAX_VIEWPORT_PIXELS;
  if (painted) return extent;
  await paintDeferred(page);
  const small = await extentAt(page, original);
  return small.inner ? expandedExtent(page) : small;
}

async function extentAt(page: Page, height: number): Promise<Extent> {
  await page.setProfile({ height });
  return settledExtent(page);
}

/** Of a page that scrolls in a box, which is more than a viewport can show at once, or grows with it. */
async function expandedExtent(page: Page): Promise<Extent> {
  await expandBoxes(page);
  const { inner } = await settledExtent(page);
  // What came meanwhile.
  if (inner) await expandBoxes(page);
  return walkedExtent(page);
}

/**
 * Of a page whose elements are as high as the viewport. In the high one they have pushed the rest out of sight, and what loads
 * when it is seen has not been loaded.
 */
async function walkedExtent(page: Page): Promise<Extent> {
  await paintDeferred(page);
  await walkPage(page);
  return settledExtent(page);
}

async function settledExtent(page: Page): Promise<Extent> {
  await settlePage(page, { moved: true });
  return page.evaluate(measureDocument);
}

/** Runs in the page: closes over nothing. Two loads with the same answer hold the same, as far as their height is concerned. */
function weighContent(): string {
  const { length } = document.documentElement.textContent;
  return `${String(document.getElementsByTagName('*').length)} elements, ${String(length)} characters`;
}

/** CSS pixels of the document that the viewport shows. */
export function viewHeight({ profile }: Page, { scale }: Extent): number {
  return profile.height / scale;
}

/** No higher than the highest picture. */
function boundedHeight({ profile }: Page, height: number): number {
  return Math.min(Math.ceil(height), Math.floor(MAX_PIXELS / (profile.width * profile.deviceScaleFactor ** 2)));
}
