import type { Logger } from '@platen/kernel';
import type { Settings } from './policy.js';

/** Reads the lists again while a server serves: one reading at a time. */
export interface Updates {
  /** From now on, every so many seconds after the last reading ended; undefined: never. */
  every(seconds: number | undefined, settings: Settings): void;
  /** Resolves with what puts in force what was read; rejects with what cannot be had. */
  now(settings: Settings): Promise<() => void>;
  stop(): void;
}

/** What a timer holds: 24 days. Longer spans are waited for in parts. */
const LONGEST_TIMER_S = 2_147_483;

export function createUpdates(read: (settings: Settings) => Promise<() => void>, log: Logger): Updates {
  let last: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const now = (settings: Settings): Promise<() => void> => {
    const reading = last.then(() => read(settings));
    last = reading.catch(() => undefined);
    return reading;
  };
  const wait = (seconds: number, then: () => void): void => {
    const part = Math.min(seconds, LONGEST_TIMER_S);
    const next = () => {
      if (part < seconds) wait(seconds - part, then);
      else then();
    };
    // Nothing stays alive for it.
    timer = setTimeout(next, part * 1000).unref();
  };
  const every: Updates['every'] = (seconds, settings) => {
    clearTimeout(timer);
    timer = undefined;
    if (seconds === undefined) return;
    wait(seconds, () => {
      const mine = timer;
      void now(settings)
        .catch((error: unknown) => {
          log.error({ reason: error instanceof Error ? error.message : String(error) }, 'the blocklists were not read again');
        })
        .then((apply) => {
          // Other settings may have come into force meanwhile.
          if (timer !== mine) return;
          apply?.();
          every(seconds, settings);
        });
    });
  };
  return {
    every,
    now,
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
