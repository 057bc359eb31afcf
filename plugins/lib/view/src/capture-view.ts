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
  /** For a capture that begins before the page is at rest: resolves when it is, with false if the capture is not wanted any more. */
  readonly settled?: Promise<boolean>;
}

const MAX_SIDE = 1_568;
/** Below this, small text has visible artifacts. */
const QUALITY = 85;
/** A page that never rests is captured as it is in the end. */
const MAX_ATTEMPTS = 3;

/** Captures the tree and a screenshot of the viewport, again if the page changed or was scrolled between the two. */
export async function captureView(page: Page, options: ViewOptions = {}): Promise<ViewCapture> {
  return captureAndUse(page, options, (view) => Promise.resolve(view));
}

/** Like `captureView`. Returns what `use` makes of the view; it is called before `settled` resolves. */
export async function captureAndUse<T>(
  page: Page,
  { refs = createRefTable(), screenshot = true, settled }: ViewOptions,
  use: (view: ViewCapture) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const viewport = await openViewport(page);
    if (!screenshot && settled === undefined) return use({ tree: await captureTree(page), viewport, screenshot: undefined, refs });
    await page.evaluate(watchChanges, 'begin');
    const read = await readTree(page);
    // While the browser draws and encodes the screenshot.
    const [tree, taken] = await Promise.all([read.compute(), screenshot ? takeScreenshot(page, viewport) : undefined]);
    const view = { tree, viewport, screenshot: taken, refs };
    const early = settled && use(view);
    early?.catch(() => undefined);
    if ((await settled) === false) throw new Error('the page changed while it was captured');
    if (attempt < MAX_ATTEMPTS && (await page.evaluate(watchChanges, 'end'))) continue;
    return early ?? use(view);
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

/** State between two calls, in our isolated world. */
interface WatchWorld {
  platenWatch?: { readonly observer: MutationObserver; readonly state: string; changed: boolean };
}

/**
 * Watches for changes of the document, its scroll position and its fields. The end returns whether there were any. Runs in the page; must
 * not capture outer variables.
 */
function watchChanges(call: 'begin' | 'end'): boolean {
  // The world is our own: nothing else has this member.
  const world = globalThis as typeof globalThis & WatchWorld;
  const { platenWatch: watch } = world;
  const fields = Array.from(document.querySelectorAll<HTMLInputElement>('input, textarea, select'), ({ value, checked }) => [
    value,
    checked,
  ]);
  const state = JSON.stringify([scrollX, scrollY, innerWidth, innerHeight, fields]);
  // Without a watch, the document was replaced.
  const changed = watch === undefined || watch.changed || watch.observer.takeRecords().length > 0 || watch.state !== state;
  watch?.observer.disconnect();
  delete world.platenWatch;
  if (call === 'end') return changed;
  const observer = new MutationObserver(() => {
    if (world.platenWatch !== undefined) world.platenWatch.changed = true;
  });
  // Scripts and styles come and go in the head unseen; a document of another kind has no body.
  observer.observe(document.querySelector('body') ?? document, { subtree: true, childList: true, attributes: true, characterData: true });
  world.platenWatch = { observer, state, changed: false };
  return false;
}
