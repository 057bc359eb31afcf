import { childrenOf, isElement, isNamed, isText, isUnread, nameOf, textOf, findAll } from './elements.js';

const LINE_ELEMENTS = new Set(['DIV', 'P', 'LI', 'TR', 'OL', 'UL', 'TABLE', 'TBODY', 'PRE', 'SECTION']);

/** The text of a listing, line by line: what stands in a block of its own is a line of its own. One newline at the end is taken away. */
export function codeText(element: Element): string {
  return linesOf(element).replace(/\n$/, '');
}

function linesOf(element: Element): string {
  let text = '';
  for (const child of childrenOf(element)) {
    if (isText(child)) text += child.data;
    else if (isNamed(child, 'BR')) text += '\n';
    else if (isElement(child) && !isUnread(child)) {
      const inner = linesOf(child);
      const line = LINE_ELEMENTS.has(nameOf(child));
      if (line && text !== '' && !text.endsWith('\n')) text += '\n';
      text += line && inner !== '' && !inner.endsWith('\n') ? `${inner}\n` : inner;
    }
  }
  return text;
}

/** `language-*` is what the HTML standard proposes; the others are what highlighters write. */
const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source|highlight-text|brush:)-?\s*(\S+)/;

const NO_LANGUAGE = new Set(['none', 'nohighlight', 'plaintext', 'text', 'plain', 'txt']);

/** What would end a fence, or be read as something else behind one: half a name is another language. */
const UNSAFE = /[\s`\\&\uFDD0-\uFDEF]/;

/** The language that the listing, its `code` or what is around it names; empty where none does. */
export function codeLanguage(pre: Element): string {
  const inner = findAll(pre, 'CODE').slice(0, 1);
  const around: Element[] = [];
  for (let up = pre.parentElement; up !== null && around.length < 2 && findAll(up, 'PRE').length === 1; up = up.parentElement) {
    around.push(up);
  }
  for (const element of [...inner, pre, ...around]) {
    const named = element.getAttribute('data-lang') ?? element.getAttribute('data-language') ?? classLanguage(element);
    if (named !== '' && !UNSAFE.test(named)) return NO_LANGUAGE.has(named.toLowerCase()) ? '' : named;
  }
  return '';
}

function classLanguage(element: Element): string {
  return LANGUAGE.exec(element.getAttribute('class') ?? '')?.[1] ?? '';
}

/** Highlighters put line numbers into a table's first column: the code alone is the listing. */
export function listingInTable(table: Element): Element | undefined {
  const listings = findAll(table, 'PRE');
  const [numbers, code] = listings;
  if (listings.length !== 2 || numbers === undefined || code === undefined || findAll(table, 'TR').length !== 1) return undefined;
  return /^[\s\d]*$/.test(textOf(numbers)) ? code : undefined;
}
