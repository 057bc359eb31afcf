import type { TargetSession, TargetTree } from '@platen/kernel';

/** A request that is neither sent nor answered for this long without a byte holds nothing up. */
const STALE_MS = 30_000;
/** Kinds that stay open by their nature, or that no page waits for. */
const ENDLESS = new Set(['WebSocket', 'EventSource', 'Ping', 'Media', 'Prefetch', 'CSPViolationReport', 'SignedExchange']);

export interface NetworkTracker {
  /** Requests under way, over every target of the render. */
  inFlight(now: number): number;
  /** The moment at which the number under way may fall although nothing happens. */
  nextStale(now: number): number | undefined;
  /** Calls back at every change, until the returned function is called. */
  onChange(listener: () => void): () => void;
}

interface Request {
  readonly target: TargetSession;
  readonly frameId: string | undefined;
  /** The document that asked; empty for a worker's script. */
  readonly loaderId: string;
  /** When it last moved, performance.now milliseconds. */
  moved: number;
}

/** Follows every request of the page, its frames, popups and workers. One protocol id may be told by two sessions: it counts once. */
export function trackNetwork(targets: TargetTree): NetworkTracker {
  const requests = new Map<string, Request>();
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const move = (id: string): void => {
    const request = requests.get(id);
    if (request) request.moved = performance.now();
  };
  const end = (id: string): void => {
    if (requests.delete(id)) changed();
  };
  /** Chromium does not say of every request how it ended: what a document that is gone had asked for comes to no end of its own. */
  const drop = (gone: (request: Request) => boolean): void => {
    const ids = [...requests].filter(([, request]) => gone(request)).map(([id]) => id);
    for (const id of ids) requests.delete(id);
    if (ids.length > 0) changed();
  };
  targets.configure((target) => {
    watchGone(target, targets, drop);
    target.on('Network.requestWillBeSent', ({ requestId, request, type, frameId, loaderId }) => {
      if (!counts(request.url, type)) return;
      // A redirect's next hop comes under the same id.
      requests.set(requestId, { target, frameId, loaderId, moved: performance.now() });
      changed();
    });
    target.on('Network.responseReceived', ({ requestId, type }) => {
      if (ENDLESS.has(type)) end(requestId);
      else move(requestId);
    });
    target.on('Network.dataReceived', ({ requestId }) => move(requestId));
    target.on('Network.loadingFinished', ({ requestId }) => end(requestId));
    target.on('Network.loadingFailed', ({ requestId }) => end(requestId));
    return [target.send('Network.enable')];
  });
  const alive = (now: number): Request[] => {
    const there = new Set(targets.all.map(({ targetId }) => targetId));
    return [...requests.values()].filter(({ target, moved }) => there.has(target.targetId) && now - moved < STALE_MS);
  };
  return {
    inFlight: (now) => alive(now).length,
    nextStale: (now) => (requests.size === 0 ? undefined : Math.min(...alive(now).map(({ moved }) => moved + STALE_MS))),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function counts(url: string, type: string | undefined): boolean {
  if (type !== undefined && ENDLESS.has(type)) return false;
  if (/^(?:data|blob|about|filesystem):/i.test(url)) return false;
  return !/\/favicon\.ico(?:[?#]|$)/i.test(url);
}

/** Tells of documents and targets that are gone, with all that they had asked for. */
function watchGone(target: TargetSession, targets: TargetTree, drop: (gone: (request: Request) => boolean) => void): void {
  target.on('Page.frameNavigated', ({ frame: { id, loaderId, parentId } }) => {
    // With a page's document go those of its frames, and what their workers had asked for.
    const replaced = (request: Request) => request.frameId === id || (parentId === undefined && target.primary);
    drop((request) => replaced(request) && request.loaderId !== loaderId);
  });
  target.on('Page.frameDetached', ({ frameId, reason }) => {
    // A frame that is swapped goes on in another process.
    if (reason === 'remove') drop((request) => request.frameId === frameId || request.target.targetId === frameId);
  });
  target.on('Target.detachedFromTarget', () => {
    const there = new Set(targets.all.map(({ targetId }) => targetId));
    drop((request) => !there.has(request.target.targetId));
  });
}
