import type { Builder } from './builder.js';
import { childrenOf, findAll, isElement, isNamed, isText } from './elements.js';
import { plainTerm } from './lists.js';

/** Maximum characters of a repeated column name: it precedes each of its cells. */
const MOST_AGAIN = 80;

/** Returns a column's name: with links and images the first time, later as plain words. Empty: it has no name. */
export function createColumnLabels(
  builder: Builder,
  header: readonly (readonly (readonly Node[])[])[],
): (column: number) => readonly Node[] {
  const again = new Map<number, string>();
  return (column) => {
    const known = again.get(column);
    if (known !== undefined) return known === '' ? [] : [builder.text(known)];
    const content = (header[column] ?? []).flatMap((label, at) => [...(at > 0 ? [builder.text(' ')] : []), ...label]);
    const words = content.map(wordsOf).join('').replace(/\s+/g, ' ').trim();
    again.set(column, shorten(words));
    if (content.some(saysMore)) return inOneLine(builder, content);
    return words === '' ? [] : [builder.text(words)];
  };
}

function wordsOf(node: Node): string {
  if (isNamed(node, 'BR')) return ' ';
  if (isNamed(node, 'IMG')) return node.getAttribute('alt') ?? '';
  return isText(node) ? node.data : childrenOf(node).map(wordsOf).join('');
}

function shorten(words: string): string {
  if (words.length <= MOST_AGAIN) return words;
  const whole = new RegExp(`^.{1,${String(MOST_AGAIN - 1)}}(?=\\s)`, 'su').exec(words)?.[0];
  return `${
    whole ??
    Array.from(words.slice(0, 2 * MOST_AGAIN))
      .slice(0, MOST_AGAIN - 1)
      .join('')
  }…`;
}

const MORE = ['A', 'IMG', 'MATH'];

function saysMore(node: Node): boolean {
  return isElement(node) && (isNamed(node, ...MORE) || findAll(node, ...MORE).length > 0);
}

/** Without bold parts and line breaks: the name is bold as a whole and on one line. */
function inOneLine(builder: Builder, content: readonly Node[]): readonly Node[] {
  const holder = builder.make('span', content);
  for (const lineBreak of findAll(holder, 'BR')) lineBreak.parentNode?.replaceChild(builder.text(' '), lineBreak);
  const nodes = [...plainTerm(builder, holder)];
  const isBlank = (node: Node | undefined) => node !== undefined && isText(node) && node.data.trim() === '';
  while (isBlank(nodes[0])) nodes.shift();
  while (isBlank(nodes.at(-1))) nodes.pop();
  return nodes;
}
