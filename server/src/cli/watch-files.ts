import { unwatchFile, watchFile } from 'node:fs';

/** Polling detects every way of replacing a file: writing, renaming, the symbolic links of mounted secrets. */
const POLL_MS = 2_000;

/** Watches files that may appear and disappear. */
export interface FileWatch extends Disposable {
  /** Replaces the watched files. */
  watch(paths: readonly string[]): void;
}

export function watchFiles(onChange: () => void): FileWatch {
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
