import { Changes, type Page, readUrl, type RenderContext, untilAborted, withTimeout } from '@platen/kernel';
import { answerDocument, drop, guard, isLayered, noteFrame, sweep, tidy, waitForIdle, watch } from './in-page/index.js';
import type { Removal } from './in-page/modal-remover.js';
import { refuseKnown } from './known-managers.js';
import { findOwner, type ModalFrame, openFrames } from './modal-frames.js';

/** A requested navigation that commits no document within this time is a download or has no effect. Milliseconds. */
const COMMIT_MS = 3000;

/** Time limit for what waits for the page after it is ready, in milliseconds. */
const BUDGET_MS = 2000;
/** The part of it for the rules of known consent managers. */
const KNOWN_MS = 1300;
/** Calls into a page that is busy, or on a busy machine, may take this many times as long. */
const PATIENCE = 3;
/** After this time without changes, the page is assumed to show no more overlays by itself. */
const QUIET_MS = 300;
/** The share of the remaining render time that may be spent here. */
const SHARE = 0.5;

/** Captures of the visible page. They exclude hidden elements anyway, and the page's scripts still find their elements in the document. */
const SHOWING: ReadonlySet<string> = new Set(['screenshot', 'frames', 'print']);

/** Removes the page's modals, and hides later ones. If a page cannot be evaluated, it stays unchanged. */
export async function removeModals(context: RenderContext): Promise<void> {
  const { page, log } = context;
  context.setWaitReason('"remove_modals" to be done');
  const before = await page.evaluate(() => location.href);
  const navigation = watchNavigation(page);
  try {
    await attempt(context, { clicks: true, budgetMs: BUDGET_MS });
    const url = await untilAborted(navigation.settled(), context.signal);
    if (url === undefined) return;
    log.debug({ url }, 'the page navigated to another document when its modals were closed');
    if (isElsewhere(url, before)) await comeBack(context);
    await attempt(context, { clicks: false, budgetMs: BUDGET_MS / 2 });
  } finally {
    navigation.stop();
  }
}

/** True for another page, false for the same page with the answer in its query. */
function isElsewhere(url: string, before: string): boolean {
  const place = (text: string) => {
    const at = readUrl(text);
    return at === undefined ? text : `${at.origin}${at.pathname}`;
  };
  return place(url) !== place(before);
}

async function comeBack({ plan, page, renavigate }: RenderContext): Promise<void> {
  if (!plan.retryable) return;
  await renavigate();
  await page.lifecycle.reached('load');
}

async function attempt(context: RenderContext, { clicks, budgetMs }: Pass): Promise<void> {
  const { page, signal, log, deadlineAt } = context;
  try {
    await removeOnce(context, { clicks, budgetMs: Math.min(budgetMs, ((deadlineAt - performance.now()) * SHARE) / PATIENCE) });
  } catch (error) {
    signal.throwIfAborted();
    page.lifecycle.failed.throwIfAborted();
    log.debug({ err: error }, 'modals could not be removed');
  }
}

interface Pass {
  /** Whether buttons are clicked; false after a click has reloaded the page. */
  readonly clicks: boolean;
  readonly budgetMs: number;
}

async function removeOnce({ page, plan, log, signal }: RenderContext, { clicks, budgetMs }: Pass): Promise<void> {
  const ends = performance.now() + budgetMs;
  const slowEnds = performance.now() + budgetMs * PATIENCE;
  const msLeft = () => Math.max(1, slowEnds - performance.now());
  const knownEnds = performance.now() + Math.min(KNOWN_MS, budgetMs);
  const frames = await openFrames(page, msLeft);
  const [main] = frames;
  if (main === undefined) return;
  const known = clicks
    ? await Promise.all(frames.map((frame) => refuseKnown(frame, () => Math.max(0, knownEnds - performance.now()))))
    : [];
  const removals: Removal[] = [...(await sweepAll(frames, { clicks }))];
  if (known.some((manager) => manager?.refused === true)) await main.call(tidy);
  await each(frames, (frame) => frame.call(watch));
  await untilAborted(main.call(waitForIdle, { quiet: QUIET_MS, most: Math.max(0, ends - performance.now() - QUIET_MS) }), signal);
  // Second pass, for delayed overlays and frames. Overlays that appear during the capture are only hidden.
  const later = await openFrames(page, msLeft);
  removals.push(...(await sweepAll(later, { clicks })));
  await each(later, (frame) => frame.call(guard));
  const kinds = [plan.capture, ...plan.assets.flatMap(({ further }) => further?.capture ?? [])].map(({ kind }) => kind);
  if (!kinds.every((kind) => SHOWING.has(kind))) removals.push(...(await each(later, (frame) => frame.call(drop))).flat());
  const managers = known.filter((manager) => manager !== undefined);
  if (removals.length + managers.length > 0) log.debug({ managers, removals }, 'modals were removed');
}

/** Inner frames first: an answer in a frame may close the modal around it. */
async function sweepAll(frames: readonly ModalFrame[], { clicks }: Pick<Pass, 'clicks'>): Promise<readonly Removal[]> {
  const removals: Removal[] = [];
  for (const frame of [...frames].reverse()) {
    try {
      if (!frame.main && clicks) removals.push(...(await answerFrame(frame, frames)));
      removals.push(...(await frame.call(sweep, { clicks })));
    } catch (error) {
      // Frames may disappear at any time; errors of the main frame are not expected.
      if (frame.main) throw error;
    }
  }
  return removals;
}

/** A frame that overlays its parent is a modal as a whole. It is answered inside the frame, and its kind is recorded in the parent. */
async function answerFrame(frame: ModalFrame, frames: readonly ModalFrame[]): Promise<readonly Removal[]> {
  const owner = await findOwner(frame, frames);
  if (owner === undefined) return [];
  if (!(await owner.call(isLayered))) return [];
  const { kind, removals } = await frame.call(answerDocument);
  if (kind !== undefined) await owner.call(noteFrame, kind);
  return removals;
}

/** Calls the function in each frame and skips frames that fail. */
async function each<T>(frames: readonly ModalFrame[], act: (frame: ModalFrame) => Promise<T>): Promise<readonly T[]> {
  const results = await Promise.allSettled(frames.map(act));
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

interface NavigationWatch {
  /** The URL of the document that the page has navigated to since, once it has loaded; undefined if there was no navigation. */
  settled(): Promise<string | undefined>;
  stop(): void;
}

/** Follows navigations that the main frame starts: many pages reload after an answer. */
function watchNavigation(page: Page): NavigationWatch {
  let begun = false;
  let committed: string | undefined;
  const changes = new Changes();
  const begin = ({ frameId }: { readonly frameId: string }): void => {
    if (frameId === page.mainFrameId) begun = true;
  };
  const stops = [
    page.on('Page.frameRequestedNavigation', begin),
    page.on('Page.frameScheduledNavigation', begin),
    page.on('Page.navigatedWithinDocument', ({ frameId }) => {
      if (frameId !== page.mainFrameId) return;
      begun = false;
      changes.notify();
    }),
    page.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id !== page.mainFrameId) return;
      committed = frame.url;
      changes.notify();
    }),
  ];
  return {
    async settled() {
      if (begun && committed === undefined) await withTimeout(changes.next(), COMMIT_MS);
      if (committed !== undefined) await page.lifecycle.reached('load');
      return committed;
    },
    stop() {
      for (const stop of stops) stop();
    },
  };
}
