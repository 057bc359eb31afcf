export type Redact = (text: string) => string;

/** The end of the origin, then what delimits paths, queries and fragments. */
const DELIMITER = /([/?#&=])/;
const ANY = '[^/?#&]*';
const MASK = '***';

/**
 * Source of a regular expression for a URL. Each part that looks like an id, or has a part of a credential, stands for any text: the next
 * run gets other ones.
 */
export function urlPattern(url: string, redact: Redact): string {
  const shown = redact(url);
  const [, origin = '', rest = shown] = /^([a-z][a-z\d+.-]*:\/\/[^/?#]*)([/?#].*)?$/is.exec(shown) ?? [];
  const parts = rest.split(DELIMITER).map((part) => (part.includes(MASK) || isId(part) ? ANY : escapeRegExp(part)));
  return `^${escapeRegExp(origin)}${parts.join('')}$`;
}

/** Source of a regular expression for a goal's pattern: `*` stands for any characters, and a path may be on any host. */
export function globPattern(glob: string): string {
  return `^${glob.startsWith('/') ? '[a-z]+:\\/\\/[^/]+' : ''}${glob.split(/\*+/).map(escapeRegExp).join('.*')}$`;
}

/** UUIDs, hexadecimal numbers, numbers of three digits or more, and long tokens with digits. */
function isId(part: string): boolean {
  if (!/\d/.test(part)) return false;
  return (
    /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(part) ||
    /^\d{3,}$/.test(part) ||
    /^[\da-f]{8,}$/i.test(part) ||
    /^[\w-]{16,}$/.test(part)
  );
}

/** For a regular expression between slashes. */
function escapeRegExp(text: string): string {
  return text.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&').replace(/\s/g, '\\s');
}
