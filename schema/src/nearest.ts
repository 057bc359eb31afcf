import { distance } from 'fastest-levenshtein';
import type { Fragments } from './fragment.js';

/** Longer words are unlikely to be typing errors, and computing the distance costs the product of both lengths. */
const MAX_LENGTH = 64;

/**
 * The candidate that was probably intended: with at most one typing error per three letters, and three in total; or the candidate that has
 * all words of the name and the fewest others, as `server-bind-port` has those of `server-port`.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > MAX_LENGTH) return undefined;
  const names = [...candidates];
  return nearestSpelling(word, names) ?? leastLonger(word, names);
}

function nearestSpelling(word: string, candidates: readonly string[]): string | undefined {
  const plain = fold(word);
  let best: { readonly candidate: string; readonly errors: number } | undefined;
  for (const candidate of candidates) {
    const errors = isSwapped(plain, fold(candidate)) ? 1 : distance(plain, fold(candidate));
    const bound = Math.min(3, Math.floor(Math.min(plain.length, candidate.length) / 3));
    if (errors <= bound && errors < (best?.errors ?? Infinity)) best = { candidate, errors };
  }
  return best?.candidate;
}

/** Two swapped adjacent letters are one error, not two. */
function isSwapped(word: string, other: string): boolean {
  const at = Array.from({ length: word.length }, (_, index) => index).findIndex((index) => word[index] !== other[index]);
  return at !== -1 && word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2) === other;
}

/** Undefined if several are equally near. */
function leastLonger(word: string, candidates: readonly string[]): string | undefined {
  const words = wordsOf(word);
  if (words.length < 2) return undefined;
  const longer = candidates.filter((candidate) => leavesOut(words, wordsOf(candidate)));
  const least = Math.min(...longer.map((candidate) => wordsOf(candidate).length));
  const [first, ...others] = longer.filter((candidate) => wordsOf(candidate).length === least);
  return others.length === 0 ? first : undefined;
}

/** Whether the words are a subsequence of the others. */
function leavesOut(words: readonly string[], others: readonly string[]): boolean {
  const found = others.reduce((count, other) => (other === words[count] ? count + 1 : count), 0);
  return found === words.length && others.length > found;
}

function wordsOf(name: string): readonly string[] {
  return name.toLowerCase().split(/[-_ ]+/);
}

/** `fullPage`, `full-page` and `full_page` are one word. */
function fold(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/g, '');
}

interface SuggestOptions {
  /** Suggestions from all names that may be intended. */
  readonly fragments: Fragments;
  /** The output type with this name. */
  readonly outputType?: string | undefined;
  /** A key, or a key with a value, in the notation of the original name. */
  write?(key: string, value?: string): string;
}

/**
 * A sentence with the replacement for a name used by other tools: from the `x-synonyms` of the fragments, or for an output type, which is a
 * value and not a key. Undefined for unknown names.
 */
export function suggest(name: string, { fragments, outputType, write = writeParameter }: SuggestOptions): string | undefined {
  const plain = fold(name);
  const claims = Object.entries(fragments).flatMap(([key, { 'x-synonyms': synonyms = {} }]) =>
    Object.entries(synonyms)
      .filter(([synonym]) => fold(synonym) === plain)
      .map(([, meaning]) => ({ key, meaning })),
  );
  const texts = claims.flatMap(({ meaning }) => (meaning === true ? [] : [meaning]));
  const meant = [
    ...claims.flatMap(({ key, meaning }) => (meaning === true ? [write(key)] : [])),
    ...(outputType === undefined ? [] : [write('output_type', outputType)]),
  ];
  const hints = [...texts, ...(meant.length === 0 ? [] : [`did you mean ${meant.join(' or ')}?`])];
  return hints.length === 0 ? undefined : hints.join('; ');
}

function writeParameter(key: string, value?: string): string {
  return value === undefined ? `"${key}"` : `${key}=${value}`;
}
