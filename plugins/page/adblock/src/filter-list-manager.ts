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

/** The lists as they are now. */
export interface FilterListManager {
  /** Undefined before the first load. */
  readonly blocker: Blocker | undefined;
  /** Of all that makes it what it is. */
  readonly digest: string;
  /** Reads those sources that are files; rejects for one that cannot be had or plainly is no list. */
  check(): Promise<void>;
  /** Reads all sources and puts them in force; what cannot be had rejects, and the old lists stay. */
  load(): Promise<void>;
  /** Resolves with what puts the sources in force as they are now. Never rejects: what cannot be had is told in the log, and the old lists stay. */
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
  /** Who asks meanwhile shares it. */
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

/** Everything that makes an engine what it is. */
function keyOf(texts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([ENGINE_VERSION, ENGINE_CONFIG, READING, RESOURCES_DIGEST]));
  for (const text of texts) hash.update(createHash('sha256').update(text).digest());
  return hash.digest('hex');
}

interface Opening extends Pick<KeeperOptions, 'sources' | 'files' | 'log'> {
  readonly key: string;
}

/** From the disk where it is there, whole and of this library; else built, off the event loop, and kept. */
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

/** An answer that says something else, a fault or nothing, must not take the place of rules. */
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

/** Lists are read once in hours: the thread is not kept. */
async function build(texts: readonly string[]): Promise<BuiltEngine> {
  const pool = createWorkerPool<readonly string[], BuiltEngine>(new URL('./build-worker.js', import.meta.url), { idleMs: 0, size: 1 });
  try {
    return await pool.run(texts, { signal: new AbortController().signal });
  } finally {
    await pool.close();
  }
}
