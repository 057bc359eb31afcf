import type { Rect } from '@platen/kernel';

/** The characters of refs, seven rows of five dots each. */
const GLYPHS: Readonly<Record<string, readonly string[]>> = {
  e: ['     ', '     ', ' ### ', '#   #', '#####', '#    ', ' ### '],
  0: [' ### ', '#   #', '#  ##', '# # #', '##  #', '#   #', ' ### '],
  1: ['  #  ', ' ##  ', '  #  ', '  #  ', '  #  ', '  #  ', ' ### '],
  2: [' ### ', '#   #', '    #', '   # ', '  #  ', ' #   ', '#####'],
  3: [' ### ', '#   #', '    #', '  ## ', '    #', '#   #', ' ### '],
  4: ['   # ', '  ## ', ' # # ', '#  # ', '#####', '   # ', '   # '],
  5: ['#####', '#    ', '#### ', '    #', '    #', '#   #', ' ### '],
  6: [' ### ', '#    ', '#    ', '#### ', '#   #', '#   #', ' ### '],
  7: ['#####', '    #', '   # ', '  #  ', '  #  ', '  #  ', '  #  '],
  8: [' ### ', '#   #', '#   #', ' ### ', '#   #', '#   #', ' ### '],
  9: [' ### ', '#   #', '#   #', ' ####', '    #', '    #', ' ### '],
};
/** Pixels of a dot. */
const DOT = 2;
const ADVANCE = 6;

/** Pixels. */
export const TEXT_HEIGHT = 7 * DOT;

/** Width in pixels of a ref. */
export function textWidth(text: string): number {
  return (text.length * ADVANCE - 1) * DOT;
}

/** The dots of a ref as rectangles in pixels. */
export function textMask(text: string): readonly Rect[] {
  return Array.from(text).flatMap((character, at) =>
    (GLYPHS[character] ?? []).flatMap((row, y) =>
      Array.from(row).flatMap((dot, x) => (dot === '#' ? [{ x: (at * ADVANCE + x) * DOT, y: y * DOT, width: DOT, height: DOT }] : [])),
    ),
  );
}
