import { normalisePath } from './normalise-path.js';

/** A rule's pattern, ready to be compared. */
export interface PathPattern {
  /** What stands between the `*`, normalized. */
  readonly parts: readonly string[];
  /** It ends in `$`: the path ends where the pattern does. */
  readonly anchored: boolean;
  /** Octets of the normalized pattern: the longest one that matches decides (RFC 9309, 2.2.2). */
  readonly length: number;
}

/** Reads `*` and a `$` at the end as RFC 9309 (2.2.3) does; anywhere else `$` is a character like others. */
export function parsePattern(text: string): PathPattern {
  const normalised = normalisePath(text, (character, index) => character === '*' || (character === '$' && index === text.length - 1));
  const anchored = normalised.endsWith('$');
  const parts = (anchored ? normalised.slice(0, -1) : normalised).split('*');
  return { parts, anchored, length: normalised.length };
}

/** Whether the pattern matches a normalized path. Looks at no character of the path twice for one part, however many `*` there are. */
export function matchesPath({ parts, anchored }: PathPattern, path: string): boolean {
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
