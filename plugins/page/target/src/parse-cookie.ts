import { invalidParameter, type Params } from '@platen/kernel';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

type NewCookie = Params<'Network.setCookies'>[0]['cookies'][number];

/** One cookie to set, with the index of its item in the request, for errors. */
export interface ParsedCookie {
  readonly index: number;
  readonly cookie: NewCookie;
}

const SAME_SITE = { strict: 'Strict', lax: 'Lax', none: 'None' } as const;
/** Browsers' size limit for a cookie (RFC 6265bis, 5.6): name and value together. */
const MAX_BYTES = 4096;
const TOO_LONG = 'must have at most 4096 bytes of name and value';

/**
 * Parses Set-Cookie strings (RFC 6265, 5.2) to protocol cookies. Skips expired cookies. Throws a 400 that names the item and never quotes
 * its content.
 */
export function parseCookies(items: readonly string[], target: URL, now = Date.now()): readonly ParsedCookie[] {
  return items
    .map((item, index) => ({ index, cookie: parseCookie(item, target, (detail) => refuse(index, detail)) }))
    .filter(({ cookie }) => cookie.expires === undefined || cookie.expires * 1000 > now);
}

export function refuse(index: number, detail: string): never {
  throw invalidParameter('cookie', `"cookie[${String(index)}]" ${detail}`);
}

function parseCookie(item: string, target: URL, fail: (detail: string) => never): NewCookie {
  if (/[\x00-\x08\x0a-\x1f\x7f]/.test(item)) fail('must not contain control characters');
  const [pair = '', ...attributes] = item.split(';');
  const equals = pair.indexOf('=');
  const name = pair.slice(0, Math.max(0, equals)).trim();
  if (name === '') fail('must have the form "name=value; Domain=<domain>"');
  const value = pair.slice(equals + 1).trim();
  if (Buffer.byteLength(name + value) > MAX_BYTES) fail(TOO_LONG);
  const given = readAttributes(attributes, fail);
  const path = given.get('path')?.startsWith('/') === true ? given.get('path') : '/';
  const secure = given.has('secure');
  const site = given.get('samesite')?.toLowerCase();
  const sameSite =
    site === undefined
      ? undefined
      : (Object.entries(SAME_SITE).find(([known]) => known === site)?.[1] ?? fail('must have "SameSite" as Strict, Lax or None'));
  if (sameSite === 'None' && !secure) fail('must be "Secure" if it has "SameSite=None"');
  const expires = expiry(given, fail);
  const scope = placeOf(given.get('domain'), { target, secure, fail });
  checkPrefix(name, { secure, path, hostOnly: scope.url !== undefined, fail });
  return {
    name,
    value,
    ...scope,
    ...(path === undefined ? {} : { path }),
    secure,
    httpOnly: given.has('httponly'),
    ...(sameSite === undefined ? {} : { sameSite }),
    ...(expires === undefined ? {} : { expires }),
  };
}

const KNOWN = new Set(['domain', 'path', 'expires', 'max-age', 'secure', 'httponly', 'samesite']);

/** Attributes by lower-case name, the last of each (RFC 6265, 5.3). Browsers ignore unknown attributes; in a request they are errors. */
function readAttributes(attributes: readonly string[], fail: (detail: string) => never): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const attribute of attributes) {
    const equals = attribute.indexOf('=');
    const name = (equals < 0 ? attribute : attribute.slice(0, equals)).trim();
    const value = equals < 0 ? '' : attribute.slice(equals + 1).trim();
    if (name === '' && value === '') continue;
    if (!KNOWN.has(name.toLowerCase())) fail('has an unknown attribute: use Domain, Path, Expires, Max-Age, Secure, HttpOnly or SameSite');
    found.set(name.toLowerCase(), value);
  }
  return found;
}

/** Seconds since 1970; Max-Age takes precedence over Expires. */
function expiry(given: ReadonlyMap<string, string>, fail: (detail: string) => never): number | undefined {
  const age = given.get('max-age');
  if (age !== undefined) {
    if (!/^-?\d{1,12}$/.test(age)) fail('must have "Max-Age" in whole seconds');
    return Math.floor(Date.now() / 1000) + Number(age);
  }
  const date = given.get('expires');
  if (date === undefined) return undefined;
  const milliseconds = parseCookieDate(date) ?? fail('must have "Expires" as a date such as "Wed, 21 Oct 2026 07:28:00 GMT"');
  return Math.floor(milliseconds / 1000);
}

interface Place {
  readonly target: URL;
  readonly secure: boolean;
  readonly fail: (detail: string) => never;
}

/** A URL for a host-only cookie, a domain for a cookie that subdomains receive too. */
function placeOf(domain: string | undefined, { target, secure, fail }: Place): Pick<NewCookie, 'url' | 'domain'> {
  const scheme = secure ? 'https' : 'http';
  if (domain === undefined || domain === '') {
    if (target.hostname === '') fail('must have a "Domain": a data: URL has no host');
    return { url: `${secure ? 'https:' : target.protocol}//${target.host}/` };
  }
  const bare = domain.replace(/^\./, '');
  if (/[/?#@:\\\s]/.test(bare) || !URL.canParse(`http://${bare}/`)) fail('must have a host name as its "Domain"');
  const host = new URL(`http://${bare}/`).hostname;
  const isAddress = /^[\d.]+$|^\[/.test(host);
  if (isAddress || (host === target.hostname && !host.includes('.'))) return { url: `${scheme}://${host}/` };
  if (!host.replace(/\.$/, '').includes('.')) fail('must not have a whole top-level domain as its "Domain"');
  return { domain: `.${host}` };
}

interface Prefixed {
  readonly secure: boolean;
  readonly path: string | undefined;
  readonly hostOnly: boolean;
  readonly fail: (detail: string) => never;
}

/** Name prefixes with requirements (RFC 6265bis, 4.1.3): browsers reject cookies that do not meet them. */
function checkPrefix(name: string, { secure, path, hostOnly, fail }: Prefixed): void {
  if (/^__secure-/i.test(name) && !secure) fail('must be "Secure" because its name begins with "__Secure-"');
  if (/^__host-/i.test(name) && !(secure && hostOnly && path === '/')) {
    fail('must be "Secure", with "Path=/" and without "Domain", because its name begins with "__Host-"');
  }
}

interface Found {
  time?: readonly number[];
  day?: number;
  month?: number;
  year?: number;
}

/** Parses a cookie date (RFC 6265, 5.1.1) to milliseconds since 1970; undefined if it is invalid. */
export function parseCookieDate(text: string): number | undefined {
  const found: Found = {};
  for (const token of text.split(/[\t\x20-\x2f;-@[-`{-~]+/)) read(token, found);
  const { time, day, month, year } = found;
  if (time === undefined || day === undefined || month === undefined || year === undefined) return undefined;
  const [hour = 0, minute = 0, second = 0] = time;
  const full = year >= 70 && year <= 99 ? year + 1900 : year <= 69 ? year + 2000 : year;
  if (day < 1 || full < 1601 || hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(Date.UTC(full, month, day, hour, minute, second));
  return date.getUTCDate() === day ? date.getTime() : undefined;
}

/** Only the first token of each kind is used. */
function read(token: string, found: Found): void {
  const time = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\D|$)/.exec(token);
  const number = /^(\d{1,4})(?:\D|$)/.exec(token)?.[1];
  const month = MONTHS.indexOf(token.slice(0, 3).toLowerCase());
  if (time && found.time === undefined) found.time = time.slice(1).map(Number);
  else if (number !== undefined && number.length <= 2 && found.day === undefined) found.day = Number(number);
  else if (month >= 0 && found.month === undefined) found.month = month;
  else if (number !== undefined && number.length >= 2 && found.year === undefined) found.year = Number(number);
}
