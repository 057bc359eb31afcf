import { distance } from 'fastest-levenshtein';

/** Longer words are no slips of the pen, and the distance costs the product of both lengths. */
const MAX_LENGTH = 64;

/** The candidate that the word was probably meant to be: a typing error in three letters, and three errors at most. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > MAX_LENGTH) return undefined;
  const plain = fold(word);
  let best: { readonly candidate: string; readonly errors: number } | undefined;
  for (const candidate of candidates) {
    const errors = distance(plain, fold(candidate));
    const bound = Math.min(3, Math.floor(Math.min(plain.length, candidate.length) / 3));
    if (errors <= bound && errors < (best?.errors ?? Infinity)) best = { candidate, errors };
  }
  return best?.candidate;
}

/** `fullPage`, `full-page` and `full_page` are one word. */
function fold(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/g, '');
}
