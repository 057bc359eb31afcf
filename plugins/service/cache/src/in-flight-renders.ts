import type { InterceptableRender } from '@platen/server';
import { createSharedRender, type SharedRender } from './shared-render.js';
import { storeResponse, type SharedResponse, type SharedResponseParts } from './shared-response.js';

export type SharedResponseRender = SharedRender<SharedResponse>;

/** Where a result is kept. */
export interface Place {
  readonly key: string;
  /** False once a render that began when this place was taken may have become what belongs elsewhere. */
  isCurrent(): boolean;
}

/** Renders under way, and those whose results are not in the store yet, by key. */
export interface InFlightRenders {
  /** One that a render of this moment would equal. */
  get(key: string): SharedResponseRender | undefined;
  /** Begins one that others may join. */
  begin(call: InterceptableRender, place: Place): SharedResponseRender;
  /** Begins one that takes the place of others with its result, and is joined from then on. */
  beginAlone(call: InterceptableRender, place: Place): SharedResponseRender;
  /** Whoever asks from now on has nothing of the key's flight, or of any; whether something had landed. Who waits for it still gets it. */
  forget(key: string | undefined): boolean;
  /** Resolves once all results are in the store that are to be. */
  settled(): Promise<void>;
}

export function createInFlightRenders(parts: Pick<SharedResponseParts, 'store' | 'log' | 'maxBytes'>): InFlightRenders {
  const inFlight = new Map<string, { readonly shared: SharedResponseRender; readonly place: Place }>();
  const add = (shared: SharedResponseRender, place: Place) => inFlight.set(place.key, { shared, place });
  const settling = new Set<Promise<void>>();

  type OnRendered = (shared: SharedResponseRender) => void;
  const fly = (call: InterceptableRender, { key, isCurrent }: Place, onRendered: OnRendered): SharedResponseRender => {
    const isListed = () => inFlight.get(key)?.shared === shared;
    const isWanted = () => isListed() && isCurrent();
    const onGone = () => {
      if (isListed()) inFlight.delete(key);
    };
    const work = async (signal: AbortSignal) => {
      try {
        const result = await call.render(signal);
        onRendered(shared);
        const response = await storeResponse(result, { ...parts, key, isWanted, onGone }, signal);
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
    get: (key) => (inFlight.get(key)?.place.isCurrent() === true ? inFlight.get(key)?.shared : undefined),
    begin(call, place) {
      const shared = fly(call, place, () => undefined);
      add(shared, place);
      return shared;
    },
    // The newest result is the one to keep; a render that began before it is still for those who wait for it.
    beginAlone: (call, place) => fly(call, place, (shared) => add(shared, place)),
    forget(key) {
      const keys = key === undefined ? [...inFlight.keys()] : [key];
      const wasLanded = keys.some((each) => inFlight.get(each)?.shared.landed?.record() !== undefined);
      for (const each of keys) inFlight.delete(each);
      return wasLanded;
    },
    async settled() {
      await Promise.all(settling);
    },
  };
}
