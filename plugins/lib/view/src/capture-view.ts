import type { Page, Rect } from '@platen/kernel';
import { captureTree, readTree, type TreeCapture } from '@platen/lib-accessibility-tree';
import { settleAnimations, waitForStablePage } from '@platen/lib-page-layout';
import { createRefTable, type RefTable } from './ref-table.js';

/** The viewport as a JPEG, at most 1568 pixels wide and high: providers shrink larger images. */
export interface ViewScreenshot {
  readonly data: Buffer;
  /** Pixels per CSS pixel. */
  readonly scale: number;
}

/** A page at one moment. It no longer needs a browser. */
export interface ViewCapture {
  readonly tree: TreeCapture;
  /** The visible part of the document, in CSS pixels like the bounds of nodes. */
  readonly viewport: Rect;
  readonly screenshot: ViewScreenshot | undefined;
  readonly refs: RefTable;
}

export interface ViewOptions {
  /** Without it a table for this capture alone. */
  readonly refs?: RefTable;
  /** False: only the tree. Default true. */
  readonly screenshot?: boolean;
}

const MAX_SIDE = 1_568;
/** Below this, small text has visible artifacts. */
const QUALITY = 85;
/** A page that never rests is captured as it is in the end. */
const MAX_ATTEMPTS = 3;

/** Captures the tree and a screenshot of the viewport, again if the page changed or was scrolled between the two. */
export async function captureView(page: Page, { refs = createRefTable(), screenshot = true }: ViewOptions = {}): Promise<ViewCapture> {
  for (let attempt = 1; ; attempt += 1) {
    const viewport = await openViewport(page);
    if (!screenshot) return { tree: await captureTree(page), viewport, screenshot: undefined, refs };
    await page.evaluate(startWatch);
    const computeTree = await readTree(page);
    // The tree is computed while the browser encodes the screenshot.
    const [taken, tree] = await Promise.all([takeScreenshot(page, viewport), computeTree()]);
    if (attempt < MAX_ATTEMPTS && (await page.evaluate(hasChanged))) continue;
    return { tree, viewport, screenshot: taken, refs };
  }
}

/** The visible part of the document, with `left`: where the document begins. */
async function openViewport(page: Page): Promise<Rect & { readonly left: number; readonly zoom: number }> {
  const { x, y, scale, left, animated } = await waitForStablePage(page);
  if (animated) await settleAnimations(page, { everywhere: true });
  const { width, height } = page.profile;
  return { x, y, width: width / scale, height: height / scale, left, zoom: scale };
}

async function takeScreenshot(
  page: Page,
  { x, y, width, height, left, zoom }: Rect & { readonly left: number; readonly zoom: number },
): Promise<ViewScreenshot> {
  const { deviceScaleFactor } = page.profile;
  const natural = deviceScaleFactor * zoom;
  // Models read text at one pixel per CSS pixel: a larger image costs more tokens.
  const scale = Math.min(1, natural, MAX_SIDE / width, MAX_SIDE / height);
  const clip = { x: x - left, y, width, height, scale: scale / deviceScaleFactor };
  const data = await page.screenshot({ format: 'jpeg', quality: QUALITY, ...(scale === natural ? {} : { clip }) });
  return { data, scale };
}

/** State between the two functions, in our isolated world. */
interface WatchWorld {
  platenWatch?: { readonly observer: MutationObserver; readonly place: string; changed: boolean };
}

/** Watches for changes of the document and of its scroll position. Runs in the page; must not capture outer variables. */
function startWatch(): void {
  // The world is our own: nothing else has this member.
  const world = globalThis as typeof globalThis & WatchWorld;
  world.platenWatch?.observer.disconnect();
  const observer = new MutationObserver(() => {
    if (world.platenWatch !== undefined) world.platenWatch.changed = true;
  });
  // Scripts and styles come and go in the head unseen; a document of another kind has no body.
  observer.observe(document.querySelector('body') ?? document, { subtree: true, childList: true, attributes: true, characterData: true });
  world.platenWatch = { observer, place: [scrollX, scrollY, innerWidth, innerHeight].join(), changed: false };
}

/** Ends the watch. Runs in the page; must not capture outer variables. */
function hasChanged(): boolean {
  // See above.
  const world = globalThis as typeof globalThis & WatchWorld;
  const watch = world.platenWatch;
  // The document was replaced.
  if (watch === undefined) return true;
  const changed = watch.changed || watch.observer.takeRecords().length > 0;
  watch.observer.disconnect();
  delete world.platenWatch;
  return changed || watch.place !== [scrollX, scrollY, innerWidth, innerHeight].join();
}
