import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { type Logger, type Outbound, readTextFile } from '@platen/kernel';
import { fetchSource, isUrl, sourceError, unreadableSourceError } from '@platen/lib-sources';
import { createWorkerPool } from '@platen/lib-worker';
import type { Blocker } from './blocker.js';
import type { BuiltEngine, CachedEngine, ListFacts } from './build-worker.js';
import { ENGINE_CONFIG, READING, RESOURCES_DIGEST } from './engine-config.js';
import type { EngineFiles } from './engine-file.js';
import { addressOf } from './public-lists.js';

/** The flag that sets the lists. */
const RULES_FLAG = 'adblock-rules';

/** A longer file is rejected as not being a filter list. */
const MAX_BYTES = 128 * 1024 * 1024;

const TIMEOUT_MS = 60_000;

/** Beginnings of responses that are not filter lists; no rule begins like this. */
const NO_LISTS = [
  [/^\s*<(?:!doctype|html)\b/i, 'an HTML page'],
  [/^\s*</, 'an HTML or XML document'],
  [/^\s*(?:\{|\[\s*["[{\]\d])/, 'JSON'],
] as const;

/** Content types that are never filter lists. */
const NO_LIST_TYPE = /^\s*(?:text\/html|application\/(?:xhtml\+xml|(?:[a-z.-]+\+)?json))\s*(?:;|$)/i;

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
    const key = await keyOf(texts);
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
      await Promise.all(sources.filter((source) => !isUrl(addressOf(source))).map((source) => readSource(source, { outbound })));
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
          'the adblock rules could not be reloaded: the old rules stay active',
        );
        return () => undefined;
      }
    },
  };
}

/** Everything that an engine is built from. */
async function keyOf(texts: readonly string[]): Promise<string> {
  const { ENGINE_VERSION } = await import('@ghostery/adblocker');
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
  const old = found && (await tryBlocker(found));
  if (old) return { next: old, kept: true };
  const built = await build(texts);
  for (const [index, source] of sources.entries()) {
    const reason = whyNoList(built.lists[index]);
    if (reason !== undefined) throw sourceError({ flag: RULES_FLAG, source }, reason);
  }
  if (built.samples.length > 0) log.info({ lines: built.samples, skipped: built.facts.skipped }, 'lines of the adblock rules were skipped');
  await files.write(key, built).catch((error: unknown) => {
    log.warn({ err: error }, 'the adblock engine cannot be cached: it is rebuilt at every start');
  });
  return { next: await openBlocker(built), kept: false };
}

/** A response that is not a filter list, such as an error page or an empty body, must not replace the rules. */
function whyNoList({ rules, skipped }: ListFacts = { rules: 0, skipped: 0 }): string | undefined {
  if (rules === 0) return 'no line of it is a rule';
  return skipped > rules ? `more of its lines are not rules (${String(skipped)}) than are (${String(rules)})` : undefined;
}

async function tryBlocker(engine: CachedEngine): Promise<Blocker | undefined> {
  return await openBlocker(engine).catch(() => undefined);
}

/** Servers without lists do not load the library. */
async function openBlocker(engine: CachedEngine): Promise<Blocker> {
  const { createBlocker } = await import('./blocker.js');
  return createBlocker(engine);
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

interface ReadSourceOptions {
  readonly outbound: Pick<Outbound, 'fetch'>;
  /** A server reads the file while it serves requests, and reading a pipe could block. */
  readonly again?: boolean;
}

/** The text of a list: a file, or the response of an http or https URL. Throws `boot_source_unavailable`, which names the source. */
async function readSource(source: string, { outbound, again = false }: ReadSourceOptions): Promise<string> {
  try {
    const address = addressOf(source);
    const text = await (isUrl(address) ? download(address, outbound) : readTextFile(resolve(address), { regular: again }));
    const other = NO_LISTS.find(([pattern]) => pattern.test(text));
    if (other !== undefined) throw new Error(`it is ${other[1]}`);
    return text;
  } catch (cause) {
    throw unreadableSourceError({ flag: RULES_FLAG, source }, cause);
  }
}

async function download(url: string, outbound: Pick<Outbound, 'fetch'>): Promise<string> {
  const { headers, body } = await fetchSource(url, outbound, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
  const { 'content-type': type = '' } = headers;
  if (NO_LIST_TYPE.test(type)) throw new Error(`its content type is ${type}`);
  return body.toString().replace(/^\uFEFF/, '');
}
