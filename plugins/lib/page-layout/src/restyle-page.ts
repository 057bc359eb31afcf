/**
 * Changes how a page is drawn without the page's observers noticing: adds our own style sheets to the document and its open shadow roots.
 * Their rules name elements by position and follow them. A page's inline style with `!important` wins. State between steps is in our
 * isolated world, which the page cannot see.
 */

import { listFrames, openIsolatedFrameWorld, type Page, type TargetSession } from '@platen/kernel';
import {
  adoptRules,
  collectBackgroundRules,
  collectExpandRules,
  collectPinRules,
  collectUnrollRules,
  collectVisibilityRules,
  recordPositions,
  removeRules,
} from './in-page/index.js';

/** Maximum nesting of fixed boxes. */
const MAX_DEPTH = 3;

/** Records the positions of fixed and sticky boxes before the page is scrolled for a screenshot. */
export async function recordFixedElements(page: Page): Promise<void> {
  await page.evaluate(recordPositions);
}

/**
 * Draws fixed and sticky boxes at their recorded positions, so that none covers the scrolled-to element; a box that was not fixed then is
 * drawn where it would have been. `selector`: an element whose own ancestors stay where they are.
 */
export async function pinFixedElements(page: Page, selector?: string): Promise<void> {
  await unpinFixedElements(page);
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const { rules, more } = await page.evaluate(collectPinRules, selector ?? null);
    if (rules > 0) await page.evaluate(adoptRules, 'platenSheets');
    if (!more) return;
  }
}

/** Reverts `pinFixedElements`. */
export async function unpinFixedElements(page: Page): Promise<void> {
  await page.evaluate(removeRules, 'platenSheets');
}

/** Lays out and paints skipped content (`content-visibility: auto`), for screenshots of more than the viewport. */
export async function forceContentPainting(page: Page): Promise<void> {
  if (await page.evaluate(collectVisibilityRules)) await page.evaluate(adoptRules, null);
}

export interface ShownDeferred {
  /** A document with skipped content has frames: they may have been skipped, too. */
  readonly framed: boolean;
  restore(): Promise<void>;
}

/**
 * Like `forceContentPainting`, until `restore` is called: the boxes read from a document must not depend on the scroll position. `world`: an
 * isolated world of each document.
 */
export async function forceContentVisibility(world: Pick<Page, 'evaluate'>): Promise<ShownDeferred> {
  const waiting = await world.evaluate(collectVisibilityRules);
  if (!waiting) return { framed: false, restore: () => Promise.resolve() };
  await world.evaluate(adoptRules, 'platenDeferred');
  return { framed: waiting === 'framed', restore: () => world.evaluate(removeRules, 'platenDeferred') };
}

/**
 * Prepares a page for capture beyond its viewport: lays out skipped content, and attaches viewport backgrounds (`background-attachment:
 * fixed`) to their boxes, because the browser paints those backgrounds only within the viewport.
 */
export async function prepareBeyondViewport(page: Page): Promise<void> {
  await forceContentPainting(page);
  if (await page.evaluate(collectBackgroundRules)) await page.evaluate(adoptRules, null);
}

/** Maximum number of scroll containers, nested or side by side. */
const MAX_BOXES = 4;

/**
 * Makes a page's scroll containers as high as their content without changing the viewport, so that the document scrolls instead and lengths
 * in `vh` stay the same. Counts the same boxes as `measureDocument`, except boxes whose own styles prevent it.
 */
export async function expandBoxes(page: Page): Promise<void> {
  for (let boxes = 0; boxes < MAX_BOXES && (await page.evaluate(collectExpandRules, { again: boxes > 0 })); boxes += 1)
    await page.evaluate(adoptRules, null);
}

/** Prepares a page that scrolls in boxes for paper, until the returned function is called. */
export async function unrollBoxes(page: Page): Promise<() => Promise<void>> {
  if (!(await page.evaluate(collectUnrollRules))) return () => Promise.resolve();
  await page.evaluate(adoptRules, 'platenDeferred');
  return () => page.evaluate(removeRules, 'platenDeferred');
}

type Session = Pick<TargetSession, 'send'>;

interface FramesOptions {
  /** Includes the session's first frame, not only its descendants. */
  readonly first: boolean;
  /** Timeout of each call. */
  readonly timeoutMs: number;
}

/** Like `forceContentVisibility`, for the frames of one process. Skips frames that are replaced or do not respond. */
export async function forceContentVisibilityInFrames(session: Session, { first, timeoutMs }: FramesOptions): Promise<ShownDeferred> {
  const frames = (await listFrames(session, timeoutMs)).slice(first ? 0 : 1);
  const shown = await Promise.all(
    frames
      .map(async ({ id }) => forceContentVisibility(await openIsolatedFrameWorld(session, id, { timeoutMs })))
      .map((one) => one.catch(() => undefined)),
  );
  return {
    framed: shown.some((one) => one?.framed),
    async restore() {
      await Promise.allSettled(shown.flatMap((one) => one?.restore() ?? []));
    },
  };
}

/** Milliseconds: off-screen frames are not drawn. */
const DRAWN_MS = 250;

/**
 * Waits until a document whose window is in another process has been drawn with its current geometry. `world`: an isolated world of the
 * document.
 */
export async function awaitDrawn(world: Pick<Page, 'evaluate'>): Promise<void> {
  await world.evaluate(drawTwice, DRAWN_MS);
}

/** Like `awaitDrawn`, for the first frame of a process. */
export async function awaitDrawnFrame(session: Session, timeoutMs: number): Promise<void> {
  const [frame] = await listFrames(session, timeoutMs);
  if (frame !== undefined) await awaitDrawn(await openIsolatedFrameWorld(session, frame.id, { timeoutMs }));
}

/** Runs in the page; must not capture outer variables. */
function drawTwice(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}
