// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- whoever imports this from its source needs the types too
/// <reference path="./domino.d.ts" />
import { createDocument } from '@mixmark-io/domino';
import TurndownService from 'turndown';
import { swapLinkedCode } from './blocks/links.js';
import { isElement, isNamed, isText, isUnread } from './blocks/elements.js';
import { restructure } from './blocks/restructure.js';
import { MARK } from './inline/marks.js';
import { dropMathsPictures } from './maths.js';
import { addInlineRules } from './rules/inline-rules.js';
import { addBlockRules, addTableRules, writeItem } from './rules/turndown-rules.js';
import { plainTextWithTex } from './tex-in-text.js';
import { titleLine } from './title.js';

export interface ConvertInput {
  /** The content of a body. */
  readonly html: string;
  readonly format: 'common' | 'gfm';
  /** The page's; undefined: none is written. */
  readonly title?: string | undefined;
  /** Data URIs by the addresses of the images that they are to stand for. */
  readonly images?: ReadonlyMap<string, string>;
  /** Characters of data URIs in all: an image that stands in many places is not embedded without end. */
  readonly mostEmbedded?: number;
}

/** HTML to Markdown: `common` is CommonMark 0.31.2 without any extension, `gfm` has tables, strikethrough, task lists and autolinks besides. */
export function convert({ html, format, title, images = new Map(), mostEmbedded = Infinity }: ConvertInput): string {
  const gfm = format === 'gfm';
  const document = createDocument(`<!doctype html><body>${html}`);
  const { body } = document;
  const service = createService({ gfm, imageAddress: embedder(images, mostEmbedded) });
  dropMathsPictures(body);
  swapLinkedCode(document, body);
  const blocks = restructure(document, body, { gfm });
  if (isNamed(blocks[0], 'HR')) blocks[0].setAttribute('first', '');
  const heading = title === undefined ? undefined : titleLine(title, blocks, { gfm });
  const written: string[] = [];
  for (let at = 0; at < blocks.length; at += AT_ONCE) written.push(convertBlocks(service, document, blocks.slice(at, at + AT_ONCE)));
  const whole = [...(heading === undefined ? [] : [heading]), ...written].filter((markdown) => markdown !== '').join('\n\n');
  return whole === '' ? '' : `${whole}\n`;
}

/** Blocks that Turndown gets together: it holds what it makes of them several times over. */
const AT_ONCE = 64;

function convertBlocks(service: TurndownService, document: Document, blocks: readonly Element[]): string {
  const holder = document.createElement('div');
  for (const block of blocks) holder.appendChild(block);
  // Turndown converts a copy; nobody needs these again.
  Object.defineProperty(holder, 'cloneNode', { value: () => holder });
  guardTexts(holder);
  return service.turndown(holder);
}

/** Of code and formulas the text itself is read. */
const READ_AS_TEXT = ['PRE', 'CODE', 'KBD', 'SAMP', 'TT', 'MATH'];

function guardTexts(parent: Element): void {
  for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
    if (isText(child)) child.data = MARK.guard + plainTextWithTex(child.data) + MARK.guard;
    else if (isElement(child) && !isNamed(child, ...READ_AS_TEXT)) guardTexts(child);
  }
}

interface ServiceOptions {
  readonly gfm: boolean;
  imageAddress(source: string): string;
}

function createService(options: ServiceOptions): TurndownService {
  const service = new TurndownService({
    preformattedCode: true,
    // Asked about elements without a text: an item without one is still an item.
    blankReplacement: (content, node) => (isNamed(node, 'LI') ? writeItem(content, node) : ''),
  });
  // The text is escaped with its neighbours in view, by the block.
  service.escape = (text) => text;
  service.remove(isUnread);
  addInlineRules(service, options);
  addBlockRules(service, options);
  addTableRules(service, options);
  return service;
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
