import { resolve } from 'node:path';
import { readTextFile, type Outbound } from '@platen/kernel';
import { fetchSource, isUrl, unreadable } from '@platen/lib-sources';

/** The flag that sets the lists. */
export const RULES_FLAG = 'adblock-rules';

/** A longer file is rejected as not being a filter list. */
const MAX_BYTES = 128 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

export interface ReadSourceOptions {
  readonly outbound: Pick<Outbound, 'fetch'>;
  /** A server reads the file while it serves requests, and reading a pipe could block. */
  readonly again?: boolean;
}

/** The text of a list: a file, or the response of an http or https URL. Throws `boot_source_unavailable`, which names the source. */
export async function readSource(source: string, { outbound, again = false }: ReadSourceOptions): Promise<string> {
  try {
    const text = await (isUrl(source) ? download(source, outbound) : readTextFile(resolve(source), { regular: again }));
    const other = NO_LISTS.find(([pattern]) => pattern.test(text));
    if (other !== undefined) throw new Error(`it is ${other[1]}`);
    return text;
  } catch (cause) {
    throw unreadable({ flag: RULES_FLAG, source }, cause);
  }
}

/** Beginnings of responses that are not filter lists; no rule begins like this. */
const NO_LISTS = [
  [/^\s*<(?:!doctype|html)\b/i, 'an HTML page'],
  [/^\s*</, 'a document of tags'],
  [/^\s*(?:\{|\[\s*["[{\]\d])/, 'JSON'],
] as const;

/** Content types that are never filter lists. */
const NO_LIST_TYPE = /^\s*(?:text\/html|application\/(?:xhtml\+xml|(?:[a-z.-]+\+)?json))\s*(?:;|$)/i;

async function download(url: string, outbound: Pick<Outbound, 'fetch'>): Promise<string> {
  const { headers, body } = await fetchSource(url, outbound, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
  const { 'content-type': type = '' } = headers;
  if (NO_LIST_TYPE.test(type)) throw new Error(`its content type is ${type}`);
  return body.toString().replace(/^\uFEFF/, '');
}
