import type { EntryRecord } from './entry-file.js';

export type Headers = Readonly<Record<string, string>>;

/** Why a request went on to a render (RFC 9211, 2.2). */
export type Forward = 'bypass' | 'method' | 'uri-miss' | 'stale';

/** Of a result that comes from the cache. `Age` beside the whole lifetime says what is left of it (RFC 9111, 4.2.3). */
export function hitHeaders(record: EntryRecord, ttlMs: number, now = Date.now()): Headers {
  const ageMs = Math.max(0, now - record.storedAt);
  return {
    ...validators(record),
    'Cache-Control': freshness(ttlMs),
    Age: String(Math.floor(ageMs / 1000)),
    'Cache-Status': `platen; hit; ttl=${String(Math.floor((ttlMs - ageMs) / 1000))}`,
  };
}

/** Of a result that was rendered: for this request, or for one beside it. */
export function missHeaders(
  record: EntryRecord | undefined,
  {
    ttlMs,
    forward,
    isKept,
    isShared,
  }: { readonly ttlMs: number; readonly forward: Forward; readonly isKept: boolean; readonly isShared: boolean },
): Headers {
  return {
    ...(record === undefined ? {} : validators(record)),
    ...(isKept ? { 'Cache-Control': freshness(ttlMs) } : {}),
    'Cache-Status': `${forwarded(forward)}${isShared ? '; collapsed' : isKept ? '; stored' : ''}`,
  };
}

export function forwarded(forward: Forward): string {
  return `platen; fwd=${forward}`;
}

/** The strong validator is the body's digest. */
export function validators({ sha256, storedAt }: EntryRecord): Readonly<Record<'ETag' | 'Last-Modified', string>> {
  return { ETag: `"${sha256}"`, 'Last-Modified': new Date(storedAt).toUTCString() };
}

/** For the asker alone: what others on the way may keep, this server does not decide. */
function freshness(ttlMs: number): string {
  return `private, max-age=${String(Math.floor(ttlMs / 1000))}`;
}
