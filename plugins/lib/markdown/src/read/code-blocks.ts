import type { Block } from '../tree.js';
import { attribute, type Element, findAll, isElement, isNamed, isText, named, parentOf } from './html.js';
import { isCode } from './inline-rules.js';
import type { Rule } from './reader.js';

export const codeBlock: Rule<Block> = {
  matches: (element) => isNamed(element, 'pre') || isCode(element),
  convert: readCodeBlock,
};

function readCodeBlock(element: Element): readonly Block[] {
  const text = linesOf(element).replace(/\n$/, '');
  return text.trim() === '' ? [] : [{ kind: 'code block', text, language: languageOf(element) }];
}

const isLine = named('div', 'p', 'li', 'tr', 'ol', 'ul', 'table', 'tbody', 'pre', 'section');

/** A nested block is a separate line. */
function linesOf({ childNodes }: Element): string {
  let text = '';
  for (const child of childNodes) {
    if (isText(child)) text += child.value;
    else if (isNamed(child, 'br')) text += '\n';
    else if (isElement(child)) {
      const inner = linesOf(child);
      if (isLine(child) && text !== '' && !text.endsWith('\n')) text += '\n';
      text += isLine(child) && inner !== '' && !inner.endsWith('\n') ? `${inner}\n` : inner;
    }
  }
  return text;
}

/** The HTML standard suggests `language-*`; the capture writes it for most other notations. */
const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source|highlight-text)-(\S+)/;

const NO_LANGUAGE = new Set(['none', 'nohighlight', 'plaintext', 'text', 'plain', 'txt']);

/** Characters that would end a fence or be misread after it: a truncated name would be another language. */
const UNSAFE = /[`\\&]/;

/** The language that the code block, its `code` or an element around it names; empty if none does. */
function languageOf(block: Element): string {
  const inner = findAll(block, 'code').slice(0, 2);
  const around: Element[] = [];
  for (let up = parentOf(block); up !== undefined && around.length < 2 && findAll(up, 'pre').length === 1; up = parentOf(up))
    around.push(up);
  for (const element of [...inner, block, ...around]) {
    const language = LANGUAGE.exec(attribute(element, 'class') ?? '')?.[1] ?? '';
    if (language !== '' && !UNSAFE.test(language)) return NO_LANGUAGE.has(language.toLowerCase()) ? '' : language;
  }
  return '';
}
