import { defaultTreeAdapter, type DefaultTreeAdapterTypes, html as standard } from 'parse5';

type Element = DefaultTreeAdapterTypes.Element;

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** They end an open paragraph. */
const BLOCKS = words(
  `address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header
  hgroup hr li main menu nav ol p pre search section summary table ul`,
);
const INLINES = words(
  `a abbr b bdi bdo big br cite code data del dfn em font i img input ins kbd label legend mark q ruby s samp small span strike strong sub
  sup time tt u var wbr`,
);
const VOID = words('br col hr img input wbr');
const HEADINGS = words('h1 h2 h3 h4 h5 h6');
const PARAGRAPH = words('p');
const LINK = words('a');
const LISTS = words('ul ol menu dir');
const ITEM = words('li');
const DEFINITION = words('dt dd');

/** Elements that occur only in these parents. */
const PARENTS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...['caption', 'colgroup', 'thead', 'tbody', 'tfoot'].map((name) => [name, words('table')] as const),
  ['col', words('colgroup')],
  ['tr', words('thead tbody tfoot')],
  ...['td', 'th'].map((name) => [name, words('tr')] as const),
  ...['rp', 'rt'].map((name) => [name, words('ruby')] as const),
]);
/** Parents that contain only those, and white space. */
const FRAMES = words('table colgroup thead tbody tfoot tr');

const ATTRIBUTES = /^(?: [a-z-]+="[^"]*")+$/;
const ATTRIBUTE = / ([a-z-]+)="([^"]*)"/g;
/** Anything that is not written as the capture writes it: comments, carriage returns, other character references. */
const OTHER = /[\0\r]|<!|&(?!(?:amp|lt|gt|quot);)/;
const REFERENCES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** The ancestors of each block are searched. */
const DEEPEST = 100;

/**
 * The body of HTML that needs no repair: what parse5 would return, several times faster. Undefined if parse5 might change its nesting, or
 * for elements with their own rules, such as `math`.
 */
export function parseRegular(html: string): Element | undefined {
  if (OTHER.test(html)) return undefined;
  const body = createElement('body', []);
  let parent: Element | undefined = body;
  let depth = 0;
  for (let at = 0; at < html.length;) {
    const start = html.indexOf('<', at);
    const end = start === -1 ? html.length : start;
    if (end > at && !addText(parent, html.slice(at, end))) return undefined;
    if (start === -1) break;
    at = html.indexOf('>', start) + 1;
    if (at === 0) return undefined;
    const tag = html.slice(start + 1, at - 1);
    const before: Element = parent;
    const isEnd = tag.startsWith('/');
    parent = isEnd ? close(parent, tag) : open(parent, tag);
    if (parent !== before) depth += isEnd ? -1 : 1;
    if (parent === undefined || depth > DEEPEST) return undefined;
  }
  return parent === body ? body : undefined;
}

type Attributes = Element['attrs'];

function createElement(name: string, attributes: Attributes): Element {
  return defaultTreeAdapter.createElement(name, standard.NS.HTML, attributes);
}

/** Undefined for any other notation than the capture's, and for a repeated attribute. */
function readAttributes(source: string): Attributes | undefined {
  if (!ATTRIBUTES.test(source)) return undefined;
  const attributes = Array.from(source.matchAll(ATTRIBUTE), ([, name = '', value = '']) => ({ name, value: decode(value) }));
  return new Set(attributes.map(({ name }) => name)).size === attributes.length ? attributes : undefined;
}

function decode(text: string): string {
  return text.includes('&') ? text.replace(/&[a-z]+;/g, (reference) => REFERENCES[reference] ?? reference) : text;
}

/** Whether the parent may contain it. */
function addText(parent: Element, source: string): boolean {
  if (FRAMES.has(parent.tagName) && /[^\t\n\f ]/.test(source)) return false;
  // A line break directly after the start tag is not part of the text.
  const text = parent.tagName === 'pre' && parent.childNodes.length === 0 ? source.replace(/^\n/, '') : source;
  if (text !== '') defaultTreeAdapter.insertText(parent, decode(text));
  return true;
}

/** Returns the element that contains the following content. */
function open(parent: Element, tag: string): Element | undefined {
  const space = tag.indexOf(' ');
  const name = space === -1 ? tag : tag.slice(0, space);
  const attributes = space === -1 ? [] : readAttributes(tag.slice(space));
  if (attributes === undefined || !fits(parent, name)) return undefined;
  const element = createElement(name, attributes);
  defaultTreeAdapter.appendChild(parent, element);
  return VOID.has(name) ? parent : element;
}

function close({ tagName, parentNode }: Element, tag: string): Element | undefined {
  return tag === `/${tagName}` && parentNode !== null && 'tagName' in parentNode ? parentNode : undefined;
}

/** WHATWG HTML 13.2.6: no start tag of this name ends an open element here, or moves. */
function fits(parent: Element, name: string): boolean {
  const parents = PARENTS.get(name);
  if (parents !== undefined) return parents.has(parent.tagName);
  if (FRAMES.has(parent.tagName)) return false;
  if (!BLOCKS.has(name)) return INLINES.has(name) && (name !== 'a' || !isWithin(parent, LINK));
  if (isWithin(parent, PARAGRAPH)) return false;
  if (HEADINGS.has(name)) return !isWithin(parent, HEADINGS);
  if (name === 'li') return LISTS.has(parent.tagName) || !isWithin(parent, ITEM);
  return (name !== 'dt' && name !== 'dd') || parent.tagName === 'dl' || !isWithin(parent, DEFINITION);
}

function isWithin(element: Element, names: ReadonlySet<string>): boolean {
  for (let up: Element['parentNode'] = element; up !== null && 'tagName' in up; up = up.parentNode) if (names.has(up.tagName)) return true;
  return false;
}
