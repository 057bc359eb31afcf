/** An entry of a sitemap as written, trimmed. */
export interface RawEntry {
  readonly kind: 'url' | 'sitemap';
  /** Not yet resolved, and not checked. */
  readonly location: string;
  readonly lastModified?: string;
}
