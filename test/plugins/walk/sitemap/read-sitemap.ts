import { gzipSync } from 'node:zlib';
import { parseSitemap, type SitemapEntry, type SitemapOptions } from '../../../../plugins/walk/sitemap/src/parse-sitemap.js';

const URL_OF_SITEMAP = 'https://a.example/maps/sitemap.xml';

export async function* inChunks(content: string | Buffer, size = Infinity): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export interface Read {
  readonly entries: readonly SitemapEntry[];
  readonly warnings: readonly string[];
  /** What it ended with. */
  readonly error: unknown;
}

/** Reads to the end, or to the error. */
export async function readSitemap(body: AsyncIterable<Buffer> | string | Buffer, options: Partial<SitemapOptions> = {}): Promise<Read> {
  const entries: SitemapEntry[] = [];
  const warnings: string[] = [];
  const source = typeof body === 'string' || Buffer.isBuffer(body) ? inChunks(body) : body;
  const onWarning = (warning: string) => warnings.push(warning);
  try {
    const parsed = parseSitemap(source, { url: URL_OF_SITEMAP, contentType: undefined, format: 'auto', onWarning, ...options });
    for await (const entry of parsed) entries.push(entry);
    return { entries, warnings, error: undefined };
  } catch (error) {
    return { entries, warnings, error };
  }
}

export const gzip = (content: string | Buffer): Buffer => gzipSync(content);

export const urlset = (...items: readonly string[]): string =>
  `<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${items.join('\n')}</urlset>`;
