import { createHash } from 'node:crypto';

/** The record that a revisit refers to. */
export interface Original {
  readonly id: string;
  readonly url: string;
  readonly date: Date;
}

/**
 * What a WARC contains so far, in bounded memory: the least recently used entries are forgotten, whose content is then stored again. A
 * million URLs take 100 MB, the 100,000 originals some 30 MB.
 */
export interface StoredResponses {
  hasUrl(url: string): boolean;
  addUrl(url: string): void;
  /** By the digest of the payload. */
  original(digest: string): Original | undefined;
  addOriginal(digest: string, original: Original): void;
}

export interface StoredLimits {
  readonly urls?: number;
  readonly originals?: number;
}

export function createStoredResponses({ urls = 1_000_000, originals = 100_000 }: StoredLimits = {}): StoredResponses {
  const storedUrls = createRecent<true>(urls);
  const byDigest = createRecent<Original>(originals);
  return {
    hasUrl: (url) => storedUrls.get(url) !== undefined,
    addUrl(url) {
      storedUrls.set(url, true);
    },
    original: (digest) => byDigest.get(digest),
    addOriginal(digest, original) {
      byDigest.set(digest, original);
    },
  };
}

/** A map of bounded size, by hashes of its keys. */
function createRecent<V>(limit: number) {
  const values = new Map<string, V>();
  const put = (key: string, value: V) => {
    values.delete(key);
    values.set(key, value);
    const [oldest] = values.size > limit ? values.keys() : [];
    if (oldest !== undefined) values.delete(oldest);
  };
  return {
    get(text: string): V | undefined {
      const key = shortHash(text);
      const value = values.get(key);
      if (value !== undefined) put(key, value);
      return value;
    },
    set(text: string, value: V) {
      put(shortHash(text), value);
    },
  };
}

/** 128 bits, as a string of one byte per character. */
function shortHash(text: string): string {
  return createHash('sha256').update(text).digest().toString('latin1', 0, 16);
}
