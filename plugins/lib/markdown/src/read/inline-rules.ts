import { contains, type Emphasis, type Inline, isVisible, text } from '../tree.js';
import { attribute, type Element, isElement, isNamed, isText, named, textOf } from './html.js';
import { readMaths } from './maths.js';
import type { Reader, Rule } from './reader.js';

/** Elements within a line. A block in one (in a heading or a column's name) is separated from its neighbors by a space. */
export const INLINE_RULES: readonly Rule<Inline>[] = [
  { matches: named('rp', 'script', 'style'), convert: () => [] },
  { matches: named('br'), convert: () => [{ kind: 'break' }] },
  { matches: isEmphasis, convert: (element, reader) => emphasize(element, reader.inlines(element.childNodes)) },
  { matches: (element) => isCode(element) && linkAsCode(element) !== undefined, convert: readLinkedCode },
  { matches: isCode, convert: (element) => readCode(textOf(element)) },
  { matches: named('pre'), convert: (element) => apart(readCode(textOf(element))) },
  { matches: named('sub', 'sup'), convert: readRaised },
  { matches: named('q'), convert: (element, reader) => between('“', reader.inlines(element.childNodes), '”') },
  { matches: named('rt'), convert: (element, reader) => between('(', reader.inlines(element.childNodes), ')') },
  { matches: named('a'), convert: (element, reader) => linkTo(element, reader.inlines(element.childNodes)) },
  { matches: named('img'), convert: readImage },
  { matches: named('input'), convert: readBox },
  { matches: named('math'), convert: (element) => [readMaths(element)] },
  { matches: (element, reader) => reader.isBlock(element), convert: (element, reader) => apart(reader.inlines(element.childNodes)) },
];

const EMPHASIS: ReadonlyMap<string, Emphasis> = new Map([
  ...['em', 'i', 'cite', 'dfn', 'var'].map((name) => [name, 'em'] as const),
  ...['strong', 'b'].map((name) => [name, 'strong'] as const),
  ...['del', 's', 'strike'].map((name) => [name, 'del'] as const),
]);

export function isEmphasis({ tagName }: Element): boolean {
  return EMPHASIS.has(tagName);
}

/** The content with the emphasis of this element. */
export function emphasize({ tagName }: Element, children: readonly Inline[]): readonly Inline[] {
  const kind = EMPHASIS.get(tagName);
  return kind === undefined || children.length === 0 ? children : [{ kind, children }];
}

export function isCode(element: Element): boolean {
  return isNamed(element, 'code', 'kbd', 'samp', 'tt');
}

/** The link that is all of the code. A link can contain code, code cannot contain a link. */
function linkAsCode({ childNodes }: Element): Element | undefined {
  const [only, ...others] = childNodes.filter((node) => isElement(node) || (isText(node) && node.value.trim() !== ''));
  return isNamed(only, 'a') && others.length === 0 ? only : undefined;
}

function readLinkedCode(element: Element): readonly Inline[] {
  const link = linkAsCode(element);
  return link === undefined ? [] : linkTo(link, readCode(textOf(link)));
}

/** White space at either end that exists only in the source moves outside. */
function readCode(whole: string): readonly Inline[] {
  const seen = whole.trim();
  if (seen === '') return whole === '' ? [] : [text(' ')];
  const at = whole.indexOf(seen);
  const [before, after] = [whole.slice(0, at), whole.slice(at + seen.length)];
  const value = [before, seen, after].filter((part) => part === seen || !part.includes('\n')).join('');
  const outside = (blank: string) => (blank.includes('\n') ? [text(' ')] : []);
  return [...outside(before), { kind: 'code', value: value.replace(/[ \t\n\r\f]+/g, ' ') }, ...outside(after)];
}

/** CommonMark has no other notation for superscript and subscript; a link (a footnote's number) needs none. */
function readRaised({ tagName, childNodes }: Element, reader: Reader): readonly Inline[] {
  const content = reader.inlines(childNodes);
  if (!content.some(isVisible) || contains(content, 'link')) return content;
  return [{ kind: 'raw', value: `<${tagName}>` }, ...content, { kind: 'raw', value: `</${tagName}>` }];
}

function between(open: string, content: readonly Inline[], close: string): readonly Inline[] {
  return content.length === 0 ? [] : [text(open), ...content, text(close)];
}

function apart(content: readonly Inline[]): readonly Inline[] {
  return between(' ', content, ' ');
}

/** The characters of a URL between angle brackets (CommonMark 6.5). */
const URI = /^[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>\u0000-\u0020\u007F]*$/;
const MAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;

/** The content as the text of this link; an autolink if the text between angle brackets links to exactly this URL. */
export function linkTo(element: Element, children: readonly Inline[]): readonly Inline[] {
  const address = attribute(element, 'href');
  if (address === undefined || /^\s*javascript:/i.test(address) || !children.some(isVisible)) return children;
  const title = attribute(element, 'title');
  const value = children.map((child) => (child.kind === 'text' ? child.value : '<')).join('');
  const isItself = (address === value || address === `${value}/`) && URI.test(value);
  if (title === undefined && (isItself || (address === `mailto:${value}` && MAIL.test(value)))) return [{ kind: 'autolink', value }];
  return [{ kind: 'link', children, address, title: title ?? '' }];
}

/** A `blob:` or similar URL that the page created is not valid elsewhere. */
function readImage(element: Element, reader: Reader): readonly Inline[] {
  const source = attribute(element, 'src') ?? '';
  const alt = (attribute(element, 'alt') ?? '').replace(/\s+/g, ' ');
  const address = source === '' ? '' : reader.imageAddress(source);
  if (address === '' || (address === source && source.startsWith('blob:'))) return [text(alt)];
  return [{ kind: 'image', alt: alt.trim(), address, title: attribute(element, 'title') ?? '' }];
}

function readBox(element: Element): readonly Inline[] {
  const checked = attribute(element, 'checked') !== undefined;
  switch (attribute(element, 'type')?.toLowerCase()) {
    case 'radio':
      return [text(checked ? '◉ ' : '○ ')];
    case 'checkbox':
      return [{ kind: 'check box', checked }, text(' ')];
    default:
      return [];
  }
}
