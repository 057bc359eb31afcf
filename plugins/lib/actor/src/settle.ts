import { setTimeout as delay } from 'node:timers/promises';
import { openIsolatedFrameWorld, untilAborted, withTimeout, type Page } from '@platen/kernel';
import { definePageFunction, FlatTree } from '@platen/lib-page-functions';
import { readFrames } from './frames.js';
import type { NetworkActivity } from './network-activity.js';

/** Milliseconds in which a click shows its effect on the network. */
const START_MS = 20;
/** Milliseconds without activity after which a page is at rest. */
const QUIET_MS = 120;
/** A page that animates itself never rests. */
const MUTATION_MS = 1_500;
/** For everything. */
const SETTLE_MS = 5_000;
/** Milliseconds by which a frame's answer may be late. */
const GRACE_MS = 250;

export interface Settling {
  /** Of the current tab, which may change meanwhile. */
  readonly page: () => Page;
  readonly network: NetworkActivity;
  readonly signal: AbortSignal;
}

/** Waits until the page is at rest: network, then document, then network again. */
export async function waitForRest({ page, network, signal }: Settling): Promise<void> {
  const endsAt = performance.now() + SETTLE_MS;
  const leftMs = () => Math.max(0, endsAt - performance.now());
  await delay(START_MS);
  await waitForQuiet(network, leftMs(), signal);
  await untilAborted(waitForDocument(page(), Math.min(MUTATION_MS, leftMs())), signal);
  if (!network.isQuiet) await waitForQuiet(network, leftMs(), signal);
  // Such as a long poll.
  if (!network.isQuiet) network.ignoreCurrent();
}

/** Resolves after 120 ms without requests and navigations, or when the time is up. */
async function waitForQuiet(network: NetworkActivity, ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    let quiet: NodeJS.Timeout | undefined;
    const end = setTimeout(() => finish(resolve), ms);
    const aborted = () => finish(() => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted')));
    const changed = () => {
      clearTimeout(quiet);
      quiet = network.isQuiet ? setTimeout(() => finish(resolve), QUIET_MS) : undefined;
    };
    const stop = network.onChange(changed);
    const finish = (done: () => void) => {
      clearTimeout(quiet);
      clearTimeout(end);
      stop();
      signal.removeEventListener('abort', aborted);
      done();
    };
    signal.addEventListener('abort', aborted);
    changed();
  });
}

/** Resolves after 120 ms without changes in any frame, or when the time is up. */
async function waitForDocument(page: Page, ms: number): Promise<void> {
  const frames = await withTimeout(readFrames(page), ms);
  const waits = Array.from(frames?.values() ?? []).map(async ({ session, id }) => {
    const world = await openIsolatedFrameWorld(session, id, { timeoutMs: ms + GRACE_MS });
    await world.evaluate(waitForMutations, { quietMs: QUIET_MS, ms });
  });
  await Promise.allSettled(waits);
}

/** Runs in the page; must not capture outer variables. */
const waitForMutations = definePageFunction(
  { FlatTree },
  (parts, { quietMs, ms }: { readonly quietMs: number; readonly ms: number }): Promise<void> => {
    return new Promise((resolve) => {
      let quiet = 0;
      const observer = new MutationObserver(() => {
        clearTimeout(quiet);
        quiet = window.setTimeout(finish, quietMs);
      });
      const end = window.setTimeout(finish, ms);
      quiet = window.setTimeout(finish, quietMs);
      for (const tree of new parts.FlatTree().trees(document))
        observer.observe(tree, { subtree: true, childList: true, attributes: true, characterData: true });
      function finish(): void {
        clearTimeout(quiet);
        clearTimeout(end);
        observer.disconnect();
        resolve();
      }
    });
  },
);
