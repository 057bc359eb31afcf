/** Beyond these a sitemap is refused, except where an entry alone is skipped. */
export interface SitemapLimits {
  /** Of a gzip file. */
  readonly compressedBytes: number;
  /** Of the content, compressed or not. */
  readonly inflatedBytes: number;
  /** Inflated bytes for one compressed byte, once `RATIO_FROM_BYTES` were inflated. */
  readonly compressionRatio: number;
  /** Nested elements. */
  readonly elementDepth: number;
  /** Characters of a URL: a longer one is skipped. Browsers load no longer ones. */
  readonly urlLength: number;
}

const MIB = 1024 * 1024;

export const SITEMAP_LIMITS: SitemapLimits = {
  compressedBytes: 50 * MIB,
  inflatedBytes: 1024 * MIB,
  // Sitemaps have 10 to 60; gzip ends at 1,032.
  compressionRatio: 200,
  elementDepth: 32,
  urlLength: 2 * MIB,
};

/** The ratio of a small file means nothing. */
export const RATIO_FROM_BYTES = 4 * MIB;

/** URLs of one file by https://www.sitemaps.org/protocol.html: more cause a warning only. */
export const ENTRIES_BY_PROTOCOL = 50_000;

/** A body is not a usable sitemap. The message is the reason, without the URL: "it is an HTML page, not a sitemap". */
export class SitemapError extends Error {
  override readonly name = 'SitemapError';
}
