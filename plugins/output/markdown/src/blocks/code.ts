import { childrenOf, isElement, isNamed, isText, isUnread, nameOf, textOf, findAll } from './elements.js';

const LINE_ELEMENTS = new Set(['DIV', 'P', 'LI', 'TR', 'OL', 'UL', 'TABLE', 'TBODY', 'PRE', 'SECTION']);

/** The text of a code block, line by line: a nested block is a separate line. Removes one newline at the end. */
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

/** The HTML standard suggests `language-*`; syntax highlighters write the others. */
const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source|highlight-text|brush:)-?\s*(\S+)/;

const NO_LANGUAGE = new Set(['none', 'nohighlight', 'plaintext', 'text', 'plain', 'txt']);

/** Characters that would end a fence or be misread after it: a truncated name would be another language. */
const UNSAFE = /[\s`\\&\uFDD0-\uFDEF]/;

/** The language that the code block, its `code` or an ancestor names; empty if none does. */
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

/** Syntax highlighters put line numbers into a table's first column: only the code column belongs to the code block. */
export function listingInTable(table: Element): Element | undefined {
  const listings = findAll(table, 'PRE');
  const [numbers, code] = listings;
  if (listings.length !== 2 || numbers === undefined || code === undefined || findAll(table, 'TR').length !== 1) return undefined;
  return /^[\s\d]*$/.test(textOf(numbers)) ? code : undefined;
}
