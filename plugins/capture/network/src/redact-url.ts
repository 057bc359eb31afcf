/** The URL without userinfo, otherwise unchanged: credentials are not part of the requested URL. */
export function redactUrl(url: string): string {
  return url.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, '$1');
}

const LONGEST_DATA_URL = 256;

/** The same for every URL in a protocol object. Documents that are `data:` URLs would otherwise be repeated as a whole each time. */
export function redactUrls<T>(value: T): T {
  const redact = (inner: unknown): unknown => {
    if (typeof inner === 'string') return redactUrl(shorten(inner));
    if (Array.isArray(inner)) return inner.map(redact);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, member]) => [name, redact(member)]));
  };
  // Of the same shape: strings stay strings.
  return redact(value) as T;
}

function shorten(text: string): string {
  return text.startsWith('data:') && text.length > LONGEST_DATA_URL ? `${text.slice(0, LONGEST_DATA_URL)}…` : text;
}
