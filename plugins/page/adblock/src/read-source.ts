import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { PlatenError, type Outbound } from '@platen/kernel';

/** A list longer than this is none. */
const MAX_BYTES = 128 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/** The text of a list: a file's, or what an http or https URL answers with. Throws `boot_source_unavailable`, naming the source. */
export async function readSource(source: string, outbound: Pick<Outbound, 'fetch'>): Promise<string> {
  try {
    const text = await (isUrl(source) ? download(source, outbound) : readFile(resolve(source), 'utf8'));
    if (/^\s*<(?:!doctype|html)\b/i.test(text)) throw new Error('it is an HTML page');
    return text.replace(/^\uFEFF/, '');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PlatenError('boot_source_unavailable', `--adblock-rules: ${nameSource(source)} cannot be had: ${reason}`, { cause });
  }
}

async function download(url: string, outbound: Pick<Outbound, 'fetch'>): Promise<string> {
  const { status, body } = await outbound.fetch(url, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
  if (status !== 200) throw new Error(`it answers with status ${String(status)}`);
  return body.toString();
}

/** A source for people and logs: a URL without its credentials and its query. */
export function nameSource(source: string): string {
  if (!isUrl(source) || !URL.canParse(source)) return source;
  const { origin, pathname } = new URL(source);
  return `${origin}${pathname}`;
}

function isUrl(source: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(source);
}
