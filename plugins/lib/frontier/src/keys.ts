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

/** 128 bits of SHA-256: a collision would drop a URL, and is out of reach of who writes URLs on purpose too. */
export function seenKey(key: string): string {
  return `s/${createHash('sha256').update(key).digest('base64url').slice(0, 22)}`;
}
