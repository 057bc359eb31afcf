/** Whether the source is a URL with any scheme, not a path. */
export function isUrl(source: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(source);
}

/** A source for messages and logs: a URL without its credentials and without its query, which often contains a key. */
export function nameSource(source: string): string {
  if (!isUrl(source) || !URL.canParse(source)) return source;
  const { protocol, host, pathname } = new URL(source);
  return `${protocol}//${host}${pathname}`;
}
