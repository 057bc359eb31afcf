/** Unreserved characters (RFC 3986, 2.3), which mean the same encoded and bare. Also `'`, which browsers encode in queries only. */
const UNRESERVED = /[A-Za-z0-9\-._~']/;

/** Reserved elsewhere but plain data in a query (RFC 3986, 3.4): `?to=https://a` and `?to=https%3A%2F%2Fa` are equivalent. */
const PLAIN_IN_QUERY = /[:/?@]/;

/** The line that decides about a URL. */
export interface RobotsRule {
  readonly kind: 'allow' | 'disallow';
  /** Line number, starting at 1. */
  readonly line: number;
  /** As written in the file: `Disallow: /private`. */
  readonly text: string;
}

/** The rules of a robots.txt for one product token. */
export interface RobotsRules {
  /**
   * The deciding rule: the longest match, and `allow` before `disallow` for equal lengths. Undefined if no rule matches, so the URL is
   * allowed.
   */
  ruleFor(url: URL): RobotsRule | undefined;
  /** Seconds between two requests. Not part of RFC 9309, but widely used. */
  readonly crawlDelay: number | undefined;
  /** Absolute URLs as written in the file; they apply to all groups. */
  readonly sitemaps: readonly string[];
}

interface OwnRule extends RobotsRule {
  readonly pattern: PathPattern;
}

interface Group {
  rules: OwnRule[];
  crawlDelay: number | undefined;
  /** A line names this product token. */
  named: boolean;
}

/** The rest of a longer file is ignored: RFC 9309 (2.5) requires at least this size. */
export const MAX_BYTES = 500 * 1024;

/** Maximum length of a URL to match. No real rule is longer, and the cost must be limited since both rules and URLs are untrusted. */
const MAX_PATH = 16 * 1024;

/** Parses the rules of a robots.txt for a product token (RFC 9309, 2.2). Never throws: invalid lines are ignored. */
export function parseRobots(text: string, product: string): RobotsRules {
  const own: Group = { rules: [], crawlDelay: undefined, named: false };
  const everyone: Group = { rules: [], crawlDelay: undefined, named: false };
  const sitemaps: string[] = [];
  let addressed = new Set<Group>();
  let inRules = false;
  for (const { key, value, line, text: written } of recordsOf(text)) {
    if (key === 'user-agent') {
      if (inRules) addressed = new Set();
      inRules = false;
      const group = isEveryone(value) ? everyone : tokenOf(value) === product.toLowerCase() ? own : undefined;
      if (group === undefined) continue;
      group.named = true;
      addressed.add(group);
    } else if (key === 'allow' || key === 'disallow') {
      inRules = true;
      if (value === '') continue;
      const rule: OwnRule = { kind: key, line, text: written, pattern: parsePattern(value) };
      for (const group of addressed) group.rules.push(rule);
    } else if (key === 'crawl-delay') {
      for (const group of addressed) group.crawlDelay ??= secondsOf(value);
    } else if (key === 'sitemap' && value !== '') sitemaps.push(value);
  }
  const { rules, crawlDelay } = own.named ? own : everyone;
  return { crawlDelay, sitemaps, ruleFor: (url) => decide(rules, url) };
}

interface RobotsRecord {
  readonly key: string;
  readonly value: string;
  readonly line: number;
  readonly text: string;
}

function* recordsOf(text: string): Generator<RobotsRecord> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  for (const [index, whole] of lines.entries()) {
    const [content = ''] = whole.split('#', 1);
    const colon = content.indexOf(':');
    if (colon < 0) continue;
    yield {
      key: content.slice(0, colon).trim().toLowerCase(),
      value: content.slice(colon + 1).trim(),
      line: index + 1,
      text: content.trim(),
    };
  }
}

/** `*` alone, or followed by text that is ignored. */
function isEveryone(value: string): boolean {
  return value === '*' || value.startsWith('* ') || value.startsWith('*\t');
}

/** A product token ends at the first other character: a version after it is ignored (RFC 9309, 2.2.1). */
function tokenOf(value: string): string {
  return (/^[A-Za-z_-]+/.exec(value)?.[0] ?? '').toLowerCase();
}

function secondsOf(value: string): number | undefined {
  return /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : undefined;
}

function decide(rules: readonly OwnRule[], url: URL): RobotsRule | undefined {
  // The file itself is always allowed (RFC 9309, 2.2.2).
  if (url.pathname === '/robots.txt') return undefined;
  // `search` would omit a question mark without a query.
  const [, target = ''] = /^[^:]+:\/\/[^/?#]*([^#]*)/.exec(url.href) ?? [];
  const path = normalizePath(target.slice(0, MAX_PATH));
  let deciding: OwnRule | undefined;
  for (const rule of rules) {
    const { length } = rule.pattern;
    const longest = deciding?.pattern.length ?? -1;
    const wins = length > longest || (length === longest && rule.kind === 'allow' && deciding?.kind === 'disallow');
    if (wins && matchesPath(rule.pattern, path)) deciding = rule;
  }
  return deciding && { kind: deciding.kind, line: deciding.line, text: deciding.text };
}

/** A compiled rule pattern. */
interface PathPattern {
  /** The parts between the `*`, normalized. */
  readonly parts: readonly string[];
  /** It ends in `$` and must match the end of the path. */
  readonly anchored: boolean;
  /** Length of the normalized pattern in octets: the longest match decides (RFC 9309, 2.2.2). */
  readonly length: number;
}

/** Parses `*` and a final `$` (RFC 9309, 2.2.3). Elsewhere `$` is an ordinary character. */
function parsePattern(text: string): PathPattern {
  const normalized = normalizePath(text, (character, index) => character === '*' || (character === '$' && index === text.length - 1));
  const anchored = normalized.endsWith('$');
  const parts = (anchored ? normalized.slice(0, -1) : normalized).split('*');
  return { parts, anchored, length: normalized.length };
}

/** Whether the pattern matches a normalized path. Each part is searched from the end of the previous match, without backtracking. */
function matchesPath({ parts, anchored }: PathPattern, path: string): boolean {
  const [first = '', ...rest] = parts;
  const last = anchored ? rest.pop() : undefined;
  if (anchored && last === undefined) return path === first;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return last === undefined || (path.length - last.length >= at && path.endsWith(last));
}

/**
 * Path and query in the canonical form in which rules and URLs are compared (RFC 9309, 2.2.2). Octets outside ASCII are percent-encoded,
 * encoded unreserved octets are decoded, and hexadecimal digits are upper case. `*` and `$` are encoded, except those listed in `keep`.
 */
function normalizePath(text: string, keep: (character: string, index: number) => boolean = () => false): string {
  let out = '';
  let inQuery = false;
  for (let index = 0; index < text.length;) {
    const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
    const octet = character === '%' ? octetAt(text, index) : undefined;
    if (octet !== undefined) out += spellOctet(octet, { inQuery });
    else if (keep(character, index)) out += character;
    else out += spellCharacter(character);
    inQuery ||= character === '?';
    index += octet === undefined ? character.length : 3;
  }
  return out;
}

function octetAt(text: string, index: number): number | undefined {
  const digits = text.slice(index + 1, index + 3);
  return /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined;
}

function spellOctet(octet: number, { inQuery }: { readonly inQuery: boolean }): string {
  const character = String.fromCharCode(octet);
  return UNRESERVED.test(character) || (inQuery && PLAIN_IN_QUERY.test(character)) ? character : encodeOctet(octet);
}

function spellCharacter(character: string): string {
  const isBare = /[\x21-\x7e]/.test(character) && !/["<>^`{|}*$]/.test(character);
  return isBare ? character : [...Buffer.from(character)].map(encodeOctet).join('');
}

function encodeOctet(octet: number): string {
  return `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;
}
