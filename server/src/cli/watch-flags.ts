import { unwatchFile, watchFile } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Flag } from '../flags/flag-set.js';
import type { Server } from '../http/create-server.js';
import type { Boot } from './boot.js';
import { UsageError } from './usage-error.js';

/** A poll sees every way of replacing a file: writing, renaming, the links of mounted secrets. */
const POLL_MS = 2_000;

/** Flags that may change while the server runs. */
export interface FlagWatch extends Disposable {
  /** Reads all of them again. Values that do not hold are told to the log, and the former ones stay. */
  reload(): void;
}

/** Watches the files that flags are read from: the config file and secrets, also those that a changed config file names. */
export function watchFlags(
  { flags, flagSet, flagFiles, rereadFlags, log }: Pick<Boot, 'flags' | 'flagSet' | 'flagFiles' | 'rereadFlags' | 'log'>,
  server: Pick<Server, 'reload'>,
): FlagWatch {
  const watched = new Set<string>();
  const watch = (paths: readonly string[]) => {
    for (const path of watched) if (!paths.includes(path)) forget(path);
    for (const path of paths) {
      if (watched.has(path)) continue;
      watched.add(path);
      watchFile(path, { persistent: false, interval: POLL_MS }, reload);
    }
  };
  const forget = (path: string) => {
    watched.delete(path);
    unwatchFile(path, reload);
  };
  let closed = false;
  let last = Promise.resolve();
  const reload = () => {
    last = last
      .then(async () => {
        const values = await rereadFlags((files) => {
          if (!closed) watch(files);
        });
        await server.reload(values);
        log.info({}, 'the configuration was read again');
        const waiting = [...flagSet.values()].filter((flag) => !mayChange(flag) && !isDeepStrictEqual(values[flag.name], flags[flag.name]));
        if (waiting.length > 0) log.warn({ flags: waiting.map(({ name }) => name) }, 'these flags were changed, which takes a restart');
      })
      .catch((error: unknown) => {
        log.error({ reason: reasonOf(error) }, 'the configuration could not be read again: the former one stays');
      });
  };
  watch(flagFiles);
  return {
    reload,
    [Symbol.dispose]() {
      closed = true;
      for (const path of watched) forget(path);
    },
  };
}

function mayChange({ fragment }: Flag): boolean {
  return fragment['x-reloads'] === true;
}

/** The hint says where in a file the fault is. */
function reasonOf(error: unknown): string {
  if (error instanceof UsageError && error.hint !== undefined) return `${error.message}: ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}
