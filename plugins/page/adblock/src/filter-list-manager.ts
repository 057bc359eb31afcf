import { createHash } from 'node:crypto';
import { ENGINE_VERSION } from '@ghostery/adblocker';
import type { Logger, Outbound } from '@platen/kernel';
import { isUrl, sourceFault } from '@platen/lib-sources';
import { createWorkerPool } from '@platen/lib-worker';
import { createBlocker, type Blocker } from './blocker.js';
import type { BuiltEngine, CachedEngine, ListFacts } from './build-worker.js';
import { ENGINE_CONFIG, READING } from './engine-config.js';
import type { EngineFiles } from './engine-file.js';
import { readSource, RULES_FLAG } from './read-source.js';
import { RESOURCES_DIGEST } from './scriptlets/index.js';

export interface KeeperOptions {
  readonly sources: readonly string[];
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly files: EngineFiles;
  readonly log: Logger;
}

/** The active lists. */
export interface FilterListManager {
  /** Undefined before the first load. */
  readonly blocker: Blocker | undefined;
  /** Digest of everything that the engine was built from. */
  readonly digest: string;
  /** Reads the sources that are files. Rejects if a file cannot be read or is clearly not a filter list. */
  check(): Promise<void>;
  /** Reads all sources and activates them. If a source is unavailable, rejects and keeps the old lists. */
  load(): Promise<void>;
  /**
   * Reads all sources and resolves with a function that activates them. Never rejects: an unavailable source is logged, and the old lists
   * stay active.
   */
  reread(): Promise<() => void>;
}

export function createFilterListManager({ sources, outbound, files, log }: KeeperOptions): FilterListManager {
  let blocker: Blocker | undefined;
  let present = '';
  let reading: Promise<() => void> | undefined;
  const readNow = async (): Promise<() => void> => {
    const again = blocker !== undefined;
    const texts = await Promise.all(sources.map((source) => readSource(source, { outbound, again })));
    const key = keyOf(texts);
    if (key === present) return () => undefined;
    const { next, kept } = await openEngine(texts, { key, sources, files, log });
    return () => {
      if (key === present) return;
      blocker = next;
      present = key;
      log.info({ lists: sources.length, ...next.facts, kept }, 'the adblock rules are loaded');
    };
  };
  /** Concurrent callers share the result. */
  const read = (): Promise<() => void> =>
    (reading ??= readNow().finally(() => {
      reading = undefined;
    }));
  return {
    get blocker() {
      return blocker;
    },
    get digest() {
      return present;
    },
    async check() {
      await Promise.all(sources.filter((source) => !isUrl(source)).map((source) => readSource(source, { outbound })));
    },
    async load() {
      const apply = await read();
      apply();
    },
    async reread() {
      try {
        return await read();
      } catch (error) {
        log.warn(
          { reason: error instanceof Error ? error.message : String(error) },
          'the adblock rules could not be read again: the old ones stay',
        );
        return () => undefined;
      }
    },
  };
}

/** Everything that an engine is built from. */
function keyOf(texts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([ENGINE_VERSION, ENGINE_CONFIG, READING, RESOURCES_DIGEST]));
  for (const text of texts) hash.update(createHash('sha256').update(text).digest());
  return hash.digest('hex');
}

interface Opening extends Pick<KeeperOptions, 'sources' | 'files' | 'log'> {
  readonly key: string;
}

/** Returns the cached engine if it is complete and matches the library version. Otherwise builds it in a worker thread and caches it. */
async function openEngine(texts: readonly string[], { key, sources, files, log }: Opening): Promise<{ next: Blocker; kept: boolean }> {
  const found = await files.read(key);
  const old = found && tryBlocker(found);
  if (old) return { next: old, kept: true };
  const built = await build(texts);
  for (const [index, source] of sources.entries()) {
    const reason = whyNoList(built.lists[index]);
    if (reason !== undefined) throw sourceFault({ flag: RULES_FLAG, source }, reason);
  }
  if (built.samples.length > 0) log.info({ lines: built.samples, skipped: built.facts.skipped }, 'lines of the adblock rules were skipped');
  await files.write(key, built).catch((error: unknown) => {
    log.warn({ err: error }, 'the adblock engine cannot be kept: it is built anew at every start');
  });
  return { next: createBlocker(built), kept: false };
}

/** A response that is not a filter list, such as an error page or an empty body, must not replace the rules. */
function whyNoList({ rules, skipped }: ListFacts = { rules: 0, skipped: 0 }): string | undefined {
  if (rules === 0) return 'no line of it is a rule';
  return skipped > rules ? `more of its lines are no rules (${String(skipped)}) than are (${String(rules)})` : undefined;
}

function tryBlocker(engine: CachedEngine): Blocker | undefined {
  try {
    return createBlocker(engine);
  } catch {
    return undefined;
  }
}

/** The lists are read once every few hours, so the thread ends after each build. */
async function build(texts: readonly string[]): Promise<BuiltEngine> {
  const pool = createWorkerPool<readonly string[], BuiltEngine>(new URL('./build-worker.js', import.meta.url), { idleMs: 0, size: 1 });
  try {
    return await pool.run(texts, { signal: new AbortController().signal });
  } finally {
    await pool.close();
  }
}
