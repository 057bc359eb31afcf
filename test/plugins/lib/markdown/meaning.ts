import { parseFragment, serialize, type DefaultTreeAdapterMap } from 'parse5';

type Node = DefaultTreeAdapterMap['childNode'];
type Element = DefaultTreeAdapterMap['element'];

/**
 * What a document says, as JSON-able data in which only differences of meaning are differences. The rules:
 * - Comments, scripts, styles and attributes that are not read (ids, classes) are nothing; elements without a meaning (`div`, `span`,
 *   unknown ones) are their content.
 * - Runs of blanks are one blank, none at the ends of a block (no-break or not) and beside a line break; a blank has no emphasis. In listings blanks count.
 * - `b` is `strong`, `i` is `em`, `s` and `strike` are `del`; one within itself is one. What is strong altogether in a heading or
 *   a header cell is not stronger than that. A text at block level is a paragraph.
 * - Empty paragraphs, headings, quotations, listings, tables, links and emphasis are nothing. An empty item is an item, but not in a list
 *   that is empty altogether. A list of one item with one block is neither loose nor tight, and
 *   neither is one whose items hold more than a paragraph and a list.
 * - Two line breaks in a row end a paragraph.
 */
export function meaning(html: string): readonly unknown[] {
  return readBlocks(parseFragment(html).childNodes);
}

/** The same HTML with absolute addresses, and with every element closed. */
export function standAlone(html: string, base: string): string {
  const fragment = parseFragment(html);
  const resolve = (nodes: readonly Node[]) => {
    for (const node of nodes.filter(isElement)) {
      for (const attr of node.attrs) {
        const isAddress = (node.tagName === 'a' && attr.name === 'href') || (node.tagName === 'img' && attr.name === 'src');
        if (isAddress && URL.canParse(attr.value, base)) attr.value = new URL(attr.value, base).href;
      }
      resolve(node.childNodes);
    }
  };
  resolve(fragment.childNodes);
  return serialize(fragment);
}

const INLINE: Readonly<Record<string, string>> = {
  em: 'em',
  i: 'em',
  strong: 'strong',
  b: 'strong',
  del: 'del',
  s: 'del',
  strike: 'del',
  code: 'code',
  sub: 'sub',
  sup: 'sup',
};
const BLOCKS = new Set('p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre hr table div section article'.split(' '));
const NOTHING = new Set('script style template title head noscript'.split(' '));

interface Segment {
  text: string;
  readonly marks: string;
}

function readBlocks(nodes: readonly Node[], marks = ''): readonly unknown[] {
  const blocks: unknown[] = [];
  let run: Node[] = [];
  const flush = () => {
    blocks.push(...paragraphs(readInline(run, marks)));
    run = [];
  };
  for (const node of nodes) {
    if (!isElement(node) || !holdsBlock(node)) run.push(node);
    else {
      flush();
      blocks.push(...readBlock(node, marks));
    }
  }
  flush();
  return blocks;
}

function isElement(node: Node): node is Element {
  return 'tagName' in node;
}

function holdsBlock(element: Element): boolean {
  return BLOCKS.has(element.tagName) || element.childNodes.some((child) => isElement(child) && holdsBlock(child));
}

function readBlock(element: Element, marks: string): readonly unknown[] {
  const { tagName: name, childNodes } = element;
  if (/^h[1-6]$/.test(name) || name === 'p') {
    if (name === 'p') return paragraphs(readInline(childNodes, marks));
    const content = withoutStrong(readInline(childNodes, marks));
    return content.length === 0 ? [] : [[name, content]];
  }
  switch (name) {
    case 'hr':
      return [['hr']];
    case 'pre': {
      const text = textOf(element).replace(/\n$/, '');
      return text.trim() === '' ? [] : [['pre', /language-(\S+)/.exec(attribute(element.childNodes[0], 'class'))?.[1] ?? '', text]];
    }
    case 'blockquote': {
      const blocks = readBlocks(childNodes, marks);
      return blocks.length === 0 ? [] : [[name, blocks]];
    }
    case 'ul':
    case 'ol': {
      const items = childNodes.filter(isElement);
      if (readInline(childNodes).length === 0) return [];
      const contents = items.map((item) => readBlocks(item.childNodes, marks));
      const plain = contents.every((blocks) => /^(p|p (ul|ol 1))?$/.test(blocks.map(nameOfBlock).join(' ')));
      const apart = items.length > 1 || contents.some((blocks) => blocks.length > 1);
      const loose = plain && apart && items.some((item) => item.childNodes.some((child) => isElement(child) && child.tagName === 'p'));
      return [[name, loose ? 'loose' : 'tight', ...(name === 'ol' ? [attribute(element, 'start') || '1'] : []), contents]];
    }
    case 'table':
      return readInline(childNodes).length === 0 ? [] : [['table', tableRows(element)]];
    default:
      return readBlocks(childNodes, withMark(marks, element));
  }
}

function nameOfBlock(block: unknown): string {
  const [name, , start] = block as readonly unknown[];
  return name === 'ol' ? `ol ${String(start)}` : String(name);
}

function paragraphs(content: Content): readonly unknown[] {
  const found: [string, string][][] = [[]];
  for (const [text, marks] of content) {
    for (const [at, part] of (marks.includes('code') ? [text] : text.split(/\n{2,}/)).entries()) {
      if (at > 0) found.push([]);
      if (part !== '' || marks.includes('img(')) found.at(-1)?.push([part, marks]);
    }
  }
  return found.filter((part) => part.length > 0).map((part) => ['p', trimContent(part)]);
}

/** In a cell, two line breaks are no more than one. */
function readCell(cell: Element): Content {
  return readInline(cell.childNodes).map(([text, marks]) => [marks.includes('code') ? text : text.replace(/\n+/g, '\n'), marks] as const);
}

function tableRows(element: Element): readonly unknown[] {
  return element.childNodes.filter(isElement).flatMap((child) => {
    if (child.tagName !== 'tr') return tableRows(child);
    return [
      child.childNodes
        .filter(isElement)
        .map((cell) => [
          cell.tagName,
          attribute(cell, 'align') || (/text-align:\s*(\w+)/.exec(attribute(cell, 'style'))?.[1] ?? ''),
          cell.tagName === 'th' ? withoutStrong(readCell(cell)) : readCell(cell),
        ]),
    ];
  });
}

function withoutStrong(content: Content): Content {
  if (!content.every(([text, marks]) => text.trim() === '' || marks.split('>')[1] === 'strong')) return content;
  return mergeSegments(content.map(([text, marks]) => [text, marks.replace('>strong', '')] as const));
}

function withMark(marks: string, element: Element): string {
  const { tagName: name } = element;
  const linked = name === 'a' && hasAttribute(element, 'href');
  const mark = linked ? `a(${address(element, 'href')})(${oneLine(attribute(element, 'title'))})` : INLINE[name];
  return mark === undefined || marks.split('>').includes(mark) ? marks : `${marks}>${mark}`;
}

/** Parsers write some characters of an address percent-encoded, and browsers a slash after a host. */
function address(element: Element, name: string): string {
  return attribute(element, name)
    .replace(/[^!#$%&'()*+,./0-9:;=?@A-Z_a-z~-]/gu, encodeURI)
    .replace(/^(https?:\/\/[^/]+)\/$/, '$1');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

type Content = readonly (readonly [text: string, marks: string])[];

function readInline(nodes: readonly Node[], around = ''): Content {
  const segments: Segment[] = [];
  const add = (text: string, marks: string) => {
    const last = segments.at(-1);
    if (last?.marks === marks) last.text += text;
    else segments.push({ text, marks });
  };
  const walk = (list: readonly Node[], marks: string) => {
    for (const node of list) {
      if (node.nodeName === '#text' && 'value' in node) {
        for (const part of node.value.split(/([ \t\n\f\r]+|\u00a0+)/)) {
          const blank = part.trim() === '' && !marks.includes('code');
          if (part !== '') add(part.replace(/[ \t\n\f\r]+/g, ' '), blank ? '' : marks);
        }
      } else if (isElement(node)) readElement(node, marks);
    }
  };
  const readElement = (element: Element, marks: string) => {
    const { tagName: name } = element;
    if (NOTHING.has(name)) return;
    if (name === 'br') add('\n', '');
    else if (name === 'input') add(hasAttribute(element, 'checked') ? '[x]' : '[ ]', 'box');
    else if (name === 'img')
      add('', `${marks}>img(${address(element, 'src')})(${oneLine(attribute(element, 'alt'))})(${oneLine(attribute(element, 'title'))})`);
    else walk(element.childNodes, withMark(marks, element));
  };
  walk(nodes, around);
  return tidy(segments);
}

function mergeSegments(content: Content): Content {
  const merged: [string, string][] = [];
  for (const [text, marks] of content) {
    const last = merged.at(-1);
    if (last?.[1] === marks) last[0] += text;
    else merged.push([text, marks]);
  }
  return merged;
}

function trimContent(content: Content): Content {
  const trim = (text: string, at: number) => {
    const start = at === 0 ? text.replace(/^\s+/, '') : text;
    return at === content.length - 1 ? start.replace(/\s+$/, '') : start;
  };
  return content
    .map(([text, marks], at) => [marks.includes('code') ? text : trim(text, at), marks] as const)
    .filter(([text, marks]) => text !== '' || marks.includes('img('));
}

function tidy(segments: readonly Segment[]): Content {
  const collapsed = segments.map(({ text, marks }) => ({ marks, text: text.replace(/ +/g, ' ').replace(/ ?\n ?/g, '\n') }));
  return trimContent(collapsed.map(({ text, marks }) => [text, marks] as const));
}

function textOf(node: Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

function hasAttribute(element: Element, name: string): boolean {
  return element.attrs.some((attr) => attr.name === name);
}

function attribute(node: Node | undefined, name: string): string {
  return node !== undefined && isElement(node) ? (node.attrs.find((attr) => attr.name === name)?.value ?? '') : '';
}
