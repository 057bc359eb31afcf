import { createHash } from 'node:crypto';

// `s/<digest>` every URL ever offered, with the value `archived` if it needs no visit · `q/<host>/<place>` the queue, claimed URLs included, so that they are queued again after a crash ·
// `r/<not before>/<sequence>` those put back for later · `counts` · `checkpoint`. Numbers have a fixed width, so that text is sorted as numbers are.

export const COUNTS = 'counts';
export const CHECKPOINT = 'checkpoint';
export const ARCHIVED = 'archived';

/** No host contains a slash, and the character `0` follows it. */
export const QUEUED = { gt: 'q/', lt: 'q0' };
export const DELAYED = { gt: 'r/', lt: 'r0' };

const digits = (value: number, width: number): string => String(value).padStart(width, '0');

/** The order in the queue: by depth, then by sequence number. */
export function placeOf(depth: number, sequence: number): string {
  return `${digits(depth, 8)}/${digits(sequence, 12)}`;
}

const PLACE_LENGTH = placeOf(0, 0).length;

export function queueKey(host: string, place: string): string {
  return `q/${host}/${place}`;
}

/** The rest of the host's queue. */
export function rangeAfter(host: string, place: string): { readonly gt: string; readonly lt: string } {
  return { gt: queueKey(host, place), lt: `q/${host}0` };
}

export function parseQueueKey(key: string): { readonly host: string; readonly place: string } {
  return { host: key.slice(2, -PLACE_LENGTH - 1), place: key.slice(-PLACE_LENGTH) };
}

export function retryKey(after: number, sequence: number): string {
  return `r/${digits(Math.min(Math.max(0, Math.ceil(after)), Number.MAX_SAFE_INTEGER), 16)}/${digits(sequence, 12)}`;
}

export function timeOfRetry(key: string): number {
  return Number(key.split('/')[1]);
}

/** 128 bits of SHA-256: a collision would drop a URL, and cannot be caused on purpose either. */
export function seenKey(key: string): string {
  return `s/${createHash('sha256').update(key).digest('base64url').slice(0, 22)}`;
}

/**
 * The canonical key of a URL: two URLs with one key are one page. The WHATWG parser lowers the case of the host and drops a default port;
 * the fragment is dropped here, and the parameters of the query are sorted by name. Parameters of one name retain their order.
 * Only for comparing: a server may see a difference, so the URL itself is requested.
 *
 * @throws TypeError if it is not an absolute URL.
 */
export function keyOfUrl(url: string): string {
  const key = new URL(url);
  key.hash = '';
  key.search = sortQuery(key.search.slice(1));
  return key.href;
}

/** As text, because decoding and encoding would make different queries equal. */
function sortQuery(query: string): string {
  return query
    .split('&')
    .filter((parameter) => parameter !== '')
    .map((parameter) => ({ name: parameter.split('=', 1)[0] ?? '', parameter }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ parameter }) => parameter)
    .join('&');
}
