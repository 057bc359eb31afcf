import {
  type Block,
  contains,
  type Heading,
  type Inline,
  isVisible,
  isWrapper,
  linesOf,
  mapLines,
  unwrap,
  withoutBold,
  wordsOf,
} from '../tree.js';
import { codeBlock } from './code-blocks.js';
import { type Element, findAll, named } from './html.js';
import { emphasize, isEmphasis, linkTo } from './inline-rules.js';
import { definitionList, list } from './lists.js';
import { paragraphs, type Reader, type Rule } from './reader.js';
import { table } from './tables.js';

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/** Elements that are blocks or contain some. Any other is its content. */
export const BLOCK_RULES: readonly Rule<Block>[] = [
  { matches: named(...HEADINGS), convert: readHeading },
  { matches: named('p'), convert: (element, reader) => reader.blocks(element.childNodes).map(asSpaced) },
  list,
  definitionList,
  table,
  codeBlock,
  { matches: named('blockquote'), convert: readQuotation },
  { matches: named('hr'), convert: () => [{ kind: 'break' }] },
  { matches: (element) => element.tagName === 'summary' && findAll(element, ...HEADINGS).length === 0, convert: readSummary },
  { matches: named('a'), convert: linkOneOf },
  { matches: isEmphasis, convert: emphasizeEach },
];

function asSpaced(block: Block): Block {
  return block.kind === 'paragraph' ? { ...block, spaced: true } : block;
}

function readHeading({ tagName, childNodes }: Element, reader: Reader): readonly Heading[] {
  const content = withoutBold(withoutAnchors(reader.inlines(childNodes)));
  return content.some(isVisible) ? [{ kind: 'heading', level: Number(tagName.charAt(1)), content }] : [];
}

const ANCHOR = /^[#¶§🔗\s]*$/u;

/** Headings of many pages contain a link to themselves that is shown on hover. */
function withoutAnchors(content: readonly Inline[], whole = wordsOf(content).trim()): readonly Inline[] {
  return content
    .filter((inline) => {
      const words = wordsOf([inline]);
      return inline.kind !== 'link' || !ANCHOR.test(words) || words.trim() === whole || contains([inline], 'image');
    })
    .map((inline) => (isWrapper(inline) ? { ...inline, children: withoutAnchors(inline.children, whole) } : inline));
}

function readQuotation({ childNodes }: Element, reader: Reader): readonly Block[] {
  const blocks = reader.blocks(childNodes);
  return blocks.length === 0 ? [] : [{ kind: 'quotation', blocks }];
}

/** In bold, as the name of the details below. */
function readSummary({ childNodes }: Element, reader: Reader): readonly Block[] {
  return paragraphs([{ kind: 'strong', children: reader.inlines(childNodes) }], { spaced: true });
}

/**
 * A link around blocks (a card, a teaser) moves into one of them: the first heading, else the first block with text, else the first block.
 */
function linkOneOf(element: Element, reader: Reader): readonly Block[] {
  const blocks = reader.blocks(element.childNodes);
  const lines = linesOf(blocks);
  const chosen = lines.find(({ kind }) => kind === 'heading') ?? lines.find(({ content }) => wordsOf(content).trim() !== '') ?? lines[0];
  return mapLines(blocks, (line) => (line === chosen ? { ...line, content: linkTo(element, unwrap(line.content, 'link')) } : line));
}

/** Emphasis around blocks moves into each paragraph. */
function emphasizeEach(element: Element, reader: Reader): readonly Block[] {
  return mapLines(reader.blocks(element.childNodes), (line) =>
    line.kind === 'heading' ? line : { ...line, content: emphasize(element, line.content) },
  );
}
