import type { QueryPair } from '@platen/schema';

/**
 * How signers write the same pairs. "Form-encoded" means something else in every language; what a spelling says is the same for all
 * of them, so each is as good as the others.
 */
export type Spelling = (component: string) => string;

/** The URL standard's: browsers, Node's `URLSearchParams`, Java, Ruby, Rust. */
const asForm: Spelling = (text) => replaceAll(text, { ...MARKS, '~': '%7E', '%20': '+' });

/** RFC 3986, 2.3: everything but the unreserved characters is escaped. */
const asUri: Spelling = (text) => replaceAll(text, { ...MARKS, '*': '%2A' });

/** The form encoding of Python's `urlencode` and Go's `Values.Encode`: blanks as the one, `~` and `*` as the other. */
const asMixedForm: Spelling = (text) => replaceAll(text, { ...MARKS, '*': '%2A', '%20': '+' });

/** What `encodeURIComponent` leaves alone, and no spelling does. */
const MARKS = { '!': '%21', "'": '%27', '(': '%28', ')': '%29' };

/** All that are accepted; the first one signs. */
export const SPELLINGS = [asForm, asUri, asMixedForm] as const;

/**
 * The string that is signed: the pairs sorted by key, then by value, in the order of their UTF-8 bytes, and form-encoded. A key that
 * stands alone (`?full_page`) has no `=` here either: it is true, while an empty value unsets its key.
 */
export function canonicalQuery(pairs: readonly QueryPair[], spelling: Spelling = asForm): string {
  return pairs
    .map(([name, text]) => ({ name, text, key: toByteString(name), value: toByteString(text ?? '') }))
    .sort((a, b) => compare(a.key, b.key) || compare(a.value, b.value) || Number(a.text !== undefined) - Number(b.text !== undefined))
    .map(({ name, text }) => (text === undefined ? spelling(name) : `${spelling(name)}=${spelling(text)}`))
    .join('&');
}

/** One character for each byte: strings compare by UTF-16 units, which puts characters past U+FFFF before others that they follow. */
function toByteString(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** `encodeURIComponent`, with some of what it writes written otherwise. */
function replaceAll(text: string, replacements: Readonly<Record<string, string>>): string {
  // Half a surrogate pair has no UTF-8: it becomes what a decoder makes of it.
  const wellFormed = Buffer.from(text).toString();
  return encodeURIComponent(wellFormed).replace(/[!'()*~]|%20/g, (found) => replacements[found] ?? found);
}
