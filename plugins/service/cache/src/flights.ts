import type { AnswerableCall } from '@platen/server';
import { createFlight, type Flight } from './flight.js';
import { land, type Landing, type LandingParts } from './landing.js';

export type RenderFlight = Flight<Landing>;

/** Where a result is kept. */
export interface Place {
  readonly key: string;
  /** False once a render that began when this place was taken may have become what belongs elsewhere. */
  isCurrent(): boolean;
}

/** Renders under way, and those whose results are not in the store yet, by key. */
export interface Flights {
  /** One that a render of this moment would equal. */
  get(key: string): RenderFlight | undefined;
  /** Begins one that others may join. */
  begin(call: AnswerableCall, place: Place): RenderFlight;
  /** Begins one that takes the place of others with its result, and is joined from then on. */
  beginAlone(call: AnswerableCall, place: Place): RenderFlight;
  /** Whoever asks from now on has nothing of the key's flight, or of any; whether something had landed. Who waits for it still gets it. */
  forget(key: string | undefined): boolean;
  /** Resolves once all results are in the store that are to be. */
  settled(): Promise<void>;
}

export function createFlights(parts: Pick<LandingParts, 'store' | 'log' | 'maxBytes'>): Flights {
  const flights = new Map<string, { readonly flight: RenderFlight; readonly place: Place }>();
  const add = (flight: RenderFlight, place: Place) => flights.set(place.key, { flight, place });
  const settling = new Set<Promise<void>>();

  const fly = (call: AnswerableCall, { key, isCurrent }: Place, onRendered: (flight: RenderFlight) => void): RenderFlight => {
    const isListed = () => flights.get(key)?.flight === flight;
    const isWanted = () => isListed() && isCurrent();
    const onGone = () => {
      if (isListed()) flights.delete(key);
    };
    const work = async (signal: AbortSignal) => {
      try {
        const result = await call.render(signal);
        onRendered(flight);
        const landing = await land(result, { ...parts, key, isWanted, onGone }, signal);
        const settled = landing.settled.finally(() => settling.delete(settled));
        settling.add(settled);
        return landing;
      } catch (error) {
        onGone();
        throw error;
      }
    };
    const flight: RenderFlight = createFlight(work, (landing) => landing.isDone());
    return flight;
  };

  return {
    get: (key) => (flights.get(key)?.place.isCurrent() === true ? flights.get(key)?.flight : undefined),
    begin(call, place) {
      const flight = fly(call, place, () => undefined);
      add(flight, place);
      return flight;
    },
    // The newest result is the one to keep; a render that began before it is still for those who wait for it.
    beginAlone: (call, place) => fly(call, place, (flight) => add(flight, place)),
    forget(key) {
      const keys = key === undefined ? [...flights.keys()] : [key];
      const wasLanded = keys.some((each) => flights.get(each)?.flight.landed?.record() !== undefined);
      for (const each of keys) flights.delete(each);
      return wasLanded;
    },
    async settled() {
      await Promise.all(settling);
    },
  };
}
