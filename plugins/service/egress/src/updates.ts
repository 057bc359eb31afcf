import { isDeepStrictEqual } from 'node:util';
import { coalesceRuns, type Logger } from '@platen/kernel';
import { nameSource } from '@platen/lib-sources';
import type { ReloadMode, Settings } from './policy.js';

/** Reloads the lists of a running server, one reload at a time. */
export interface Updates {
  /** Uses these settings from now on, and reloads so many seconds after the last reload ended; undefined: never. */
  follow(settings: Settings, seconds: number | undefined): void;
  /** Reloads now in the background; if a reload is in progress, once more after it. */
  refresh(): void;
  stop(): void;
}

/** Maximum of a timer in seconds: 24 days. Longer intervals are split. */
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
    // Does not keep the process alive.
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
      // The settings may have changed meanwhile.
      if (isPresent(settings)) apply();
    } catch (error) {
      log.error({ reason: error instanceof Error ? error.message : String(error) }, 'the blocklists could not be reloaded');
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

/** Logs rules that a reload removes: a truncated configuration file looks like an intended change. */
export function warnOfRemovedRules(former: Settings, next: Settings, log: Pick<Logger, 'warn'>): void {
  const text = 'the reload removes protection: more addresses can be reached';
  if (former.blockPrivate && !next.blockPrivate) log.warn({ flag: 'block-private-ips' }, text);
  const lost = former.lists.filter((source) => !next.lists.includes(source));
  if (lost.length > 0) log.warn({ flag: 'ip-blocklist', sources: lost.map(nameSource) }, text);
  const excepted = next.allowed.filter((range) => !former.allowed.includes(range));
  if (excepted.length > 0) log.warn({ flag: 'allow-ip-range', ranges: excepted }, text);
}
