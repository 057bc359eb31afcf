import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { readTextFile, type Outbound } from '@platen/kernel';
import { fetchSource, isUrl, unreadable } from '@platen/lib-sources';
import { parseList, type BlockList } from './parse-list.js';

const MAX_BYTES = 64 * 2 ** 20;
const TIMEOUT_MS = 30_000;

export interface LoadedList extends BlockList {
  /** Of what was read. */
  readonly digest: string;
}

/** The list in a file, or in what a URL answers. Throws `boot_source_unavailable`, which names the source. */
export async function loadList(source: string, outbound: Pick<Outbound, 'fetch'>): Promise<LoadedList> {
  try {
    const text = await (isUrl(source) ? fetchText(source, outbound) : readText(source));
    const list = parseList(text);
    // An empty answer, or a page of words, in place of a list would block nothing, and nobody would know.
    if (list.ranges.length + list.names.length === 0) throw new Error('no line of it is an address, a block or a range');
    return { ...list, digest: createHash('sha256').update(text).digest('hex') };
  } catch (error) {
    throw unreadable({ flag: 'ip-blocklist', source }, error);
  }
}

async function fetchText(url: string, outbound: Pick<Outbound, 'fetch'>): Promise<string> {
  const { body } = await fetchSource(url, outbound, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
  return body.toString();
}

async function readText(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw new Error(`it is longer than ${String(MAX_BYTES)} bytes`);
  return await readTextFile(path);
}
