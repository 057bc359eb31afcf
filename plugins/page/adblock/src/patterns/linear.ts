import { NetworkFilter } from '@ghostery/adblocker';
import { RE2JS } from 're2js';

/** `^` matches any character outside this set, or the end. */
const NO_SEPARATOR = /[\w.%-]/;

/** A regular expression that supports `test` only, which is the only method that engines call. */
const patternOf = (test: (text: string) => boolean): RegExp => Object.assign(new RegExp('(?:)'), { test });

const ANYTHING = patternOf(() => true);

/**
 * Makes all engines of this process match in time linear in the text length. The library turns rules into backtracking regular expressions.
 * With a `*` between words, or an expression from a list, any page could block the process for minutes with one URL. The prototype is
 * patched because rules from lists and rules from cached engines share nothing else.
 */
export function matchLinearly(): void {
  NetworkFilter.prototype.getRegex = function (this: NetworkFilter): RegExp {
    return (this.regex ??= compile(this));
  };
}

function compile(filter: NetworkFilter): RegExp {
  const { filter: text, isCaseSensitive } = filter;
  if (text === undefined || !filter.isRegex()) return ANYTHING;
  if (filter.isFullRegex()) {
    const expression = compileExpression(filter);
    return patternOf((url) => expression.test(url));
  }
  // For case-insensitive rules the engine passes a lower-case URL. URLs have no letters outside ASCII.
  const pattern = isCaseSensitive ? text : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return patternOf(wildcardMatcher(pattern, { left: filter.isLeftAnchor(), right: filter.isRightAnchor() }));
}

/** Throws for patterns that need backtracking: lookahead, back references, a thousand repetitions. */
function compileExpression(filter: NetworkFilter): RE2JS {
  const source = RE2JS.translateRegExp(filter.getFilter().slice(1, -1));
  return RE2JS.compile(source, filter.isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
}

/** Whether a rule can be matched in linear time. */
export function isLinear(filter: NetworkFilter): boolean {
  if (!filter.isFullRegex()) return true;
  try {
    compileExpression(filter);
    return true;
  } catch {
    return false;
  }
}

interface Anchors {
  /** The pattern is anchored at the start of the text. */
  readonly left: boolean;
  /** The pattern is anchored at the end of the text. */
  readonly right: boolean;
}

/**
 * Whether a rule pattern (`*` matches anything, `^` a separator or the end) matches a text. Searches the parts between wildcards from left
 * to right and takes the first match of each, so the cost is at most the product of both lengths. Case-sensitive.
 */
function wildcardMatcher(pattern: string, { left, right }: Anchors): (text: string) => boolean {
  const pieces = pattern.split('*').map(createPiece);
  const last = pieces.at(-1);
  return (text) => {
    let at = 0;
    for (const [index, piece] of pieces.entries()) {
      const isFixed = left && index === 0;
      if (right && piece === last) return isFixed ? piece.endAt(text, 0) === text.length : piece.endsIn(text, at);
      const end = isFixed ? piece.endAt(text, at) : piece.find(text, at);
      if (end === undefined) return false;
      at = end;
    }
    return true;
  };
}

/** A part between two wildcards. Its end is undefined if the part is not found. */
interface Piece {
  endAt(text: string, start: number): number | undefined;
  /** The end of the first match at or after this position. */
  find(text: string, from: number): number | undefined;
  /** Whether a match at or after this position ends at the end of the text. */
  endsIn(text: string, from: number): boolean;
}

function createPiece(piece: string): Piece {
  const [literal = ''] = /[^^]+/.exec(piece) ?? [];
  const offset = piece.indexOf(literal);
  const ends = /\^*$/.exec(piece)?.[0].length ?? 0;
  const endAt = (text: string, start: number): number | undefined => {
    for (let index = 0; index < piece.length; index++) {
      const [expected, given] = [piece[index], text[start + index]];
      if (expected === '^' ? given !== undefined && NO_SEPARATOR.test(given) : given !== expected) return undefined;
    }
    return Math.min(start + piece.length, text.length);
  };
  return {
    endAt,
    find(text, from) {
      if (literal === piece) {
        const start = text.indexOf(piece, from);
        return start === -1 ? undefined : start + piece.length;
      }
      for (let start = from; start <= text.length; start++) {
        // A literal part is found with `indexOf`, which is much faster than a check at each position.
        const next = literal === '' ? start + offset : text.indexOf(literal, start + offset);
        if (next === -1) return undefined;
        start = next - offset;
        const end = endAt(text, start);
        if (end !== undefined) return end;
      }
      return undefined;
    },
    endsIn(text, from) {
      // Each separator at the end of the part may match the end of the text.
      for (let start = Math.max(from, text.length - piece.length); start <= text.length - piece.length + ends; start++) {
        if (endAt(text, start) === text.length) return true;
      }
      return false;
    },
  };
}
