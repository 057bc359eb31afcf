import { type Emphasis, type Inline, isWrapper, text, type Wrapper } from './tree.js';

const LEADING = /^\s+/;
/** A no-break space at the beginning of a line indents it, and parsers do not remove it. */
const LEADING_BLANKS = /^[ \t\r\n\f]+/;
const TRAILING = /(?<!\s)\s+$/;

/**
 * Tidies the content without changing its meaning: moves spaces out of emphasis, merges adjacent elements of one kind, removes empty ones.
 */
export function tidyInline(inlines: readonly Inline[]): readonly Inline[] {
  return trimEnds(tidyList(inlines, new Set()));
}

/** Tidied, with spaces for line breaks. */
export function inOneLine(inlines: readonly Inline[]): readonly Inline[] {
  return tidyInline(withoutBreaks(inlines));
}

function withoutBreaks(inlines: readonly Inline[]): readonly Inline[] {
  return inlines.map((inline) => {
    if (inline.kind === 'break') return text(' ');
    return isWrapper(inline) ? { ...inline, children: withoutBreaks(inline.children) } : inline;
  });
}

function tidyList(inlines: readonly Inline[], within: ReadonlySet<Inline['kind']>): readonly Inline[] {
  const out: Inline[] = [];
  for (const inline of inlines) {
    for (const piece of tidyOne(inline, within)) append(out, piece);
  }
  return out;
}

/** Nested emphasis of the same kind has no effect: strong in strong is strong. */
function tidyOne(inline: Inline, within: ReadonlySet<Inline['kind']>): readonly Inline[] {
  if (!isWrapper(inline)) return [inline];
  if (within.has(inline.kind)) return tidyList(inline.children, within);
  return hoistBlanks(inline, tidyList(inline.children, new Set([...within, inline.kind])));
}

/** ` x ` in emphasis or a link: the spaces move outside, unless they prevent a delimiter from being valid there. */
function hoistBlanks(wrapper: Wrapper, inlines: readonly Inline[]): readonly Inline[] {
  const children = [...inlines];
  const before = takeBlanks(children, 'first');
  const after = takeBlanks(children, 'last');
  return children.length === 0 ? [...before, ...after] : [...before, { ...wrapper, children }, ...after];
}

/** Removes the white space and the line breaks at one end, and returns them. */
function takeBlanks(children: Inline[], side: 'first' | 'last'): readonly Inline[] {
  const blanks: Inline[] = [];
  const isFirst = side === 'first';
  for (;;) {
    const end = children.at(isFirst ? 0 : -1);
    const blank = end?.kind === 'text' ? (isFirst ? LEADING : TRAILING).exec(end.value)?.[0] : undefined;
    if (end === undefined || (end.kind !== 'break' && blank === undefined)) return isFirst ? blanks : blanks.reverse();
    const rest = end.kind === 'text' ? end.value.replace(isFirst ? LEADING : TRAILING, '') : '';
    blanks.push(blank === undefined ? end : text(blank));
    children.splice(isFirst ? 0 : -1, 1, ...(rest === '' ? [] : [text(rest)]));
  }
}

function append(out: Inline[], piece: Inline): void {
  const last = out.at(-1);
  if (piece.kind === 'text') {
    const value = last?.kind === 'break' ? piece.value.replace(/^ +/, '') : piece.value;
    if (last?.kind === 'text') out[out.length - 1] = text(joinText(last.value, value));
    else if (value !== '') out.push(text(value));
  } else if (piece.kind === 'code' && last?.kind === 'code') out[out.length - 1] = { kind: 'code', value: last.value + piece.value };
  else if (piece.kind === 'break' && last?.kind === 'text') {
    const value = last.value.replace(/(?<! ) +$/, '');
    out.splice(-1, 1, ...(value === '' ? [] : [text(value)]), piece);
  } else if (last?.kind === piece.kind && isEmphasis(last) && isEmphasis(piece)) {
    for (const child of piece.children) append(last.children, child);
  } else out.push(piece);
}

function joinText(left: string, right: string): string {
  return left.endsWith(' ') ? left + right.replace(/^ +/, '') : left + right;
}

/** Its children are a list that `hoistBlanks` created and that may grow. */
function isEmphasis(inline: Inline): inline is { readonly kind: Emphasis; readonly children: Inline[] } {
  return inline.kind === 'em' || inline.kind === 'strong' || inline.kind === 'del';
}

/** A block begins and ends with visible content. */
function trimEnds(inlines: readonly Inline[]): readonly Inline[] {
  const out = [...inlines];
  for (let first = out[0]; first !== undefined && isBlank(first); first = out[0]) out.shift();
  for (let last = out.at(-1); last !== undefined && isBlank(last); last = out.at(-1)) out.pop();
  const first = out[0];
  if (first?.kind === 'text') out[0] = text(first.value.replace(LEADING_BLANKS, ''));
  const last = out.at(-1);
  if (last?.kind === 'text') out[out.length - 1] = text(last.value.replace(TRAILING, ''));
  return out;
}

function isBlank(inline: Inline): boolean {
  return inline.kind === 'break' || (inline.kind === 'text' && inline.value.trim() === '');
}
