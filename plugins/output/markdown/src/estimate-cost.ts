const NESTED = new Set(['ul', 'ol', 'dl', 'blockquote']);

/** Cost of an element in characters of text, in addition to its tags. */
const OF_ELEMENT = 16;

/**
 * The cost of converting the content of a body, in characters of an article: half of its length, its elements, and for each element its
 * enclosing lists and quotations, because every line in them has a prefix for each. Assumes that tags are closed.
 */
export function estimateCost(html: string): number {
  let cost = html.length / 2;
  let depth = 0;
  for (const [, closing, name = ''] of html.matchAll(/<(\/?)([a-z]+)/g)) {
    if (NESTED.has(name)) depth += closing === '' ? 1 : -1;
    if (closing === '') cost += OF_ELEMENT + depth;
  }
  return cost;
}
