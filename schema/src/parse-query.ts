/** One parameter of a query string, decoded; the text is undefined where the name stands alone (`?full_page`). */
export type QueryPair = readonly [name: string, text: string | undefined];

/**
 * A query's parameters in order, form-decoded as the URL standard does it (a plus is a blank), without a question mark in front.
 * `URLSearchParams` alone reads `full_page` and `full_page=` as the same.
 */
export function parseQuery(query: string): readonly QueryPair[] {
  // It skips what is empty between ampersands, and nothing else: both lists go in step.
  const written = query.split('&').filter((part) => part !== '');
  const decoded = new URLSearchParams(written.join('&').replace(/^\?/, '%3F'));
  return [...decoded].map(([name, text], index) => [name, written[index]?.includes('=') === false ? undefined : text]);
}
