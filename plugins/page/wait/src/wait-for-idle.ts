import { untilAborted, type Page } from '@platen/kernel';
import type { NetworkTracker } from './track-network.js';

/** Maximum number of documents that restart a wait: more than redirects need, and a limit for pages that reload forever. */
export const MAX_RESTARTS = 3;

interface IdleWait {
  readonly page: Page;
  readonly signal: AbortSignal;
  readonly tracker: NetworkTracker;
  readonly condition: { readonly connections: number; readonly quietSeconds: number };
}

/** Resolves once the page has loaded and then had at most that many requests in flight, without interruption, for that long. */
export async function waitForIdle({ page, signal, tracker, condition }: IdleWait): Promise<void> {
  const loaded = (): Promise<number> => untilAborted(page.lifecycle.reached('load'), signal);
  let load = await loaded();
  for (let restarts = 0; ; restarts += 1) {
    await quiet(tracker, condition, signal);
    const newest = await loaded();
    // The document did not change while the network was idle. A new document has its own load event.
    if (newest === load || restarts === MAX_RESTARTS) return;
    load = newest;
  }
}

async function quiet(tracker: NetworkTracker, condition: IdleWait['condition'], signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const reached = new Promise<void>((resolve) => {
    let since: number | undefined;
    let timer: NodeJS.Timeout | undefined;
    const check = (): void => {
      clearTimeout(timer);
      const now = performance.now();
      since = tracker.inFlight(now) <= condition.connections ? (since ?? now) : undefined;
      const end = since === undefined ? tracker.nextStale(now) : since + condition.quietSeconds * 1000;
      if (since !== undefined && end !== undefined && now >= end) resolve();
      else if (end !== undefined) timer = setTimeout(check, Math.ceil(end - now));
    };
    const ignore = tracker.onChange(check);
    stop.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      ignore();
    });
    check();
  });
  try {
    await untilAborted(reached, signal);
  } finally {
    stop.abort();
  }
}
