import { stat } from 'node:fs/promises';
import { readGivenFile, type Outbound, type ReadOptions } from '@platen/kernel';
import { fetchSource, isUrl, unreadable } from '@platen/lib-sources';
import { createWorkerPool, isOutOfMemory } from '@platen/lib-worker';
import { countNames, hasName } from './name-table.js';
import type { BlockList, SkippedLine } from './parse-list.js';
import { openRangeSet, type RangeSet } from './range-set.js';

const MAX_BYTES = 64 * 2 ** 20;
const TIMEOUT_MS = 30_000;

/** Lists are read once in hours: the thread is not kept. One at a time, each takes a processor for seconds. */
const thread = createWorkerPool<Uint8Array, BlockList>(new URL('./list-worker.js', import.meta.url), { idleMs: 0, size: 1 });

export interface LoadedList {
  readonly ranges: RangeSet;
  readonly names: { readonly size: number; has(name: string): boolean };
  /** Lines that were not understood, or not all that they name. */
  readonly skipped: number;
  /** The first of those. */
  readonly samples: readonly SkippedLine[];
  /** Of what was read. */
  readonly digest: string;
}

export interface LoadOptions {
  /** A server reads it while it serves: a pipe would be waited for. */
  readonly again?: boolean;
}

/** The list in a file, or in what a URL answers. Throws `boot_source_unavailable`, which names the source. */
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
    // An empty answer, or a page of words, in place of a list would block nothing, and nobody would know.
    if (list.ranges.size + list.names.size === 0) throw new Error('no line of it is an address, a block or a range');
    return list;
  } catch (error) {
    throw unreadable({ flag: 'ip-blocklist', source }, error);
  }
}

/** In a thread: a list of millions takes seconds. */
async function parseAside(bytes: Uint8Array): Promise<BlockList> {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  try {
    return await thread.run(shared, { signal: new AbortController().signal });
  } catch (error) {
    throw isOutOfMemory(error) ? new Error('reading it takes more memory than there is', { cause: error }) : error;
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
