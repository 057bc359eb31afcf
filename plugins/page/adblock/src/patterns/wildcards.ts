/** What `^` stands for: any character that is none of these, or the end. */
const NO_SEPARATOR = /[\w.%-]/;

export interface Anchors {
  /** The pattern begins where the text does. */
  readonly left: boolean;
  /** It ends where the text does. */
  readonly right: boolean;
}

/**
 * Whether a pattern of a rule (`*` is anything, `^` a separator or the end) is found in a text: piece by piece, each where it comes first, so that
 * no more than their lengths' product is ever looked at. Letters are compared as they are written.
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

/** What stands between two wildcards; its ends are undefined where it is not there. */
interface Piece {
  endAt(text: string, start: number): number | undefined;
  /** The end of the first one that begins there or later. */
  find(text: string, from: number): number | undefined;
  /** Whether one that begins there or later ends where the text does. */
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
        // A literal part is found by the engine, far sooner than by one look after the other.
        const next = literal === '' ? start + offset : text.indexOf(literal, start + offset);
        if (next === -1) return undefined;
        start = next - offset;
        const end = endAt(text, start);
        if (end !== undefined) return end;
      }
      return undefined;
    },
    endsIn(text, from) {
      // Separators at the end may stand for the end itself, each of them.
      for (let start = Math.max(from, text.length - piece.length); start <= text.length - piece.length + ends; start++) {
        if (endAt(text, start) === text.length) return true;
      }
      return false;
    },
  };
}
