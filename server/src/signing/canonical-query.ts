import type { QueryPair } from '@platen/schema';

/** Encodings of the same pairs. "Form-encoded" differs between languages; all of them are accepted. */
export interface Spelling {
  readonly blank: '+' | '%20';
  readonly tilde: '~' | '%7E';
  readonly star: '*' | '%2A';
}

/** The URL standard's: browsers, Node's `URLSearchParams`, Java, Ruby, Rust. */
const FORM: Spelling = { blank: '+', tilde: '%7E', star: '*' };

/** All accepted encodings; the first one is used to sign. */
const SPELLINGS: readonly Spelling[] = [
  FORM,
  // RFC 3986, 2.3: everything but the unreserved characters is escaped.
  { blank: '%20', tilde: '~', star: '%2A' },
  // The form encoding of Python's `urlencode` and Go's `Values.Encode`.
  { blank: '+', tilde: '~', star: '%2A' },
  // PHP's `http_build_query` and `urlencode`.
  { blank: '+', tilde: '%7E', star: '%2A' },
];

/**
 * The string that is signed: the pairs sorted by key, then by value, in the order of their UTF-8 bytes, and form-encoded. A key without a
 * value (`?full_page`) has no `=` here either: it means true, while an empty value unsets its key.
 */
export function canonicalQuery(pairs: readonly QueryPair[]): string {
  return spell(encodeSorted(pairs), FORM);
}

/** The string in every signer's encoding, without duplicates. The pairs are sorted and encoded once for all of them. */
export function canonicalQueries(pairs: readonly QueryPair[]): readonly string[] {
  const encoded = encodeSorted(pairs);
  return [...new Set(SPELLINGS.map((spelling) => spell(encoded, spelling)))];
}

/** Encodes with `~` and `*` unescaped and blanks as `%20`: the points in which the encodings differ. */
function encodeSorted(pairs: readonly QueryPair[]): string {
  const isPlain = !pairs.some(([name, text = '']) => SURROGATE.test(name) || SURROGATE.test(text));
  const toSortable = isPlain ? (text: string) => text : toByteString;
  return pairs
    .map(([name, text]) => ({ name, text, key: toSortable(name), value: toSortable(text ?? '') }))
    .sort((a, b) => compare(a.key, b.key) || compare(a.value, b.value) || Number(a.text !== undefined) - Number(b.text !== undefined))
    .map(({ name, text }) => (text === undefined ? encode(name) : `${encode(name)}=${encode(text)}`))
    .join('&');
}

/** Without surrogates, comparing UTF-16 strings gives the order of their UTF-8 bytes: only characters past U+FFFF differ. */
const SURROGATE = /[\uD800-\uDFFF]/;

/** One character per byte. */
function toByteString(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** `encodeURIComponent`, plus the characters that it does not escape but every encoding does. */
function encode(text: string): string {
  // A lone surrogate has no UTF-8: it is encoded as the replacement character, as a decoder would read it.
  return encodeURIComponent(SURROGATE.test(text) ? Buffer.from(text).toString() : text).replace(/[!'()]/g, escape);
}

function escape(mark: string): string {
  return `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;
}

function spell(encoded: string, { blank, tilde, star }: Spelling): string {
  return encoded.replaceAll('%20', blank).replaceAll('~', tilde).replaceAll('*', star);
}
