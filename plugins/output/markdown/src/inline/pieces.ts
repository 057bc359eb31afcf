import type { Emphasis, Inline } from './inline-tree.js';

/** The parts of a block's content, in output order. */
export type Piece =
  | { readonly kind: 'text'; readonly value: string; readonly inLink: boolean }
  /** TeX between dollars: like text, but never escaped. */
  | { readonly kind: 'maths'; readonly value: string; readonly inLink: boolean }
  /** Finished Markdown. */
  | { readonly kind: 'out'; readonly value: string }
  /** `[` or `![`, and the rest of the link. */
  | { readonly kind: 'enter' | 'leave'; readonly value: string }
  | { readonly kind: 'delimiter'; readonly pair: number; readonly side: 'open' | 'close' };

export interface Pieces {
  readonly pieces: readonly Piece[];
  /** The kind of each pair of delimiters, by its number. */
  readonly pairs: readonly Emphasis[];
}

export interface PieceOptions {
  /** The notation of a line break. */
  readonly lineBreak: string;
  writeCode(code: string): string;
  /** A URL that is its own text, between these two characters. */
  writeAuto(target: string, before: string | undefined, after: string | undefined): string;
}

export function flattenInline(inlines: readonly Inline[], options: PieceOptions): Pieces {
  const pieces: Piece[] = [];
  const pairs: Emphasis[] = [];
  const walk = (list: readonly Inline[], { inLink }: { readonly inLink: boolean }) => {
    for (const [at, inline] of list.entries()) {
      switch (inline.kind) {
        case 'text':
          pieces.push({ kind: 'text', value: inline.value, inLink });
          break;
        case 'raw':
          pieces.push({ kind: 'out', value: inline.value });
          break;
        case 'code':
          pieces.push({ kind: 'out', value: options.writeCode(inline.value) });
          break;
        case 'maths':
          pieces.push({ kind: 'maths', value: inline.value, inLink });
          break;
        case 'auto':
          pieces.push({ kind: 'out', value: options.writeAuto(inline.value, ...neighbors(list, at)) });
          break;
        case 'break':
          pieces.push({ kind: 'out', value: options.lineBreak });
          break;
        case 'link':
        case 'image':
          pieces.push({ kind: 'enter', value: inline.kind === 'image' ? '![' : '[' });
          walk(inline.children, { inLink: true });
          pieces.push({ kind: 'leave', value: inline.target });
          break;
        default: {
          const pair = pairs.push(inline.kind) - 1;
          pieces.push({ kind: 'delimiter', pair, side: 'open' });
          walk(inline.children, { inLink });
          pieces.push({ kind: 'delimiter', pair, side: 'close' });
        }
      }
    }
  };
  walk(inlines, { inLink: false });
  return { pieces, pairs };
}

/** Undefined at the ends; a character other than a space next to something that is not text. */
function neighbors(list: readonly Inline[], at: number): [string | undefined, string | undefined] {
  const character = (inline: Inline | undefined, side: 0 | -1) => {
    if (inline === undefined) return undefined;
    if (inline.kind === 'break') return '\n';
    return inline.kind === 'text' ? inline.value.at(side) : '*';
  };
  return [character(list[at - 1], -1), character(list[at + 1], 0)];
}
