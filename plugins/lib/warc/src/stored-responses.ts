import { createHash } from 'node:crypto';

/** The record that a revisit refers to. */
export interface Original {
  readonly id: string;
  readonly url: string;
  readonly date: Date;
}

/**
 * The responses in a WARC so far, in bounded memory: the least recently used entries are forgotten, whose content is then stored again. A
 * million URLs take 62 MB, the 100,000 originals 80 MB.
 */
export interface StoredResponses {
  hasUrl(url: string): boolean;
  addUrl(url: string, documentAt?: Date): void;
  /** `WARC-Date` of the last response of a URL that has a document. */
  documentAt(url: string): Date | undefined;
  /** By the digest of the payload. */
  original(digest: string): Original | undefined;
  addOriginal(digest: string, original: Original): void;
}

export interface StoredLimits {
  readonly urls?: number;
  readonly originals?: number;
}

export function createStoredResponses({ urls = 1_000_000, originals = 100_000 }: StoredLimits = {}): StoredResponses {
  const storedUrls = createRecent<{ readonly documentAt: Date | undefined }>(urls);
  const byDigest = createRecent<Original>(originals);
  return {
    hasUrl: (url) => storedUrls.get(url) !== undefined,
    addUrl(url, documentAt) {
      storedUrls.set(url, { documentAt });
    },
    documentAt: (url) => storedUrls.get(url)?.documentAt,
    original: (digest) => byDigest.get(digest),
    addOriginal(digest, original) {
      byDigest.set(digest, original);
    },
  };
}

/** A map of bounded size, by hashes of its keys: of two generations, the older is dropped when the younger is full. */
function createRecent<V>(limit: number) {
  let young = new Map<string, V>();
  let old = new Map<string, V>();
  const set = (key: string, value: V) => {
    if (young.size >= limit / 2) [young, old] = [new Map<string, V>(), young];
    young.set(key, value);
  };
  return {
    get(text: string): V | undefined {
      const key = shortHash(text);
      const recent = young.get(key);
      if (recent !== undefined) return recent;
      const value = old.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set(text: string, value: V) {
      set(shortHash(text), value);
    },
  };
}

/** 128 bits, as a string of one byte per character. */
function shortHash(text: string): string {
  return createHash('sha256').update(text).digest().toString('latin1', 0, 16);
}
