/** A body is not a usable sitemap. The message is the reason, without the URL: "it is an HTML page, not a sitemap". */
export class SitemapError extends Error {
  override readonly name = 'SitemapError';
}
