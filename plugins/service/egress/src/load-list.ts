import { stat } from 'node:fs/promises';
import { readGivenFile, type Outbound, type ReadOptions } from '@platen/kernel';
import { fetchSource, isUrl, unreadableSourceError } from '@platen/lib-sources';
import { createWorkerPool, isOutOfMemory } from '@platen/lib-worker';
import { countNames, hasName } from './name-table.js';
import type { BlockList, SkippedLine } from './parse-list.js';
import { openRangeSet, type RangeSet } from './ranges.js';

const MAX_BYTES = 64 * 2 ** 20;
const TIMEOUT_MS = 30_000;

/** Reads one list at a time, since each takes a processor for seconds. The thread ends after use: reloads are hours apart. */
const thread = createWorkerPool<Uint8Array, BlockList>(new URL('./list-worker.js', import.meta.url), { idleMs: 0, size: 1 });

export interface LoadedList {
  readonly ranges: RangeSet;
  readonly names: { readonly size: number; has(name: string): boolean };
  /** Number of lines that could not be parsed, or only in part. */
  readonly skipped: number;
  /** The first skipped lines. */
  readonly samples: readonly SkippedLine[];
  /** Digest of the content. */
  readonly digest: string;
}

export interface LoadOptions {
  /** A reload: only regular files, since a pipe would block. */
  readonly again?: boolean;
}

/**
 * Loads a list from a file or URL.
 *
 * @throws PlatenError `boot_source_unavailable`, naming the source.
 */
export async function loadList(
  source: string,
  outbound: Pick<Outbound, 'fetch'>,
  { again = false }: LoadOptions = {},
): Promise<LoadedList> {
  try {
    const bytes = await (isUrl(source) ? fetchBytes(source, outbound) : readBytes(source, { regular: again }));
    const { ranges, names, ...facts } = await parseAside(bytes);
    const list = {
      ...facts,
      ranges: openRangeSet(ranges),
      names: { size: countNames(names), has: (name: string) => hasName(names, name) },
    };
    // An empty response or an HTML page instead of a list would silently block nothing.
    if (list.ranges.size + list.names.size === 0) throw new Error('it contains no address, block or range');
    return list;
  } catch (error) {
    throw unreadableSourceError({ flag: 'ip-blocklist', source }, error);
  }
}

/** Parses in a thread: a list of millions takes seconds. */
async function parseAside(bytes: Uint8Array): Promise<BlockList> {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  try {
    return await thread.run(shared, { signal: new AbortController().signal });
  } catch (error) {
    throw isOutOfMemory(error) ? new Error('not enough memory to read it', { cause: error }) : error;
  }
}

async function fetchBytes(url: string, outbound: Pick<Outbound, 'fetch'>): Promise<Uint8Array> {
  const { body } = await fetchSource(url, outbound, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
  return body;
}

async function readBytes(path: string, options: ReadOptions): Promise<Uint8Array> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw new Error(`it is longer than ${String(MAX_BYTES)} bytes`);
  return await readGivenFile(path, options);
}
