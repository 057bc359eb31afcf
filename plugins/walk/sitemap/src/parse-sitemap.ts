export type SitemapFormat = 'auto' | 'xml' | 'text';
export interface SitemapEntry {
  readonly kind: 'url' | 'sitemap';
  readonly url: string;
  readonly lastModified?: string;
}
export async function* parseSitemap(
  body: AsyncIterable<Buffer>,
  options: { readonly url: string; readonly contentType: string | undefined; readonly format: SitemapFormat },
): AsyncGenerator<SitemapEntry> {
  let text = '';
  for await (const c of body) text += c.toString();
  if (options.format === 'text') {
    for (const l of text.split('\n')) if (l.trim() && !l.startsWith('#')) yield { kind: 'url', url: new URL(l.trim(), options.url).href };
    return;
  }
  for (const [, kind, loc] of text.matchAll(/<(url|sitemap)>\s*<loc>([^<]*)<\/loc>/g)) yield { kind: kind as 'url', url: loc! };
}
