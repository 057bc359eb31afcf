import { untilAborted } from './deadline.js';
import { PlatenError } from './errors.js';

/** Timeout for all plugins together, in milliseconds: longer than the timeout of a plugin's list downloads (60 s). */
const LIMIT_MS = 120_000;

/** Interval in milliseconds for reporting plugins that are not ready yet. */
const NOTICE_MS = 10_000;

/** A plugin with a `prepare` function. */
export interface Preparation {
  readonly plugin: string;
  run(): Promise<void>;
}

export interface PrepareOptions {
  /** Called every 10 s with the plugins that are not ready yet. */
  readonly onSlow: (plugins: readonly string[]) => void;
  /** Aborted when no caller waits any longer. */
  readonly signal: AbortSignal;
}

/**
 * Prepares all plugins concurrently; a plugin without preparation costs nothing. Rejects with the first failure, and after 120 s with
 * `boot_invalid_plugin`, which names the plugins that are not ready; the time is counted by a timer that keeps the process alive.
 */
export async function preparePlugins(preparations: readonly Preparation[], { onSlow, signal }: PrepareOptions): Promise<void> {
  const left = new Set(preparations.map(({ plugin }) => plugin));
  const expired = new AbortController();
  const notice = setInterval(() => {
    onSlow([...left]);
  }, NOTICE_MS);
  const limit = setTimeout(() => {
    const names = [...left].join(', ');
    expired.abort(new PlatenError('boot_invalid_plugin', `plugins not ready within ${String(LIMIT_MS / 1000)} s of "prepare": ${names}`));
  }, LIMIT_MS);
  const all = preparations.map(async ({ plugin, run }) => {
    await run();
    left.delete(plugin);
  });
  try {
    await untilAborted(Promise.all(all), AbortSignal.any([signal, expired.signal]));
  } finally {
    clearInterval(notice);
    clearTimeout(limit);
  }
}
