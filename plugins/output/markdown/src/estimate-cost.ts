const NESTED = new Set(['ul', 'ol', 'dl', 'blockquote']);

/** Each element costs as much as that many characters of text, beside those of its tags. */
const OF_ELEMENT = 16;

/**
 * What the conversion of the content of a body costs, measured in characters of an article: half of its length, its elements, and for each
 * of them the lists and quotations around it, since every line in those has a prefix for each. Tags are taken as closed.
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
