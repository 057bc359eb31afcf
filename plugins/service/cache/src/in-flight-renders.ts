import type { InterceptableRender } from '@platen/server';
import { isFresh } from './freshness.js';
import { createSharedRender, type SharedRender } from './shared-render.js';
import { storeResponse, type SharedResponse, type SharedResponseParts } from './shared-response.js';

export type SharedResponseRender = SharedRender<SharedResponse>;

/** Where a result is stored. */
export interface Place {
  readonly key: string;
  /** False if the configuration has changed since the render started. */
  isCurrent(): boolean;
}

/** Renders in flight, and those whose results are not stored yet, by key. */
export interface InFlightRenders {
  /** The render that a request with this key can join now. A result that expired before it was stored is not joined. */
  get(key: string): SharedResponseRender | undefined;
  /** Starts a render that others can join. */
  begin(call: InterceptableRender, place: Place): SharedResponseRender;
  /** Starts a render whose result replaces others; it can be joined once it is rendered. */
  beginAlone(call: InterceptableRender, place: Place): SharedResponseRender;
  /**
   * Later requests do not join the render of the key (undefined: any render); current clients still get its result.
   * Returns whether a result was complete.
   */
  forget(key: string | undefined): boolean;
  /** Resolves once all pending results are stored. */
  settled(): Promise<void>;
}

export interface InFlightParts extends Pick<SharedResponseParts, 'store' | 'log' | 'maxBytes'> {
  readonly ttlMs: number;
}

export function createInFlightRenders(parts: InFlightParts): InFlightRenders {
  const inFlight = new Map<string, { readonly shared: SharedResponseRender; readonly place: Place }>();
  const add = (shared: SharedResponseRender, place: Place) => inFlight.set(place.key, { shared, place });
  const settling = new Set<Promise<void>>();

  const fly = (call: InterceptableRender, { key, isCurrent }: Place, onRendered: (shared: SharedResponseRender) => void) => {
    const isListed = () => inFlight.get(key)?.shared === shared;
    const onGone = () => {
      if (isListed()) inFlight.delete(key);
    };
    const work = async (signal: AbortSignal) => {
      try {
        const result = await call.render(signal);
        onRendered(shared);
        const response = await storeResponse(result, { ...parts, key, isWanted: () => isListed() && isCurrent(), onGone }, signal);
        const settled = response.settled.finally(() => settling.delete(settled));
        settling.add(settled);
        return response;
      } catch (error) {
        onGone();
        throw error;
      }
    };
    const shared: SharedResponseRender = createSharedRender(work, (response) => response.isDone());
    return shared;
  };

  return {
    get(key) {
      const { shared, place } = inFlight.get(key) ?? {};
      return place?.isCurrent() && !hasExpired(shared, parts.ttlMs) ? shared : undefined;
    },
    begin(call, place) {
      const shared = fly(call, place, () => undefined);
      add(shared, place);
      return shared;
    },
    // The newest result is stored; an earlier render still serves its own clients.
    beginAlone: (call, place) => fly(call, place, (shared) => add(shared, place)),
    forget(key) {
      const keys = key === undefined ? [...inFlight.keys()] : [key];
      const hadResponse = keys.some((each) => inFlight.get(each)?.shared.response?.record() !== undefined);
      keys.forEach((each) => inFlight.delete(each));
      return hadResponse;
    },
    async settled() {
      await Promise.all(settling);
    },
  };
}

function hasExpired(shared: SharedResponseRender | undefined, ttlMs: number): boolean {
  const record = shared?.response?.record();
  return record !== undefined && !isFresh(record, ttlMs);
}
