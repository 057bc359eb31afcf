import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { OutboundError, PlatenError, type Outbound } from '@platen/kernel';
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
    throw new PlatenError(
      'boot_source_unavailable',
      `the source "${nameSource(source)}" of --ip-blocklist cannot be had: ${why(error, nameSource(source))}`,
      {
        cause: error,
      },
    );
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
  if (!isUrl(source) || !URL.canParse(source)) return source;
  const { protocol, host, pathname } = new URL(source);
  return `${protocol}//${host}${pathname}`;
}

function isUrl(source: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(source);
}

/** Of what the name has told already nothing is told again. */
function why(error: unknown, name: string): string {
  if (error instanceof OutboundError && error.reason === 'unreachable') return error.message.replace(`${name} cannot be had: `, '');
  if (error instanceof OutboundError) return error.message.replace(`${name} `, 'it ');
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return FAULTS[error.code] ?? error.code;
  return error instanceof Error ? error.message : String(error);
}

const FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a folder',
  ERR_INVALID_URL: 'it is no URL',
};
