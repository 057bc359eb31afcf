/** One parameter of a query string, decoded; the text is undefined for a name without a value (`?full_page`). */
export type QueryPair = readonly [name: string, text: string | undefined];

/**
 * A query's parameters in order, form-decoded by the URL standard (a plus is a blank), without a leading question mark. `URLSearchParams`
 * alone reads `full_page` and `full_page=` as the same.
 */
export function parseQuery(query: string): readonly QueryPair[] {
  // It skips only empty parts between ampersands, so both lists match by index.
  const written = query.split('&').filter((part) => part !== '');
  const decoded = new URLSearchParams(written.join('&').replace(/^\?/, '%3F'));
  return [...decoded].map(([name, text], index) => [name, written[index]?.includes('=') === false ? undefined : text]);
}
