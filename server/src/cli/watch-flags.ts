import { isDeepStrictEqual } from 'node:util';
import { coalesceRuns, untilAborted } from '@platen/kernel';
import type { Flag } from '../flags/flag-set.js';
import type { Server } from '../http/create-server.js';
import type { Boot } from './boot.js';
import { UsageError } from './usage-error.js';
import { watchFiles } from './watch-files.js';

/** Time limit of a reload; requests wait for it meanwhile. A new list has 30 seconds to respond, and parsing may take some more. */
const RELOAD_MS = 60_000;

/** Flags that may change while the server runs. */
export interface FlagWatch extends Disposable {
  /**
   * Reads all flags again; if that is in progress already, once more after it. Invalid values are logged, and the former values stay
   * active.
   */
  reload(): void;
}

/** Watches the files that flags are read from: the config file and secrets, including files that a changed config file names. */
export function watchFlags(
  { flags, flagSet, flagFiles, rereadFlags, log }: Pick<Boot, 'flags' | 'flagSet' | 'flagFiles' | 'rereadFlags' | 'log'>,
  server: Pick<Server, 'reload'>,
): FlagWatch {
  const closing = new AbortController();
  const takeOver = async (signal: AbortSignal) => {
    const reading = rereadFlags((paths) => {
      if (!signal.aborted) files.watch(paths);
    });
    const values = await untilAborted(reading, signal);
    const failures = await server.reload(values, signal);
    for (const failure of failures) {
      log.error(
        { plugin: failure.plugin, err: failure },
        'a plugin failed to take over the configuration, which only a restart puts right',
      );
    }
    if (failures.length === 0) log.info({}, 'the configuration was read again');
    const waiting = [...flagSet.values()].filter((flag) => !mayChange(flag) && !isDeepStrictEqual(values[flag.name], flags[flag.name]));
    if (waiting.length > 0) log.warn({ flags: waiting.map(({ name }) => name) }, 'these flags were changed, which takes a restart');
  };
  const reload = coalesceRuns(async () => {
    if (closing.signal.aborted) return;
    using limit = startLimit(closing.signal);
    await takeOver(limit.signal).catch((error: unknown) => {
      if (closing.signal.aborted) return;
      log.error({ reason: reasonOf(error) }, 'the configuration could not be read again: the former one stays');
    });
  });
  const files = watchFiles(reload);
  files.watch(flagFiles);
  return {
    reload,
    [Symbol.dispose]() {
      closing.abort();
      files[Symbol.dispose]();
    },
  };
}

interface Limit extends Disposable {
  /** Aborted when the time limit is reached, and with the outer signal. */
  readonly signal: AbortSignal;
}

function startLimit(outer: AbortSignal): Limit {
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort(new Error(`it took longer than ${String(RELOAD_MS / 1000)} seconds: a file or a list does not answer`));
  }, RELOAD_MS).unref();
  return {
    signal: AbortSignal.any([outer, late.signal]),
    [Symbol.dispose]() {
      clearTimeout(timer);
    },
  };
}

function mayChange({ fragment }: Flag): boolean {
  return fragment['x-reloads'] === true;
}

/** The hint gives the position of the error in the file. */
function reasonOf(error: unknown): string {
  if (error instanceof UsageError && error.hint !== undefined) return `${error.message}: ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}
