import { tidyInline } from '../tidy.js';
import type { Inline } from '../tree.js';
import { chooseDelimiters, type Delimiter } from './delimiters.js';
import { escapeTexts, type TextPlace } from './escape.js';
import { fence, flattenInline, type Piece, ticksAround } from './pieces.js';

/** Text at the start of a line that would begin or end a block, with the character to escape. */
const ANYWHERE: readonly (readonly [RegExp, string])[] = [
  // Bullets and thematic breaks.
  [/^[-+*](?=\s|$)/, '\\$&'],
  [/^(?=([-_*])(?: *\1){2,} *$)/, '\\'],
  [/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2'],
  [/^#{1,6}(?=\s|$)/, '\\$&'],
  [/^>/, '\\>'],
  // A link reference definition.
  [/^\[(?=(?:[^[\]\\]|\\.)+\]:)/, '\\['],
  // The delimiter row of a table.
  [/^(?=[|:-])(?=[\s|:]*-)(?=[\s|:-]*$)/, '\\'],
];

/** The underline of a heading. */
const AFTER_TEXT: readonly (readonly [RegExp, string])[] = [[/^(?==+\s*$)/, '\\']];

/** A check box of a task list: text that begins with it is not a task. */
const AT_FIRST: readonly (readonly [RegExp, string])[] = [[/^\[(?=[ xX]\](?:\s|$))/, '\\[']];

const SUSPECT = /^[-+*_#>=[|:0-9]/;

export interface WriteOptions {
  readonly gfm: boolean;
}

/** The context of a line: a heading has no line breaks; a table cell has none, and its pipes are escaped. */
type Place = 'paragraph' | 'heading' | 'cell';

/** The backslash is visible, and editors do not remove it. */
const LINE_BREAKS: Readonly<Record<Place, string>> = { paragraph: '\\\n', heading: ' ', cell: '<br>' };

/** Absent from most texts: all characters that may need escaping within a line. */
const SPECIAL = /[\\`*_~[\]!<&|@]|:\/\/|www\./i;

/** A line's Markdown; empty if nothing is visible. */
export function writeInline(content: readonly Inline[], place: Place, { gfm }: WriteOptions): string {
  const inlines = tidyInline(content);
  const [only, ...others] = inlines;
  if (only === undefined) return '';
  if (others.length === 0) {
    if (only.kind === 'text' && !SPECIAL.test(only.value)) return finishLine(only.value, place);
    if (only.kind === 'maths' && only.value.startsWith('$$') && place === 'paragraph') return displayedMaths(only.value);
  }
  const cell = place === 'cell';
  const parts = flattenInline(inlines, { gfm, cell, lineBreak: LINE_BREAKS[place] });
  const written = writePieces(parts.pieces, chooseDelimiters(parts, { gfm }), { cell });
  // A task's check box is not text, and no block begins after it.
  const box = only.kind === 'raw' && /^\[[ x]\]$/.test(only.value) ? only.value : '';
  return box + finishLine(written.slice(box.length), place);
}

function finishLine(text: string, place: Place): string {
  if (place === 'paragraph') return escapeLineStarts(text);
  return place === 'heading' ? escapeClosing(text) : text;
}

/** A heading's trailing hashes would be read as its closing sequence. */
function escapeClosing(text: string): string {
  return text.replace(/(^|\s)(#+)$/, '$1\\$2');
}

function writePieces(pieces: readonly Piece[], delimiters: readonly Delimiter[], { cell }: { readonly cell: boolean }): string {
  const plain = pieces.map((piece) => writePlainly(piece, delimiters));
  const own = new Set(delimiters.map(({ open }) => open.charAt(0)));
  const places: TextPlace[] = [];
  pieces.forEach((piece, at) => {
    if (piece.kind !== 'text' && piece.kind !== 'maths') return;
    places.push({ value: piece.value, before: plain[at - 1] ?? '', after: plain[at + 1] ?? '', inLink: piece.inLink });
  });
  const escaped = escapeTexts(places, { cell, own });
  let next = 0;
  return pieces
    .map((piece, at) => {
      if (piece.kind === 'text') return escaped[next++] ?? '';
      if (piece.kind === 'maths') return escaped[next++] === piece.value ? piece.value : fencedMaths(piece.value, { cell });
      return cell && piece.kind !== 'delimiter' ? escapePipes(plain[at] ?? '') : (plain[at] ?? '');
    })
    .join('');
}

function writePlainly(piece: Piece, delimiters: readonly Delimiter[]): string {
  return piece.kind === 'delimiter' ? (delimiters[piece.pair]?.[piece.side] ?? '') : piece.value;
}

/** TeX that a parser would change, in a form that protects it: a code span between the dollars. */
function fencedMaths(value: string, { cell }: { readonly cell: boolean }): string {
  const tex = withoutDollars(value);
  const ticks = ticksAround(tex, 1);
  // TeX has commands for characters that a cell cannot contain.
  return `$${ticks}${cell ? tex.replaceAll('\\|', '\\Vert ').replaceAll('|', '\\vert ') : tex}${ticks}$`;
}

function withoutDollars(value: string): string {
  return value.replace(/^\$+|(?<!\$)\$+$/g, '');
}

/** A display formula: between dollars if no parser would change it, else as a code block in the language that renderers know for it. */
function displayedMaths(value: string): string {
  const [escaped] = escapeTexts([{ value, before: '', after: '', inLink: false }], { cell: false, own: new Set() });
  return escaped === value ? value : fence(withoutDollars(value), 'math');
}

/** In a cell a pipe is escaped even in code (GFM 4.10). */
function escapePipes(markdown: string): string {
  return markdown.replaceAll('|', '\\|');
}

/** Escapes the beginnings of a paragraph's lines where they would change its meaning. */
function escapeLineStarts(markdown: string): string {
  if (!markdown.includes('\n') && !SUSPECT.test(markdown)) return markdown;
  return markdown
    .split('\n')
    .map((line, at) => [...ANYWHERE, ...(at === 0 ? AT_FIRST : AFTER_TEXT)].reduce(escapeStart, line))
    .join('\n');
}

/** One escape is enough: an escaped line begins with it. */
function escapeStart(line: string, [pattern, replacement]: readonly [RegExp, string]): string {
  return line.startsWith('\\') ? line : line.replace(pattern, replacement);
}
