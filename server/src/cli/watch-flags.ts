import { isDeepStrictEqual } from 'node:util';
import { unwatchFile, watchFile } from 'node:fs';
import { coalesceRuns, untilAborted } from '@platen/kernel';
import type { Boot } from '../boot/boot.js';
import type { Flag } from '../flags/flag-set.js';
import { UsageError } from '../flags/usage-error.js';
import type { Server } from '../http/create-server.js';

/** Polling detects every way of replacing a file: writing, renaming, the symbolic links of mounted secrets. */
const POLL_MS = 2_000;

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
      log.error({ plugin: failure.plugin, err: failure }, 'a plugin failed to apply the new configuration: restart the server');
    }
    if (failures.length === 0) log.info({}, 'the configuration was reloaded');
    const waiting = [...flagSet.values()].filter((flag) => !mayChange(flag) && !isDeepStrictEqual(values[flag.name], flags[flag.name]));
    if (waiting.length > 0) log.warn({ flags: waiting.map(({ name }) => name) }, 'changed flags take effect after a restart');
  };
  const reload = coalesceRuns(async () => {
    if (closing.signal.aborted) return;
    using limit = startLimit(closing.signal);
    await takeOver(limit.signal).catch((error: unknown) => {
      if (closing.signal.aborted) return;
      log.error({ reason: reasonOf(error) }, 'the configuration could not be reloaded: the previous one stays active');
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
    late.abort(new Error(`it took longer than ${String(RELOAD_MS / 1000)} seconds: a file or a list does not respond`));
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

/** Watches files that may appear and disappear. */
interface FileWatch extends Disposable {
  /** Replaces the watched files. */
  watch(paths: readonly string[]): void;
}

function watchFiles(onChange: () => void): FileWatch {
  const watched = new Set<string>();
  const watch: FileWatch['watch'] = (paths) => {
    for (const path of watched) {
      if (paths.includes(path)) continue;
      watched.delete(path);
      unwatchFile(path, onChange);
    }
    for (const path of paths) {
      if (watched.has(path)) continue;
      watched.add(path);
      watchFile(path, { persistent: false, interval: POLL_MS }, onChange);
    }
  };
  return {
    watch,
    [Symbol.dispose]() {
      watch([]);
    },
  };
}
