import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { OutboundError, PlatenError, type Outbound } from '@platen/kernel';

/** A list longer than this is none. */
const MAX_BYTES = 128 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/** The text of a list: a file's, or what an http or https URL answers with. Throws `boot_source_unavailable`, naming the source. */
export async function readSource(source: string, outbound: Pick<Outbound, 'fetch'>): Promise<string> {
  try {
    const text = (await (isUrl(source) ? download(source, outbound) : readFile(resolve(source), 'utf8'))).replace(/^\uFEFF/, '');
    const other = NO_LISTS.find(([pattern]) => pattern.test(text));
    if (other !== undefined) throw new Error(`it is ${other[1]}`);
    return text;
  } catch (cause) {
    throw sourceFault(source, why(cause, nameSource(source)), cause);
  }
}

export function sourceFault(source: string, reason: string, cause?: unknown): PlatenError {
  return new PlatenError('boot_source_unavailable', `the source "${nameSource(source)}" of --adblock-rules cannot be had: ${reason}`, {
    cause,
  });
}

/** What answers in place of a list; no rule begins so. */
const NO_LISTS = [
  [/^\s*<(?:!doctype|html)\b/i, 'an HTML page'],
  [/^\s*</, 'a document of tags'],
  [/^\s*(?:\{|\[\s*["[{\]\d])/, 'JSON'],
] as const;

/** Types of what is no list, whatever it says. */
const NO_LIST_TYPE = /^\s*(?:text\/html|application\/(?:xhtml\+xml|(?:[a-z.-]+\+)?json))\s*(?:;|$)/i;

async function download(url: string, outbound: Pick<Outbound, 'fetch'>): Promise<string> {
  const { status, headers, body } = await outbound.fetch(url, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
  if (status !== 200) throw new Error(`it answers with status ${String(status)}`);
  const { 'content-type': type = '' } = headers;
  if (NO_LIST_TYPE.test(type)) throw new Error(`its content type is ${type}`);
  return body.toString();
}

/** A source for people and logs: a URL without its credentials and its query. */
function nameSource(source: string): string {
  if (!isUrl(source) || !URL.canParse(source)) return source;
  const { protocol, host, pathname } = new URL(source);
  return `${protocol}//${host}${pathname}`;
}

function isUrl(source: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(source);
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
