/** `^` matches any character outside this set, or the end. */
const NO_SEPARATOR = /[\w.%-]/;

export interface Anchors {
  /** The pattern is anchored at the start of the text. */
  readonly left: boolean;
  /** The pattern is anchored at the end of the text. */
  readonly right: boolean;
}

/**
 * Whether a rule pattern (`*` matches anything, `^` a separator or the end) matches a text. Searches the parts between wildcards from left
 * to right and takes the first match of each, so the cost is at most the product of both lengths. Case-sensitive.
 */
export function wildcardMatcher(pattern: string, { left, right }: Anchors): (text: string) => boolean {
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
