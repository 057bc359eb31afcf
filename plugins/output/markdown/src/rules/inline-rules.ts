import type TurndownService from 'turndown';
import { isNamed, textOf, findAll } from '../blocks/elements.js';
import { asAutolink } from '../inline/autolink.js';
import { isSeen, MARK, plainText, raw } from '../inline/marks.js';
import { readMaths } from '../maths.js';
import type { RuleOptions } from './turndown-rules.js';

export interface InlineRuleOptions extends RuleOptions {
  /** The image's destination in the output. */
  imageAddress(source: string): string;
}

/** Turndown's rules for inline elements: they write marks (see `MARK`) instead of Markdown. */
export function addInlineRules(service: TurndownService, { gfm, imageAddress }: InlineRuleOptions): void {
  const around = (open: string, close: string) => (content: string) => (content === '' ? '' : open + content + close);
  service.addRule('em', { filter: ['em', 'i', 'cite', 'dfn', 'var'], replacement: around(MARK.emOpen, MARK.emClose) });
  service.addRule('strong', { filter: ['strong', 'b'], replacement: around(MARK.strongOpen, MARK.strongClose) });
  service.addRule('deletion', { filter: (node) => isNamed(node, 'DEL', 'S', 'STRIKE'), replacement: around(MARK.delOpen, MARK.delClose) });
  service.addRule('quotation marks', { filter: 'q', replacement: around('“', '”') });
  service.addRule('reading', { filter: 'rt', replacement: around('(', ')') });
  service.addRule('code', {
    filter: (node) => isNamed(node, 'CODE', 'KBD', 'SAMP', 'TT'),
    replacement: (_content, node) => markCode(textOf(node)),
  });
  service.addRule('raised', { filter: ['sub', 'sup'], replacement: writeRaised });
  service.addRule('link', { filter: 'a', replacement: writeLink });
  service.addRule('image', { filter: 'img', replacement: (_content, node) => writeImage(node, imageAddress) });
  service.addRule('media', { filter: ['audio', 'video'], replacement: (_content, node) => writeMedia(node) });
  service.addRule('line break', { filter: 'br', replacement: () => MARK.lineBreak });
  service.addRule('box', { filter: 'input', replacement: (_content, node) => writeBox(node, { gfm }) });
  service.addRule('maths', { filter: (node) => isNamed(node, 'MATH'), replacement: (_content, node) => writeMaths(node) });
}

/** White space at either end that exists only in the source moves outside. */
function markCode(text: string): string {
  const plain = plainText(text);
  const seen = plain.trim();
  if (seen === '') return ' ';
  const at = plain.indexOf(seen);
  const [before, after] = [plain.slice(0, at), plain.slice(at + seen.length)];
  const code = [before, seen, after].filter((part) => part === seen || !part.includes('\n')).join('');
  const outside = (blank: string) => (blank.includes('\n') ? ' ' : '');
  return `${outside(before)}${MARK.codeOpen}${code.replace(/[ \t\n\r\f]+/g, ' ')}${MARK.codeClose}${outside(after)}`;
}

/** CommonMark has no other notation for superscript and subscript; an existing link (a footnote's number) needs none. */
function writeRaised(content: string, node: Element): string {
  const name = node.nodeName.toLowerCase();
  if (!isSeen(content) || content.includes(MARK.linkOpen)) return content;
  return raw(`<${name}>`) + content + raw(`</${name}>`);
}

function writeLink(content: string, node: Element): string {
  const href = node.getAttribute('href');
  if (!isSeen(content) || href === null || /^\s*javascript:/i.test(href)) return content;
  const auto = asAutolink(content.replaceAll(MARK.guard, ''), href);
  if (auto !== undefined && !node.hasAttribute('title')) return MARK.autoOpen + auto + MARK.autoClose;
  return MARK.linkOpen + content + MARK.linkTarget + writeTarget(href, node.getAttribute('title')) + MARK.linkClose;
}

function writeImage(node: Element, imageAddress: (source: string) => string): string {
  const source = node.getAttribute('src') ?? '';
  const alt = plainText(node.getAttribute('alt') ?? '').replace(/\s+/g, ' ');
  // A `blob:` or similar URL that the page created is not valid elsewhere.
  if (source === '' || source.startsWith('blob:')) {
    const embedded = source === '' ? source : imageAddress(source);
    if (embedded === source) return alt;
  }
  return MARK.imageOpen + alt + MARK.linkTarget + writeTarget(imageAddress(source), node.getAttribute('title')) + MARK.linkClose;
}

/** A link to the media, with the page's name for it. */
function writeMedia(node: Element): string {
  const source = node.getAttribute('src') ?? findAll(node, 'SOURCE')[0]?.getAttribute('src') ?? '';
  if (source === '' || source.startsWith('blob:') || source.startsWith('data:')) return '';
  const name = node.getAttribute('aria-label') ?? node.getAttribute('title') ?? '';
  const label = name.trim() === '' ? decodeURI(source.split(/[?#]/)[0]?.split('/').at(-1) ?? '') : name;
  return MARK.linkOpen + plainText(label === '' ? source : label) + MARK.linkTarget + writeTarget(source, null) + MARK.linkClose;
}

/**
 * A radio button is a symbol in both formats. A check box at the beginning of an item makes it a task (GFM 5.3); elsewhere it is a symbol.
 */
function writeBox(node: Element, { gfm }: RuleOptions): string {
  const type = node.getAttribute('type')?.toLowerCase();
  const checked = node.hasAttribute('checked');
  if (type === 'radio') return checked ? '◉ ' : '○ ';
  if (type !== 'checkbox') return '';
  if (gfm && isFirstOfItem(node)) return `${raw(checked ? '[x]' : '[ ]')} `;
  return checked ? '☑ ' : '☐ ';
}

function isFirstOfItem(node: Element): boolean {
  let at: Element | null = node;
  while (at !== null && !isNamed(at, 'P')) {
    for (let before = at.previousSibling; before !== null; before = before.previousSibling) if (isSeen(textOf(before))) return false;
    at = at.parentElement;
  }
  return at !== null && isNamed(at.parentElement, 'LI') && at.previousSibling === null;
}

function writeMaths(node: Element): string {
  const { tex, text, display } = readMaths(node);
  if (tex === undefined) return plainText(text);
  const dollars = display ? '$$' : '$';
  return MARK.mathsOpen + dollars + plainText(tex) + dollars + MARK.mathsClose;
}

/** `](destination "title")`, from the end of a link's text to the end of the link. */
function writeTarget(address: string, title: string | null): string {
  const shown = plainText(title ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  return `](${writeAddress(address)}${shown === '' ? '' : ` "${escapeEntities(shown.replace(/[\\"]/g, '\\$&'))}"`})`;
}

/** Unchanged if possible, else between angle brackets (CommonMark 6.3). Spaces at the ends are not part of a URL. */
function writeAddress(address: string): string {
  const text = plainText(address.trim()).replace(/[\t\n\r]+/g, '');
  if (text === '') return '';
  const bare = !/[\u0000-\u0020\u007F]/.test(text) && !text.startsWith('<') && isBalanced(text);
  if (bare) return escapeEntities(text.replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\'));
  return `<${escapeEntities(text.replace(/[\\<>]/g, '\\$&'))}>`;
}

/** Balanced parentheses; parsers need to support only 32 levels. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0 || depth > 30) return false;
  }
  return depth === 0;
}

function escapeEntities(text: string): string {
  return text.replace(/&(?=#?[A-Za-z0-9]+;)/g, '\\&');
}
