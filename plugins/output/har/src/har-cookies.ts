import type { HeaderLine } from '@platen/plugin-network';
import type { Cookie } from 'har-format';

/** Cookies of a request (RFC 6265, 5.4). */
export function sentCookies(headers: readonly HeaderLine[]): Cookie[] {
  return named(headers, 'cookie')
    .flatMap((value) => value.split(';'))
    .flatMap((pair) => (pair.trim() === '' ? [] : [nameAndValue(pair)]));
}

/** Cookies of a response (RFC 6265, 5.2), one per line. */
export function setCookies(headers: readonly HeaderLine[]): Cookie[] {
  return named(headers, 'set-cookie').map(parseSetCookie);
}

function parseSetCookie(line: string): Cookie {
  const [pair = '', ...attributes] = line.split(';');
  const found = new Map(attributes.map((attribute) => nameAndValue(attribute)).map(({ name, value }) => [name.toLowerCase(), value]));
  const text = (name: 'path' | 'domain') => {
    const value = found.get(name);
    return value === undefined || value === '' ? {} : { [name]: value };
  };
  const sameSite = found.get('samesite');
  return {
    ...nameAndValue(pair),
    ...text('path'),
    ...text('domain'),
    ...expiry(found.get('expires')),
    httpOnly: found.has('httponly'),
    secure: found.has('secure'),
    ...(sameSite === undefined ? {} : { sameSite }),
  };
}

function expiry(expires: string | undefined): Pick<Cookie, 'expires'> {
  const date = new Date(expires ?? '');
  return Number.isNaN(date.getTime()) ? {} : { expires: date.toISOString() };
}

function nameAndValue(pair: string): { readonly name: string; readonly value: string } {
  const equals = pair.indexOf('=');
  if (equals < 0) return { name: pair.trim(), value: '' };
  return { name: pair.slice(0, equals).trim(), value: pair.slice(equals + 1).trim() };
}

function named(headers: readonly HeaderLine[], wanted: string): readonly string[] {
  return headers.filter(({ name }) => name.toLowerCase() === wanted).map(({ value }) => value);
}
