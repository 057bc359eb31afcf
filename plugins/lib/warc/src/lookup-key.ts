import { getSurt, postToGetUrl } from 'warcio/utils';
import { valueOf, targetUri } from './choose-response.js';
import type { ArchivedBody, ArchivedRequest } from './exchange.js';

/** Under which a replay looks for the response to a request. */
export interface LookupKey {
  /** The URL in SURT form, for other methods than GET with the method and the posted data as a query. */
  readonly key: string;
  readonly method?: string;
  /** The posted data as a query. */
  readonly requestBody?: string;
}

/** Requests that have a body, which may be empty; pywb's indexer looks for none in others. */
const POSTING: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
/** Characters of a query, as in warcio's indexer. */
const LONGEST_QUERY = 4096;
/** Any query is complete with so many bytes of a body that need not be parsed: four for a character. */
const PREFIX_BYTES = 4 * LONGEST_QUERY;
/** Bodies that must be parsed are read up to here. */
const PARSED_BYTES = 16 * 1024 * 1024;
/** Parts of a form and repetitions of a dash beyond which the query is empty: warcio's time grows with their square. */
const MOST_PARTS = 2000;
const LONGEST_DASHES = '-'.repeat(1000);

/** The key as warcio's indexer and replay tools compute it. */
export async function lookupKey(request: Pick<ArchivedRequest, 'method' | 'url' | 'headers' | 'body'>): Promise<LookupKey> {
  const { method, headers, body } = request;
  const url = targetUri(request.url);
  if (method === 'GET') return { key: toKey(url) };
  const isEmpty = body === undefined || body.bytes === 0;
  if (isEmpty && !POSTING.has(method)) return { key: toKey(`${url}${url.includes('?') ? '&' : '?'}__wb_method=${method}`), method };
  const contentType = valueOf(headers, 'content-type') ?? '';
  const query: Parameters<typeof postToGetUrl>[0] = {
    url,
    method,
    headers: new Map([['content-type', contentType]]),
    postData: isEmpty ? new Uint8Array() : await readForm(body, contentType),
  };
  // It changes the request that it is given.
  const requestBody: unknown = postToGetUrl(query, LONGEST_QUERY) ? query.requestBody : undefined;
  return { key: toKey(query.url), method, ...(typeof requestBody === 'string' && requestBody !== '' ? { requestBody } : {}) };
}

/** A key of `urn:` and other schemes is the URI itself. It contains no blanks, because they end it in the index. */
export function toKey(url: string): string {
  return getSurt(url).replace(/[^\x21-\x7e]+/g, (text) => Buffer.from(text).toString('hex').replace(/../g, '%$&'));
}

/** The part of a body that matters for its query. */
async function readForm(body: ArchivedBody, contentType: string): Promise<Uint8Array> {
  const [type] = contentType.split(';');
  if (type === 'application/json' || type === 'text/plain') return pruneJson(await readUpTo(body, PARSED_BYTES));
  if (type !== 'multipart/form-data') return readUpTo(body, PREFIX_BYTES);
  const boundary = contentType.split('boundary=')[1] ?? '';
  const bytes = await readUpTo(body, PARSED_BYTES);
  return isHarmless(bytes, boundary) ? bytes : new Uint8Array();
}

/** warcio uses the boundary, which a page may choose, as a regular expression. */
function isHarmless(bytes: Buffer, boundary: string): boolean {
  if (!/^[\w-]{1,70}$/.test(boundary) || bytes.includes(LONGEST_DASHES)) return false;
  let parts = 0;
  for (let at = bytes.indexOf(boundary); at >= 0; at = bytes.indexOf(boundary, at + boundary.length)) parts += 1;
  return parts <= MOST_PARTS;
}

async function readUpTo(body: ArchivedBody, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Not in object mode: the chunks are Buffers.
  for await (const chunk of body.open() as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit);
}

/** Smaller texts are parsed in an instant, however many values they have. */
const SMALL_BYTES = 8192;
/** Each value takes two characters or more of a query of 4096. */
const MOST_VALUES = 4096;
const DEEPEST = 500;
const NOT_JSON = Buffer.from('{');

/**
 * The first values of a large JSON text, with which a query made of it begins equally: the time that warcio needs grows with the square of
 * their number. A small text is returned as it is, and a large one that is not JSON as another that is not.
 */
function pruneJson(bytes: Buffer): Uint8Array {
  if (bytes.length <= SMALL_BYTES) return bytes;
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return Buffer.from(JSON.stringify(prune(parsed, { left: MOST_VALUES }, 0)));
  } catch {
    return NOT_JSON;
  }
}

function prune(value: unknown, budget: { left: number }, depth: number): unknown {
  if (typeof value !== 'object' || value === null) {
    // Empty strings are not part of a query.
    if (value !== '') budget.left -= 1;
    return value;
  }
  if (depth > DEEPEST) return [];
  const first: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    if (budget.left <= 0) break;
    first.push([name, prune(inner, budget, depth + 1)]);
  }
  return Array.isArray(value) ? first.map(([, inner]) => inner) : Object.fromEntries(first);
}
