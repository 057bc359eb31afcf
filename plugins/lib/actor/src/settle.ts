import { setTimeout as delay } from 'node:timers/promises';
import { limitSignal, openIsolatedFrameWorld, untilAborted, withTimeout, type Page } from '@platen/kernel';
import { withFlatTree } from '@platen/lib-page-functions';
import { readFrames } from './frames.js';
import type { NetworkActivity } from './network-activity.js';

/** Milliseconds in which a click shows its effect on the network. */
const START_MS = 20;
/** Milliseconds without activity after which a page is idle. */
const QUIET_MS = 120;
/** Milliseconds without requests after which a page probably stays idle. */
const PROBABLY_MS = 30;
/** A page that is blocked for longer than a part of the quiet time was quiet for one part only: its timers are late. */
const PARTS = 4;
/** Suggestions follow a pause in typing: 300 ms by default in jQuery UI. */
const TYPED_QUIET_MS = 350;
/** A page that animates itself is never idle. */
const MUTATION_MS = 1_500;
/** For everything. */
const SETTLE_MS = 5_000;
/** Milliseconds by which a frame's answer may be late. */
const GRACE_MS = 250;

export interface Settling {
  /** Of the current tab, which may change meanwhile. */
  readonly page: () => Page;
  readonly network: NetworkActivity;
  /** Text was typed into a field that may suggest values. */
  readonly isTyped: boolean;
  readonly signal: AbortSignal;
  /** Called when the page is probably idle, again after each request and navigation. */
  readonly onProbablyIdle?: (() => void) | undefined;
}

/**
 * Waits until the page is idle: 120 ms (350 ms after typing) without requests, navigations and changes of the document. Returns since when
 * it has been, by `performance.now()`; Infinity if it is not.
 */
export async function waitForIdle({ page, network, isTyped, signal, onProbablyIdle }: Settling): Promise<number> {
  using time = limitSignal(signal, SETTLE_MS);
  const quietMs = isTyped ? TYPED_QUIET_MS : QUIET_MS;
  network.countRepeats();
  try {
    await untilAborted(delay(START_MS), time.signal);
    for (let mutationMs = MUTATION_MS; ;) {
      await network.reached('idle', time.signal);
      const startedAt = performance.now();
      const over = new AbortController();
      const onWatched = () => void delay(PROBABLY_MS, undefined, { signal: over.signal }).then(onProbablyIdle, () => undefined);
      const quiet = waitForDocument(page(), { quietMs, ms: mutationMs, onWatched });
      try {
        const idle = Promise.all([quiet, delay(quietMs)]);
        if (await isUndisturbed(idle, { network, signal: time.signal })) return Math.max(startedAt, await quiet);
      } finally {
        over.abort();
      }
      mutationMs = Math.max(0, mutationMs - (performance.now() - startedAt));
    }
  } catch (error) {
    if (!time.isUp || signal.aborted) throw error;
    // Such as a long poll.
    network.ignoreCurrent();
    return Infinity;
  }
}

/** Waits until the page is idle; false as soon as there is a request or navigation. */
async function isUndisturbed(idle: Promise<unknown>, { network, signal }: Pick<Settling, 'network' | 'signal'>): Promise<boolean> {
  const over = new AbortController();
  const quiet = idle.then(() => true);
  const disturbed = network.reached('busy', AbortSignal.any([signal, over.signal])).then(() => false);
  try {
    return await Promise.race([quiet, disturbed]);
  } finally {
    over.abort();
  }
}

interface DocumentWait {
  readonly quietMs: number;
  readonly ms: number;
}

/**
 * Resolves after `quietMs` without changes in any frame, or when the time is up. Returns the time of the last change; -Infinity: none,
 * Infinity: unknown.
 */
async function waitForDocument(page: Page, { quietMs, ms, onWatched }: DocumentWait & { readonly onWatched: () => void }): Promise<number> {
  const frames = await withTimeout(readFrames(page), ms);
  const worlds = Array.from(frames?.values() ?? [], ({ session, id }) => openIsolatedFrameWorld(session, id, { timeoutMs: ms + GRACE_MS }));
  const waits = worlds.map(async (world) => {
    const quietFor = await (await world).evaluate(waitForMutations, { quietMs, ms, parts: PARTS });
    return quietFor === null ? -Infinity : performance.now() - quietFor;
  });
  void Promise.allSettled(worlds).then(onWatched);
  // A frame that does not respond may change at any time.
  const changed = await Promise.all(waits.map((wait) => wait.catch(() => Infinity)));
  return frames === undefined || ms < quietMs ? Infinity : Math.max(...changed);
}

/** Runs in the page; must not capture outer variables. Returns the milliseconds since the last change; null without one. */
const waitForMutations = withFlatTree((tree, { quietMs, ms, parts }: DocumentWait & { readonly parts: number }): Promise<number | null> => {
  return new Promise((resolve) => {
    let quiet = 0;
    let changedAt: number | null = null;
    const observer = new MutationObserver(() => {
      changedAt = performance.now();
      wait(parts);
    });
    const end = window.setTimeout(finish, ms);
    wait(parts);
    for (const root of tree.trees(document))
      observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    function wait(left: number): void {
      clearTimeout(quiet);
      quiet = window.setTimeout(() => (left === 1 ? finish() : wait(left - 1)), quietMs / parts);
    }
    function finish(): void {
      clearTimeout(quiet);
      clearTimeout(end);
      observer.disconnect();
      resolve(changedAt === null ? null : performance.now() - changedAt);
    }
  });
});
