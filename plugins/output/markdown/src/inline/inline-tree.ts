import { MARK } from './marks.js';

export type Emphasis = 'em' | 'strong' | 'del';

export type Inline =
  | { readonly kind: 'text' | 'code' | 'raw' | 'auto' | 'maths'; readonly value: string }
  | { readonly kind: 'break' }
  | { readonly kind: Emphasis; readonly children: readonly Inline[] }
  | { readonly kind: 'link' | 'image'; readonly children: readonly Inline[]; readonly target: string };

const ANY_MARK = /([\uFDD0-\uFDE3])/;

const OPENS: Readonly<Record<string, Emphasis>> = { [MARK.emOpen]: 'em', [MARK.strongOpen]: 'strong', [MARK.delOpen]: 'del' };
const CLOSES: readonly string[] = [MARK.emClose, MARK.strongClose, MARK.delClose];

interface Frame {
  readonly kind: Emphasis | 'link' | 'image' | 'root';
  readonly children: Inline[];
}

/** Reads the output of the rules: marks are balanced, because each element writes both of its marks. */
export function parseInline(marked: string): readonly Inline[] {
  const parts = marked.split(ANY_MARK);
  const stack: Frame[] = [{ kind: 'root', children: [] }];
  const add = (inline: Inline) => stack.at(-1)?.children.push(inline);
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? '';
    const emphasis = OPENS[part];
    if (emphasis !== undefined) stack.push({ kind: emphasis, children: [] });
    else if (CLOSES.includes(part)) closeEmphasis(stack);
    else if (part === MARK.linkOpen) stack.push({ kind: 'link', children: [] });
    else if (part === MARK.imageOpen) stack.push({ kind: 'image', children: [] });
    else if (part === MARK.linkTarget) closeLink(stack, parts[(at += 1)] ?? '');
    else if (part === MARK.codeOpen) add({ kind: 'code', value: parts[(at += 1)] ?? '' });
    else if (part === MARK.rawOpen) add({ kind: 'raw', value: parts[(at += 1)] ?? '' });
    else if (part === MARK.mathsOpen) add({ kind: 'maths', value: parts[(at += 1)] ?? '' });
    else if (part === MARK.autoOpen) add({ kind: 'auto', value: parts[(at += 1)] ?? '' });
    else if (part === MARK.lineBreak) add({ kind: 'break' });
    else if (part !== '' && !isClosing(part)) add({ kind: 'text', value: part });
  }
  return stack[0]?.children ?? [];
}

function isClosing(part: string): boolean {
  return (
    part === MARK.rawClose ||
    part === MARK.guard ||
    part === MARK.codeClose ||
    part === MARK.autoClose ||
    part === MARK.mathsClose ||
    part === MARK.linkClose
  );
}

function closeEmphasis(stack: Frame[]): void {
  const frame = stack.pop();
  if (frame === undefined || frame.kind === 'root' || frame.kind === 'link' || frame.kind === 'image') return;
  stack.at(-1)?.children.push({ kind: frame.kind, children: frame.children });
}

function closeLink(stack: Frame[], target: string): void {
  const frame = stack.pop();
  if (frame === undefined || (frame.kind !== 'link' && frame.kind !== 'image')) return;
  stack.at(-1)?.children.push({ kind: frame.kind, children: frame.children, target });
}
