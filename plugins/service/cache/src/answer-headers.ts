import type { ResultRecord } from '@platen/server';

export type Headers = Readonly<Record<string, string>>;

/** Why the request was forwarded to a render (RFC 9211, 2.2). */
export type Forward = 'bypass' | 'method' | 'uri-miss' | 'stale';

/** Headers of a hit. `max-age` is the whole lifetime; clients subtract `Age` (RFC 9111, 4.2.3). */
export function hitHeaders(record: ResultRecord, ttlMs: number, now = Date.now()): Headers {
  const ageMs = Math.max(0, now - record.storedAt);
  return {
    ...validators(record),
    'Cache-Control': freshness(ttlMs),
    Age: String(Math.floor(ageMs / 1000)),
    'Cache-Status': `platen; hit; ttl=${String(Math.floor((ttlMs - ageMs) / 1000))}`,
  };
}

/** Headers of a rendered result: for this request, or for a concurrent one that it shares. */
export function missHeaders(
  record: ResultRecord | undefined,
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

/** The strong validator is the SHA-256 of the body. */
export function validators({ sha256, storedAt }: ResultRecord): Readonly<Record<'ETag' | 'Last-Modified', string>> {
  return { ETag: `"${sha256}"`, 'Last-Modified': new Date(storedAt).toUTCString() };
}

/** `private`: only the client may cache the response, no shared cache on the way. */
function freshness(ttlMs: number): string {
  return `private, max-age=${String(Math.floor(ttlMs / 1000))}`;
}
