import { readFile, stat } from 'node:fs/promises';
import { PlatenError, type Outbound } from '@platen/kernel';
import { parseList, type BlockList } from './parse-list.js';

const MAX_BYTES = 64 * 2 ** 20;
const TIMEOUT_MS = 30_000;

/** The list in a file, or in what a URL answers. Throws `boot_source_unavailable`, which names the source. */
export async function loadList(source: string, outbound: Pick<Outbound, 'fetch'>): Promise<BlockList> {
  try {
    const list = parseList(await (/^https?:/i.test(source) ? fetchText(source, outbound) : readText(source)));
    // An empty answer, or a page of words, in place of a list would block nothing, and nobody would know.
    if (list.ranges.length + list.names.length === 0) throw new Error('no line of it is an address, a block or a range');
    return list;
  } catch (error) {
    throw new PlatenError('boot_source_unavailable', `the source "${nameSource(source)}" of --ip-blocklist cannot be had: ${why(error)}`, {
      cause: error,
    });
  }
}

async function fetchText(url: string, outbound: Pick<Outbound, 'fetch'>): Promise<string> {
  const { status, body } = await outbound.fetch(url, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
  if (status !== 200) throw new Error(`it answers with status ${String(status)}`);
  return body.toString();
}

async function readText(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw new Error(`it is longer than ${String(MAX_BYTES)} bytes`);
  return await readFile(path, 'utf8');
}

/** Without what a URL may hold of credentials: a query is often a key. */
export function nameSource(source: string): string {
  if (!URL.canParse(source)) return source;
  const { origin, pathname } = new URL(source);
  return origin === 'null' ? source : `${origin}${pathname}`;
}

function why(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return FILE_FAULTS[error.code] ?? error.code;
  return error instanceof Error ? error.message : String(error);
}

const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a folder',
};
