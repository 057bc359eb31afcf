import { normalisePath } from './normalise-path.js';

/** A compiled rule pattern. */
export interface PathPattern {
  /** The parts between the `*`, normalized. */
  readonly parts: readonly string[];
  /** It ends in `$` and must match the end of the path. */
  readonly anchored: boolean;
  /** Length of the normalized pattern in octets: the longest match decides (RFC 9309, 2.2.2). */
  readonly length: number;
}

/** Parses `*` and a final `$` (RFC 9309, 2.2.3). Elsewhere `$` is an ordinary character. */
export function parsePattern(text: string): PathPattern {
  const normalised = normalisePath(text, (character, index) => character === '*' || (character === '$' && index === text.length - 1));
  const anchored = normalised.endsWith('$');
  const parts = (anchored ? normalised.slice(0, -1) : normalised).split('*');
  return { parts, anchored, length: normalised.length };
}

/** Whether the pattern matches a normalized path. Each part is searched from the end of the previous match, without backtracking. */
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
