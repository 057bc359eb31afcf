import { chooseDelimiters, type Delimiter } from './delimiters.js';
import { escapeTexts, type TextPlace } from './escape.js';
import { parseInline } from './inline-tree.js';
import { flattenInline, type Piece } from './pieces.js';
import { MARK } from './marks.js';
import { tidyInline } from './tidy.js';
import { writeAutolink } from './autolink.js';

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

export interface InlineOptions {
  readonly gfm: boolean;
  /** The context of the content: a heading is one line; a table cell is one line with escaped pipes. */
  readonly place: 'paragraph' | 'heading' | 'cell';
}

/** Absent from most blocks: marks, and all characters that may need escaping within a line. */
const SPECIAL = /[\uFDD0-\uFDEF\\`*_~[\]!<&|@\n\t]|:\/\/|www\./i;

/** The backslash is visible, and editors do not remove it. */
const LINE_BREAKS = { paragraph: '\\\n', heading: ' ', cell: '<br>' } as const;

/** Converts a block's inline content from the marks of Turndown's rules to Markdown; empty if nothing is visible. */
export function finishInline(marked: string, { gfm, place }: InlineOptions): string {
  const cell = place === 'cell';
  const plain = marked.replaceAll(MARK.guard, '');
  if (!SPECIAL.test(plain))
    return finishPlain(
      plain
        .trimEnd()
        .replace(/^[ \t\r\n\f]+/, '')
        .replace(/ {2,}/g, ' '),
      place,
    );
  const inlines = tidyInline(parseInline(marked));
  const parts = flattenInline(inlines, {
    lineBreak: LINE_BREAKS[place],
    writeAuto: writeAutolink({ gfm }),
    writeCode: cell ? writeCellCode : writeCode,
  });
  const delimiters = chooseDelimiters(parts, { gfm });
  const [only] = parts.pieces;
  if (place === 'paragraph' && only?.kind === 'maths' && parts.pieces.length === 1 && only.value.startsWith('$$'))
    return displayedMaths(only.value);
  const written = writePieces(parts.pieces, delimiters, { cell });
  // A task's check box is not text, and no block begins after it.
  const box = place === 'paragraph' && only?.kind === 'out' && /^\[[ x]\]$/.test(only.value) ? only.value : '';
  return box + finishPlain(written.slice(box.length), place);
}

function finishPlain(text: string, place: InlineOptions['place']): string {
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
function fencedMaths(text: string, { cell }: { readonly cell: boolean }): string {
  const tex = withoutDollars(text);
  const ticks = '`'.repeat(longestRun(tex, '`') + 1);
  // TeX has commands for characters that a cell cannot contain.
  return `$${ticks}${cell ? tex.replaceAll('\\|', '\\Vert ').replaceAll('|', '\\vert ') : tex}${ticks}$`;
}

function withoutDollars(text: string): string {
  return text.replace(/^\$+|(?<!\$)\$+$/g, '');
}

/** A display formula: between dollars if no parser would change it, else as a code block in the language that renderers know for it. */
function displayedMaths(text: string): string {
  const [escaped] = escapeTexts([{ value: text, before: '', after: '', inLink: false }], { cell: false, own: new Set() });
  if (escaped === text) return text;
  const tex = withoutDollars(text);
  const ticks = '`'.repeat(Math.max(3, longestRun(tex, '`') + 1));
  return `${ticks}math\n${tex}\n${ticks}`;
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

/** Code between more backticks than it contains in a row (CommonMark 6.1). */
function writeCode(code: string): string {
  const ticks = '`'.repeat(longestRun(code, '`') + 1);
  const blankEnds = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '';
  return code.startsWith('`') || code.endsWith('`') || blankEnds ? `${ticks} ${code} ${ticks}` : ticks + code + ticks;
}

/** In a table cell a pipe is escaped even in code, but a backslash before it cannot be (GFM 4.10): such code is written as HTML. */
function writeCellCode(code: string): string {
  if (!code.includes('\\|')) return writeCode(code);
  return `<code>${code.replace(/[!-/:-@[-`{-~]/g, (character) => `&#${String(character.charCodeAt(0))};`)}</code>`;
}

export function longestRun(text: string, character: string): number {
  let longest = 0;
  let run = 0;
  for (const each of text) {
    run = each === character ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}
