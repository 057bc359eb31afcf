import type { AnswerableCall } from '@platen/server';
import { createFlight, type Flight } from './flight.js';
import { land, type Landing, type LandingParts } from './landing.js';

export type RenderFlight = Flight<Landing>;

/** Renders under way, and those whose results are not in the store yet, by key. */
export interface Flights {
  get(key: string): RenderFlight | undefined;
  /** Begins one that others may join. */
  begin(call: AnswerableCall, key: string): RenderFlight;
  /** Begins one that takes the place of others with its result, and is joined from then on. */
  beginAlone(call: AnswerableCall, key: string): RenderFlight;
  /** Whoever asks from now on has nothing of the key's flight, or of any; whether something had landed. Who waits for it still gets it. */
  forget(key: string | undefined): boolean;
  /** Resolves once all results are in the store that are to be. */
  settled(): Promise<void>;
}

export function createFlights(parts: Pick<LandingParts, 'store' | 'log' | 'maxBytes'>): Flights {
  const flights = new Map<string, RenderFlight>();
  const settling = new Set<Promise<void>>();
  const isLanded = (flight: RenderFlight | undefined) => flight?.landed?.record() !== undefined;

  const fly = (call: AnswerableCall, key: string, onRendered: (flight: RenderFlight) => void): RenderFlight => {
    const isWanted = () => flights.get(key) === flight;
    const onGone = () => {
      if (isWanted()) flights.delete(key);
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
    get: (key) => flights.get(key),
    begin(call, key) {
      const flight = fly(call, key, () => undefined);
      flights.set(key, flight);
      return flight;
    },
    // The newest result is the one to keep; a render that began before it is still for those who wait for it.
    beginAlone: (call, key) => fly(call, key, (flight) => flights.set(key, flight)),
    forget(key) {
      const keys = key === undefined ? [...flights.keys()] : [key];
      const wasLanded = keys.some((each) => isLanded(flights.get(each)));
      for (const each of keys) flights.delete(each);
      return wasLanded;
    },
    async settled() {
      await Promise.all(settling);
    },
  };
}
