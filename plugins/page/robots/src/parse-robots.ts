import { matchesPath, parsePattern, type PathPattern } from './match-path.js';
import { normalisePath } from './normalise-path.js';

/** The line that decided about a URL. */
export interface RobotsRule {
  readonly kind: 'allow' | 'disallow';
  /** Counted from 1. */
  readonly line: number;
  /** As it is written: `Disallow: /private`. */
  readonly text: string;
}

/** What a robots.txt says to one product token. */
export interface RobotsRules {
  /** The deciding rule: the longest that matches, `allow` where an `allow` is as long. Undefined: no rule matches, the URL is allowed. */
  ruleFor(url: URL): RobotsRule | undefined;
  /** Seconds between two requests; no part of RFC 9309, and widely used. */
  readonly crawlDelay: number | undefined;
  /** Absolute URLs as they are written; they belong to no group. */
  readonly sitemaps: readonly string[];
}

interface OwnRule extends RobotsRule {
  readonly pattern: PathPattern;
}

interface Group {
  rules: OwnRule[];
  crawlDelay: number | undefined;
  /** Some line named it. */
  named: boolean;
}

/** What lies beyond is not read: RFC 9309 (2.5) asks for at least so many bytes. */
export const MAX_BYTES = 500 * 1024;

/** Characters of a URL that rules look at: no rule is that long, and what is compared must be bounded where both sides are a stranger's. */
const MAX_PATH = 16 * 1024;

/** The rules of a robots.txt for a product token (RFC 9309, 2.2). Never throws: lines that make no sense are no lines. */
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

/** `*` alone, or with words behind it that mean nothing. */
function isEveryone(value: string): boolean {
  return value === '*' || value.startsWith('* ') || value.startsWith('*\t');
}

/** A product token ends where its characters do: a version behind it is none of it (RFC 9309, 2.2.1). */
function tokenOf(value: string): string {
  return (/^[A-Za-z_-]+/.exec(value)?.[0] ?? '').toLowerCase();
}

function secondsOf(value: string): number | undefined {
  return /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : undefined;
}

function decide(rules: readonly OwnRule[], url: URL): RobotsRule | undefined {
  // The file itself is always allowed (RFC 9309, 2.2.2).
  if (url.pathname === '/robots.txt') return undefined;
  // `search` would leave out a question mark with nothing behind it.
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
