import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseQuery, type QueryPair } from '@platen/schema';

export interface SigningOptions {
  /** The shared secret: `SECRET` or `hmac-sha256:SECRET`. */
  readonly secret: string;
  /** When the signature expires: Unix time in whole seconds. */
  readonly expires: number;
}

/** The query parameters that a signature adds; they are not render parameters. */
export const SIGNING_PARAMS = ['expires', 'signature'] as const;

/**
 * Signs a URL's query (the interface specification, Signing a URL): HMAC-SHA256 (RFC 2104) as lower-case hex. The URL may be absolute or
 * begin with its path. It is not changed, except that its fragment is removed and `expires` and `signature` are replaced. Throws a
 * `TypeError` for an invalid time and for an empty secret.
 */
export function signUrl(url: string, options: SigningOptions): string {
  const [sent = ''] = url.split('#', 1);
  const at = sent.indexOf('?');
  const [place, query] = at === -1 ? [sent, ''] : [sent.slice(0, at), sent.slice(at + 1)];
  return `${place}?${signQuery(query, options)}`;
}

/** The same for a query, without its question mark. */
export function signQuery(query: string, { secret, expires }: SigningOptions): string {
  if (!Number.isSafeInteger(expires) || expires < 0) throw new TypeError('"expires" must be a Unix time in whole seconds');
  const written = query.split('&').filter((part) => part !== '' && !isOfSignature(part));
  const unsigned = [...written, `expires=${String(expires)}`].join('&');
  const signature = createHmac('sha256', toKey(secret))
    .update(canonicalQuery(parseQuery(unsigned)))
    .digest('hex');
  return `${unsigned}&signature=${signature}`;
}

function isOfSignature(part: string): boolean {
  return parseQuery(part).some(([name]) => SIGNING_PARAMS.some((own) => own === name));
}

/** Why a query is rejected. Metrics count by these names: there are no others. */
export type SignatureFault = 'missing_signature' | 'bad_signature' | 'missing_expires' | 'expired' | 'expires_too_far';

export interface VerifyOptions {
  /** Any of them may be the signing secret. */
  readonly secrets: readonly string[];
  /** Milliseconds since 1970, as of `Date.now()`. */
  readonly now: number;
  /** How far in the future `expires` may be, in seconds; without it, there is no limit. */
  readonly maxAge?: number | undefined;
}

/**
 * The problem with a query's signature, if any; the query is as sent, without its question mark. No part of the query is trusted before the
 * signature is verified, `expires` included. All secrets and encodings are tried even if an early one matches.
 */
export function verifyQuery(query: string, { secrets, now, maxAge }: VerifyOptions): SignatureFault | undefined {
  const pairs = parseQuery(query);
  const of = (wanted: string) => pairs.filter(([name]) => name === wanted).map(([, text]) => text ?? '');
  const [signature, ...others] = of('signature');
  if (signature === undefined) return 'missing_signature';
  const times = of('expires');
  // Another parser could read the second one instead.
  if (others.length > 0 || times.length > 1 || !/^[0-9a-f]{64}$/.test(signature)) return 'bad_signature';
  const signed = pairs.filter(([name]) => name !== 'signature');
  const candidates = canonicalQueries(signed);
  const given = Buffer.from(signature, 'hex');
  const fits = secrets.flatMap((secret) =>
    candidates.map((candidate) => timingSafeEqual(createHmac('sha256', toKey(secret)).update(candidate).digest(), given)),
  );
  return fits.includes(true) ? faultOfTime(times[0], now, maxAge) : 'bad_signature';
}

function faultOfTime(expires: string | undefined, now: number, maxAge: number | undefined): SignatureFault | undefined {
  // Plain digits only: `Number` would also read "1e99", "0x10" and " 5".
  if (expires === undefined || !/^\d{1,12}$/.test(expires)) return 'missing_expires';
  if (Number(expires) * 1000 < now) return 'expired';
  return maxAge !== undefined && Number(expires) > Math.ceil(now / 1000) + maxAge ? 'expires_too_far' : undefined;
}

/** The prefix that an operator may write before a shared secret: the only supported algorithm. */
const PREFIX = 'hmac-sha256:';

/** `SECRET` or `hmac-sha256:SECRET`; a prefix that names another algorithm is an error, not a part of the secret. */
export const SECRET_PATTERN = String.raw`^(?:hmac-sha256:.+|(?!hmac-[a-z0-9-]+:).+)$`;

/** The key of the HMAC. Throws a `TypeError` if the text is not a valid secret. */
function toKey(secret: string): string {
  if (!new RegExp(SECRET_PATTERN, 'su').test(secret)) throw new TypeError('a secret is SECRET or hmac-sha256:SECRET, and not empty');
  return secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
}

/** Encodings of the same pairs. "Form-encoded" differs between languages; all of them are accepted. */
interface Spelling {
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
function canonicalQueries(pairs: readonly QueryPair[]): readonly string[] {
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
