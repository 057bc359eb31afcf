// oxlint-disable-next-line typescript/triple-slash-reference -- imports of the source need the types, too
/// <reference path="./domino.d.ts" />
import { createDocument } from '@mixmark-io/domino';
import TurndownService from 'turndown';
import { swapLinkedCode } from './blocks/links.js';
import { findAll, isElement, isNamed, isText, isUnread, textOf } from './blocks/elements.js';
import { restructure } from './blocks/restructure.js';
import { MARK } from './inline/marks.js';
import { dropRenderedMaths } from './maths.js';
import { addInlineRules } from './rules/inline-rules.js';
import { addBlockRules, addTableRules, writeItem } from './rules/turndown-rules.js';
import { plainTextWithTex } from './tex-in-text.js';
import { finishInline } from './inline/finish-inline.js';

/** Separators between a page's title and the site's name. */
const SEPARATOR = /^\s*[-–—|·•:»«/]+\s/;
const SEPARATOR_BEFORE = /\s[-–—|·•:»«/]+\s*$/;

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
  const document = createDocument(`<!doctype html><body>${html}`);
  const { body } = document;
  const service = createService({ gfm, imageAddress: embedder(images, mostEmbedded) });
  dropRenderedMaths(body);
  swapLinkedCode(document, body);
  const blocks = restructure(document, body, { gfm });
  if (isNamed(blocks[0], 'HR')) blocks[0].setAttribute('first', '');
  const heading = title === undefined ? undefined : titleLine(title, blocks, { gfm });
  const written: string[] = [];
  for (let at = 0; at < blocks.length; at += AT_ONCE) written.push(convertBlocks(service, document, blocks.slice(at, at + AT_ONCE)));
  const whole = [...(heading === undefined ? [] : [heading]), ...written].filter((markdown) => markdown !== '').join('\n\n');
  return whole === '' ? '' : `${whole}\n`;
}

/** Blocks per call of Turndown: it holds several copies of its output. */
const AT_ONCE = 64;

function convertBlocks(service: TurndownService, document: Document, blocks: readonly Element[]): string {
  const holder = document.createElement('div');
  for (const block of blocks) holder.appendChild(block);
  // Turndown converts a copy; the originals are no longer needed.
  Object.defineProperty(holder, 'cloneNode', { value: () => holder });
  guardTexts(holder);
  return service.turndown(holder);
}

/** Code and formulas are read as plain text. */
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
    // Called for elements without text: an empty item is still an item.
    blankReplacement: (content, node) => (isNamed(node, 'LI') ? writeItem(content, node) : ''),
  });
  // The text is escaped per block, where its neighbors are known.
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

/** `# Title`; undefined if there is no title, or if the page's first level 1 heading contains it. */
function titleLine(title: string, blocks: readonly Element[], { gfm }: { readonly gfm: boolean }): string | undefined {
  const text = oneLine(title);
  if (text === '') return undefined;
  const first = firstHeading(blocks);
  if (first !== undefined && saysTheSame(text, oneLine(textOf(first)))) return undefined;
  return `# ${finishInline(plainTextWithTex(text), { gfm, place: 'heading' })}`;
}

function firstHeading(blocks: readonly Element[]): Element | undefined {
  for (const block of blocks) {
    const heading = isNamed(block, 'H1') ? block : findAll(block, 'H1')[0];
    if (heading !== undefined) return heading;
  }
  return undefined;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The heading is the title, or the title without the site's name. */
function saysTheSame(title: string, heading: string): boolean {
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
