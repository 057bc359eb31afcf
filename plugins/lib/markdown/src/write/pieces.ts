import type { Emphasis, Inline, Target } from '../tree.js';

/** The parts of a line, in output order. */
export type Piece =
  /** `maths`: TeX between dollars, which is read like text but cannot be escaped. */
  | { readonly kind: 'text' | 'maths'; readonly value: string; readonly inLink: boolean }
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
  readonly gfm: boolean;
  /** In a table's cell. */
  readonly cell: boolean;
  /** The notation of a line break. */
  readonly lineBreak: string;
}

export function flattenInline(inlines: readonly Inline[], options: PieceOptions): Pieces {
  const pieces: Piece[] = [];
  const pairs: Emphasis[] = [];
  const out = (value: string) => pieces.push({ kind: 'out', value });
  const walk = (list: readonly Inline[], { inLink }: { readonly inLink: boolean }) => {
    for (const [at, inline] of list.entries()) {
      switch (inline.kind) {
        case 'text':
        case 'maths':
          pieces.push({ kind: inline.kind, value: inline.value, inLink });
          break;
        case 'raw':
          out(inline.value);
          break;
        case 'code':
          out(options.cell ? writeCellCode(inline.value) : writeCode(inline.value));
          break;
        case 'autolink':
          out(writeAutolink(inline.value, neighborsOf(list, at), options));
          break;
        case 'break':
          out(options.lineBreak);
          break;
        case 'check box':
          out(inline.checked ? '☑' : '☐');
          break;
        case 'image':
          pieces.push({ kind: 'enter', value: '![' });
          if (inline.alt !== '') pieces.push({ kind: 'text', value: inline.alt, inLink: true });
          pieces.push({ kind: 'leave', value: writeTarget(inline) });
          break;
        case 'link':
          pieces.push({ kind: 'enter', value: '[' });
          walk(inline.children, { inLink: true });
          pieces.push({ kind: 'leave', value: writeTarget(inline) });
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
function neighborsOf(list: readonly Inline[], at: number): readonly [string | undefined, string | undefined] {
  const character = (inline: Inline | undefined, side: 0 | -1) => {
    if (inline === undefined) return undefined;
    if (inline.kind === 'break') return '\n';
    return inline.kind === 'text' ? inline.value.at(side) : '*';
  };
  return [character(list[at - 1], -1), character(list[at + 1], 0)];
}

/** The URLs that GFM (6.9) links without brackets in every parser, with the same end: the last character is plain. */
const BARE = /^https?:\/\/[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?::\d+)?(?:\/[A-Za-z0-9/._~%=&?#+,;:@-]*[A-Za-z0-9/=#+-])?$/;

/** `<https://example.com/>`, or in GFM without brackets if its neighbors allow that. */
function writeAutolink(
  url: string,
  [before, after]: readonly [string | undefined, string | undefined],
  { gfm }: { readonly gfm: boolean },
): string {
  const alone = (before === undefined || /[\s(]/.test(before)) && (after === undefined || /[\s)]/.test(after));
  return gfm && alone && BARE.test(url) ? url : `<${url}>`;
}

/** `](destination "title")`, from the end of a link's text to the end of the link. */
function writeTarget({ address, title }: Target): string {
  const shown = title.replace(/\s+/g, ' ').trim();
  return `](${writeAddress(address)}${shown === '' ? '' : ` "${escapeEntities(shown.replace(/[\\"]/g, '\\$&'))}"`})`;
}

/** Unchanged if possible, else between angle brackets (CommonMark 6.3). Spaces at the ends are not part of a URL. */
function writeAddress(address: string): string {
  const url = address.trim().replace(/[\t\n\r]+/g, '');
  if (url === '') return '';
  const bare = !/[\u0000-\u0020\u007F]/.test(url) && !url.startsWith('<') && isBalanced(url);
  if (bare) return escapeEntities(url.replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\'));
  return `<${escapeEntities(url.replace(/[\\<>]/g, '\\$&'))}>`;
}

/** Balanced parentheses; parsers need to support only 32 levels. */
function isBalanced(url: string): boolean {
  let depth = 0;
  for (const character of url) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0 || depth > 30) return false;
  }
  return depth === 0;
}

function escapeEntities(text: string): string {
  return text.replace(/&(?=#?[A-Za-z0-9]+;)/g, '\\&');
}

/** Code between more backticks than it contains in a row (CommonMark 6.1). */
function writeCode(code: string): string {
  const ticks = ticksAround(code, 1);
  const blankEnds = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '';
  return code.startsWith('`') || code.endsWith('`') || blankEnds ? `${ticks} ${code} ${ticks}` : ticks + code + ticks;
}

/** In a table cell a pipe is escaped even in code, but a backslash before it cannot be (GFM 4.10): such code is written as HTML. */
function writeCellCode(code: string): string {
  if (!code.includes('\\|')) return writeCode(code);
  return `<code>${code.replace(/[!-/:-@[-`{-~]/g, (character) => `&#${String(character.charCodeAt(0))};`)}</code>`;
}

/** A code block between a fence that is longer than any in it (CommonMark 4.5). */
export function fence(code: string, language: string): string {
  const ticks = ticksAround(code, 3);
  return `${ticks}${language}\n${code}\n${ticks}`;
}

/** More backticks than the text contains in a row. */
export function ticksAround(text: string, least: number): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
  return '`'.repeat(Math.max(least, longest + 1));
}
