import { setTimeout as delay } from 'node:timers/promises';
import { limitSignal, openIsolatedFrameWorld, untilAborted, withTimeout, type Page } from '@platen/kernel';
import { withFlatTree } from '@platen/lib-page-functions';
import { readFrames } from './frames.js';
import type { NetworkActivity } from './network-activity.js';

/** Milliseconds in which a click shows its effect on the network. */
const START_MS = 20;
/** Milliseconds without activity after which a page is idle. */
const QUIET_MS = 120;
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
}

/** Waits until the page is idle: 120 ms (350 ms after typing) without requests, navigations and changes of the document. */
export async function waitForIdle({ page, network, isTyped, signal }: Settling): Promise<void> {
  using time = limitSignal(signal, SETTLE_MS);
  const quietMs = isTyped ? TYPED_QUIET_MS : QUIET_MS;
  network.countRepeats();
  try {
    await untilAborted(delay(START_MS), time.signal);
    for (let mutationMs = MUTATION_MS; ;) {
      await network.reached('idle', time.signal);
      const startedAt = performance.now();
      const idle = Promise.all([waitForDocument(page(), { quietMs, ms: mutationMs }), delay(quietMs)]);
      if (await isUndisturbed(idle, { network, signal: time.signal })) return;
      mutationMs = Math.max(0, mutationMs - (performance.now() - startedAt));
    }
  } catch (error) {
    if (!time.isUp || signal.aborted) throw error;
    // Such as a long poll.
    network.ignoreCurrent();
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

/** Resolves after `quietMs` without changes in any frame, or when the time is up. */
async function waitForDocument(page: Page, { quietMs, ms }: DocumentWait): Promise<void> {
  const frames = await withTimeout(readFrames(page), ms);
  const waits = Array.from(frames?.values() ?? []).map(async ({ session, id }) => {
    const world = await openIsolatedFrameWorld(session, id, { timeoutMs: ms + GRACE_MS });
    await world.evaluate(waitForMutations, { quietMs, ms });
  });
  await Promise.allSettled(waits);
}

/** Runs in the page; must not capture outer variables. */
const waitForMutations = withFlatTree((tree, { quietMs, ms }: DocumentWait): Promise<void> => {
  return new Promise((resolve) => {
    let quiet = 0;
    const observer = new MutationObserver(() => {
      clearTimeout(quiet);
      quiet = window.setTimeout(finish, quietMs);
    });
    const end = window.setTimeout(finish, ms);
    quiet = window.setTimeout(finish, quietMs);
    for (const root of tree.trees(document))
      observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    function finish(): void {
      clearTimeout(quiet);
      clearTimeout(end);
      observer.disconnect();
      resolve();
    }
  });
});
