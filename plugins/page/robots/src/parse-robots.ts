import { matchesPath, parsePattern, type PathPattern } from './match-path.js';
import { normalisePath } from './normalise-path.js';

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
  const path = normalisePath(target.slice(0, MAX_PATH));
  let deciding: OwnRule | undefined;
  for (const rule of rules) {
    const { length } = rule.pattern;
    const longest = deciding?.pattern.length ?? -1;
    const wins = length > longest || (length === longest && rule.kind === 'allow' && deciding?.kind === 'disallow');
    if (wins && matchesPath(rule.pattern, path)) deciding = rule;
  }
  return deciding && { kind: deciding.kind, line: deciding.line, text: deciding.text };
}
