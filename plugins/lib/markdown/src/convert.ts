import { BLOCK_RULES } from './read/block-rules.js';
import { parseBody } from './read/html.js';
import { INLINE_RULES } from './read/inline-rules.js';
import { readText } from './read/maths.js';
import { createReader, type ReadOptions } from './read/reader.js';
import { type Block, type Heading, linesOf, wordsOf } from './tree.js';
import { writeDocument } from './write/blocks.js';

export interface ConvertInput {
  /** The content of a body. */
  readonly html: string;
  readonly format: 'common' | 'gfm';
  /** The page's title; undefined: no title is written. */
  readonly title?: string | undefined;
  /** Data URIs by the URLs of the images that they replace. */
  readonly images?: ReadonlyMap<string, string>;
  /** Maximum characters of all data URIs: limits the repetition of an image that occurs many times. */
  readonly mostEmbedded?: number;
}

/** HTML to Markdown: `common` is CommonMark 0.31.2 without extensions, `gfm` adds tables, strikethrough, task lists and autolinks. */
export function convert({ html, format, title, images = new Map(), mostEmbedded = Infinity }: ConvertInput): string {
  const gfm = format === 'gfm';
  const blocks = readPage(html, { gfm, imageAddress: embedder(images, mostEmbedded) });
  const heading = title === undefined ? undefined : titleOf(title, blocks);
  const written = [heading === undefined ? '' : writeDocument([heading], { gfm }), writeDocument(blocks, { gfm })];
  const whole = written.filter((markdown) => markdown !== '').join('\n\n');
  return whole === '' ? '' : `${whole}\n`;
}

export function readPage(html: string, options: ReadOptions): readonly Block[] {
  const body = parseBody(html);
  return createReader(body, { blocks: BLOCK_RULES, inlines: INLINE_RULES }, options).blocks(body.childNodes);
}

function embedder(images: ReadonlyMap<string, string>, mostEmbedded: number): (source: string) => string {
  let left = mostEmbedded;
  return (source) => {
    const data = images.get(source);
    if (data === undefined || data.length > left) return source;
    left -= data.length;
    return data;
  };
}

/** The title as a heading; undefined if there is no title, or if the page's first level 1 heading contains it. */
function titleOf(title: string, blocks: readonly Block[]): Heading | undefined {
  const content = readText(oneLine(title));
  const words = wordsOf(content);
  if (words === '') return undefined;
  const first = linesOf(blocks).find((line) => line.kind === 'heading' && line.level === 1);
  if (first !== undefined && isTitle(words, oneLine(wordsOf(first.content)))) return undefined;
  return { kind: 'heading', level: 1, content };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Separators between a page's title and the site's name. */
const SEPARATOR = /^\s*[-–—|·•:»«/]+\s/;
const SEPARATOR_BEFORE = /\s[-–—|·•:»«/]+\s*$/;

/** The heading is the title, or the title without the site's name. */
function isTitle(title: string, heading: string): boolean {
  const [whole, part] = [fold(title), fold(heading)];
  if (part === '') return false;
  if (whole === part) return true;
  return (
    (whole.startsWith(part) && SEPARATOR.test(whole.slice(part.length))) ||
    (whole.endsWith(part) && SEPARATOR_BEFORE.test(whole.slice(0, -part.length)))
  );
}

function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[‘’‚′]/g, "'")
    .replace(/[“”„″]/g, '"')
    .toLowerCase();
}
