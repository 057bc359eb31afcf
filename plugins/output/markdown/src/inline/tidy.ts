import type { Inline } from './inline-tree.js';

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

function tidyList(inlines: readonly Inline[], within: ReadonlySet<Inline['kind']>): readonly Inline[] {
  const out: Inline[] = [];
  for (const inline of inlines) {
    for (const piece of tidyOne(inline, within)) append(out, piece);
  }
  return out;
}

/** Nested emphasis of the same kind has no effect: strong in strong is strong. */
function tidyOne(inline: Inline, within: ReadonlySet<Inline['kind']>): readonly Inline[] {
  switch (inline.kind) {
    case 'text':
    case 'raw':
    case 'code':
    case 'auto':
    case 'maths':
    case 'break':
      return [inline];
    case 'image':
      return [{ ...inline, children: trimEnds(tidyList(inline.children, within)) }];
    default:
      if (within.has(inline.kind)) return tidyList(inline.children, within);
      return hoistBlanks(inline, tidyList(inline.children, new Set([...within, inline.kind])));
  }
}

type Wrapped = Extract<Inline, { readonly children: readonly Inline[] }>;

/** ` x ` in emphasis or a link: the spaces move outside, unless they prevent a delimiter from being valid there. */
function hoistBlanks(wrapper: Wrapped, children: readonly Inline[]): readonly Inline[] {
  const before: Inline[] = [];
  const after: Inline[] = [];
  const inner = [...children];
  for (let first = inner[0]; first !== undefined; first = inner[0]) {
    if (first.kind === 'break') before.push(first);
    else if (first.kind === 'text' && LEADING.test(first.value)) before.push({ kind: 'text', value: LEADING.exec(first.value)?.[0] ?? '' });
    else break;
    inner.shift();
    const rest = first.kind === 'text' ? first.value.replace(LEADING, '') : '';
    if (rest !== '') inner.unshift({ kind: 'text', value: rest });
  }
  for (let last = inner.at(-1); last !== undefined; last = inner.at(-1)) {
    if (last.kind === 'break') after.unshift(last);
    else if (last.kind === 'text' && TRAILING.test(last.value))
      after.unshift({ kind: 'text', value: TRAILING.exec(last.value)?.[0] ?? '' });
    else break;
    inner.pop();
    const rest = last.kind === 'text' ? last.value.replace(TRAILING, '') : '';
    if (rest !== '') inner.push({ kind: 'text', value: rest });
  }
  if (inner.length === 0) return [...before, ...after];
  return [...before, { ...wrapper, children: inner }, ...after];
}

function append(out: Inline[], piece: Inline): void {
  const last = out.at(-1);
  if (piece.kind === 'text') {
    const value = last?.kind === 'break' ? piece.value.replace(/^ +/, '') : piece.value;
    if (last?.kind === 'text') out[out.length - 1] = { kind: 'text', value: joinText(last.value, value) };
    else if (value !== '') out.push({ kind: 'text', value });
  } else if (piece.kind === 'code' && last?.kind === 'code') out[out.length - 1] = { kind: 'code', value: last.value + piece.value };
  else if (piece.kind === 'break' && last?.kind === 'text') {
    const value = last.value.replace(/(?<! ) +$/, '');
    out.splice(-1, 1, ...(value === '' ? [] : [{ kind: 'text', value } as const]), piece);
  } else if (last?.kind === piece.kind && isEmphasis(last) && isEmphasis(piece)) {
    for (const child of piece.children) append(last.children, child);
  } else out.push(piece);
}

function joinText(left: string, right: string): string {
  return left.endsWith(' ') ? left + right.replace(/^ +/, '') : left + right;
}

/** Its children are a list that `hoistBlanks` created and that may grow. */
function isEmphasis(inline: Inline): inline is { readonly kind: 'em' | 'strong' | 'del'; readonly children: Inline[] } {
  return inline.kind === 'em' || inline.kind === 'strong' || inline.kind === 'del';
}

/** A block begins and ends with visible content. */
function trimEnds(inlines: readonly Inline[]): readonly Inline[] {
  const out = [...inlines];
  for (let first = out[0]; first !== undefined && isBlank(first); first = out[0]) out.shift();
  for (let last = out.at(-1); last !== undefined && isBlank(last); last = out.at(-1)) out.pop();
  const first = out[0];
  if (first?.kind === 'text') out[0] = { kind: 'text', value: first.value.replace(LEADING_BLANKS, '') };
  const last = out.at(-1);
  if (last?.kind === 'text') out[out.length - 1] = { kind: 'text', value: last.value.replace(TRAILING, '') };
  return out;
}

function isBlank(inline: Inline): boolean {
  return inline.kind === 'break' || (inline.kind === 'text' && inline.value.trim() === '');
}
