/**
 * The requests in flight of a page, with its frames, popups and workers, and a wait until there are none.
 *
 * @packageDocumentation
 */

import { enableNetwork, type Page, type TargetSession, type TargetTree, untilAborted } from '@platen/kernel';

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

/** Requests without any network activity for this long no longer count as in flight. */
const STALE_MS = 30_000;
/** Resource types that stay open by design, or that pages do not wait for. */
const ENDLESS = new Set(['WebSocket', 'EventSource', 'Ping', 'Media', 'Prefetch', 'CSPViolationReport', 'SignedExchange']);

export interface NetworkTracker {
  /** Number of requests in flight, over all targets of the render. */
  inFlight(now: number): number;
  /** The next time at which a request becomes stale, which lowers the number without an event. */
  nextStale(now: number): number | undefined;
  /** Calls the listener at every change until the returned function is called. */
  onChange(listener: () => void): () => void;
}

interface Request {
  readonly target: TargetSession;
  readonly frameId: string | undefined;
  /** The loader of the document that made the request; empty for a worker's script. */
  readonly loaderId: string;
  /** Time of the last activity, in performance.now milliseconds. */
  moved: number;
}

/** Tracks every request of the page, its frames, popups and workers. A protocol id reported by two sessions counts once. */
export function trackNetwork(targets: TargetTree): NetworkTracker {
  const table = createTable();
  targets.configure((target) => {
    followRequests(target, table);
    followDocuments(target, table);
    return [enableNetwork(target), ...(target.kind === 'iframe' ? [target.send('Page.enable')] : [])];
  });
  const alive = (now: number): readonly Request[] => table.all().filter(({ moved }) => now - moved < STALE_MS);
  return {
    inFlight: (now) => alive(now).length,
    nextStale(now) {
      const moments = alive(now).map(({ moved }) => moved + STALE_MS);
      return moments.length === 0 ? undefined : Math.min(...moments);
    },
    onChange: (listener) => table.onChange(listener),
  };
}

interface Table {
  all(): readonly Request[];
  begin(id: string, request: Omit<Request, 'moved'>): void;
  move(id: string): void;
  end(id: string): void;
  /** Ends all requests that match. */
  drop(gone: (request: Request) => boolean): void;
  onChange(listener: () => void): () => void;
}

/** The requests in flight, by protocol id. */
function createTable(): Table {
  const requests = new Map<string, Request>();
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    all: () => [...requests.values()],
    begin(id, request) {
      // Each hop of a redirect has the same id.
      requests.set(id, { ...request, moved: performance.now() });
      changed();
    },
    move(id) {
      const request = requests.get(id);
      if (request) request.moved = performance.now();
    },
    end(id) {
      if (requests.delete(id)) changed();
    },
    drop(gone) {
      const ids = [...requests].filter(([, request]) => gone(request)).map(([id]) => id);
      for (const id of ids) requests.delete(id);
      if (ids.length > 0) changed();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function followRequests(target: TargetSession, table: Table): void {
  target.on('Network.requestWillBeSent', ({ requestId, request, type, frameId, loaderId }) => {
    if (counts(request.url, type)) table.begin(requestId, { target, frameId, loaderId });
  });
  target.on('Network.responseReceived', ({ requestId, type }) => {
    if (ENDLESS.has(type)) table.end(requestId);
    else table.move(requestId);
  });
  target.on('Network.dataReceived', ({ requestId }) => {
    table.move(requestId);
  });
  target.on('Network.loadingFinished', ({ requestId }) => {
    table.end(requestId);
  });
  target.on('Network.loadingFailed', ({ requestId }) => {
    table.end(requestId);
  });
}

/** Chromium reports no end for requests of a replaced document, a closed worker or a removed cross-site iframe, so these are ended here. */
function followDocuments(target: TargetSession, table: Table): void {
  target.onEnd(() => {
    table.drop((request) => request.target === target);
  });
  target.on('Page.frameNavigated', ({ frame: { id, loaderId, parentId } }) => {
    // A new document of a page replaces those of its frames; cross-site iframes and workers are separate targets that end.
    const replaced = (request: Request) => request.frameId === id || (parentId === undefined && request.target === target);
    table.drop((request) => replaced(request) && request.loaderId !== loaderId);
  });
  target.on('Page.frameDetached', ({ frameId, reason }) => {
    // A swapped frame continues in another process.
    if (reason === 'remove') table.drop((request) => request.frameId === frameId);
  });
}

function counts(url: string, type: string | undefined): boolean {
  if (type !== undefined && ENDLESS.has(type)) return false;
  if (/^(?:data|blob|about|filesystem):/i.test(url)) return false;
  return !/\/favicon\.ico(?:[?#]|$)/i.test(url);
}
