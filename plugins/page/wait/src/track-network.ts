import { enableNetwork, type TargetSession, type TargetTree } from '@platen/kernel';

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
  /** Ends all that are gone. */
  drop(gone: (request: Request) => boolean): void;
  onChange(listener: () => void): () => void;
}

/** The requests under way, by their protocol id. */
function createTable(): Table {
  const requests = new Map<string, Request>();
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    all: () => [...requests.values()],
    begin(id, request) {
      // A redirect's next hop comes under the same id.
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

/** Chromium tells no end of the requests of a replaced document, an ended worker or a removed frame of another site: they end with it. */
function followDocuments(target: TargetSession, table: Table): void {
  target.onEnd(() => {
    table.drop((request) => request.target === target);
  });
  target.on('Page.frameNavigated', ({ frame: { id, loaderId, parentId } }) => {
    // With a page's document go those of its frames; cross-site iframes and workers are targets, which end.
    const replaced = (request: Request) => request.frameId === id || (parentId === undefined && request.target === target);
    table.drop((request) => replaced(request) && request.loaderId !== loaderId);
  });
  target.on('Page.frameDetached', ({ frameId, reason }) => {
    // A frame that is swapped goes on in another process.
    if (reason === 'remove') table.drop((request) => request.frameId === frameId);
  });
}

function counts(url: string, type: string | undefined): boolean {
  if (type !== undefined && ENDLESS.has(type)) return false;
  if (/^(?:data|blob|about|filesystem):/i.test(url)) return false;
  return !/\/favicon\.ico(?:[?#]|$)/i.test(url);
}
