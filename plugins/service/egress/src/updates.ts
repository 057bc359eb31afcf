import { isDeepStrictEqual } from 'node:util';
import { coalesceRuns, type Logger } from '@platen/kernel';
import type { ReloadMode, Settings } from './policy.js';

/** Reads the lists again while a server serves: one reading at a time. */
export interface Updates {
  /** From now on by these settings, and every so many seconds after the last reading ended; undefined: never. */
  follow(settings: Settings, seconds: number | undefined): void;
  /** Reads them now, and once more where that is under way already. What is had comes into force; nobody waits for it. */
  refresh(): void;
  stop(): void;
}

/** What a timer holds: 24 days. Longer spans are waited for in parts. */
const LONGEST_TIMER_S = 2_147_483;

export function createUpdates(read: (settings: Settings, how: ReloadMode) => Promise<() => void>, log: Logger): Updates {
  let present: { readonly settings: Settings; readonly seconds: number | undefined } | undefined;
  let timer: NodeJS.Timeout | undefined;
  const wait = (seconds: number): void => {
    const part = Math.min(seconds, LONGEST_TIMER_S);
    const next = () => {
      if (part < seconds) wait(seconds - part);
      else refresh();
    };
    // Nothing stays alive for it.
    timer = setTimeout(next, part * 1000).unref();
  };
  const schedule = () => {
    clearTimeout(timer);
    if (present?.seconds !== undefined) wait(present.seconds);
  };
  const isPresent = (settings: Settings) => isDeepStrictEqual(present?.settings, settings);
  const refresh = coalesceRuns(async () => {
    clearTimeout(timer);
    if (present === undefined) return;
    const { settings } = present;
    try {
      const apply = await read(settings, 'update');
      // Other settings may have come into force meanwhile.
      if (isPresent(settings)) apply();
    } catch (error) {
      log.error({ reason: error instanceof Error ? error.message : String(error) }, 'the blocklists were not read again');
    }
    schedule();
  });
  return {
    follow(settings, seconds) {
      present = { settings, seconds };
      schedule();
    },
    refresh,
    stop() {
      present = undefined;
      clearTimeout(timer);
    },
  };
}
