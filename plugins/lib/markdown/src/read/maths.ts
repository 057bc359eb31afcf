import { type Inline, text } from '../tree.js';
import { attribute, type Element, findAll, textOf } from './html.js';

/** The formula's TeX source if the page contains it, as an annotation or in `alttext`; else its plain notation. */
export function readMaths(math: Element): Inline {
  const source = findAll(math, 'annotation', 'annotation-xml').find((element) => /tex/i.test(attribute(element, 'encoding') ?? ''));
  const tex = oneLine(source === undefined ? (attribute(math, 'alttext') ?? '') : textOf(source));
  if (tex !== '')
    return { kind: 'maths', value: betweenDollars(unwrapDisplayStyle(tex), attribute(math, 'display') === 'block' ? '$$' : '$') };
  return text(attribute(math, 'data-linear') ?? oneLine(textOf(math)));
}

function betweenDollars(tex: string, dollars: '$' | '$$'): string {
  return dollars + tex + dollars;
}

/** MediaWiki wraps each formula in `{\displaystyle x}`. */
function unwrapDisplayStyle(tex: string): string {
  return /^\{\\(?:displaystyle|textstyle) (.*)\}$/.exec(tex)?.[1]?.trim() ?? tex;
}

function oneLine(tex: string): string {
  return tex.replace(/\s+/g, ' ').trim();
}

/** Maximum characters between delimiters; longer text is not a formula, and the search stops. */
const BODY = String.raw`(?:\\[^]|[^\\]){1,4000}?`;

/**
 * TeX source for a script to typeset: `$$…$$`, `\[…\]`, `\(…\)`, environments by themselves (amsmath), and `$…$` as Pandoc reads it,
 * without a space inside and without a letter or digit outside: `$5 and $6_7` is not a formula.
 */
const CANDIDATE = new RegExp(
  [
    String.raw`(?<!\\)\$\$(?<displayed>(?:\\[^]|[^$\\]){1,4000}?)\$\$`,
    String.raw`(?<!\\)\\\[(?<bracketed>${BODY})\\\]`,
    String.raw`(?<!\\)\\\((?<enclosed>${BODY})\\\)`,
    String.raw`(?<environment>\\begin\{(?<name>equation|align|gather|multline|eqnarray)(?<star>\*?)\}${BODY}\\end\{\k<name>\k<star>\})`,
    String.raw`(?<![\p{L}\p{N}\\$])\$(?=[^\s$])(?<inline>(?:\\[^]|[^$\\]){1,500}?)(?<!\s)\$(?![\p{L}\p{N}$])`,
  ].join('|'),
  'gu',
);

const DELIMITER = /\$|\\[[(]|\\begin\{/;

/**
 * A page's text with its formulas. Formulas get dollars whatever their delimiters were: Markdown removes the backslash of `\(`, and every
 * tool that reads formulas in Markdown reads dollars.
 */
export function readText(words: string): readonly Inline[] {
  if (!DELIMITER.test(words)) return [text(collapse(words))];
  const inlines: Inline[] = [];
  let last = 0;
  for (const { 0: whole, index, groups = {} } of words.matchAll(CANDIDATE)) {
    const value = toFormula(groups);
    if (value === undefined) continue;
    inlines.push(text(collapse(words.slice(last, index))), { kind: 'maths', value });
    last = index + whole.length;
  }
  return [...inlines, text(collapse(words.slice(last)))];
}

/** White space as a browser shows it. */
function collapse(words: string): string {
  return words.replace(/[ \t\n\r\f]+/g, ' ');
}

type Groups = Readonly<Partial<Record<string, string>>>;

function toFormula({ displayed, bracketed, enclosed, environment, inline }: Groups): string | undefined {
  if (environment !== undefined) return betweenDollars(withoutComments(environment), '$$');
  const display = displayed ?? bracketed;
  const escaped = bracketed ?? enclosed;
  const tex = withoutComments(display ?? enclosed ?? inline ?? '');
  if (!isTex(tex) || (escaped !== undefined && isPattern(tex))) return undefined;
  return betweenDollars(tex, display === undefined ? '$' : '$$');
}

/** On one line: a comment ends with its line. */
function withoutComments(tex: string): string {
  return oneLine(tex.replace(/(?<!\\)%.*$/gm, ''));
}

const COMMAND = /\\[A-Za-z]{2,}/;
const SCRIPT = /\S[_^]\S/;
const PROSE = /[A-Za-z]{2,}[,;.:]? [A-Za-z]{2,}/;
const SYMBOLS = /^[\p{L}\p{N}\s+\-*/=<>≤≥≠≈±×·,.:;!'|()[\]{}\\&^_~$]+$/u;
const WORD = /\p{L}{2,}/gu;
const FUNCTION = /^(?:sin|cos|tan|log|ln|exp|max|min|lim|mod|det|dim|ker|gcd|sup|inf|d[a-z]|[A-Z]{2})$/;

/** A command, a subscript or a superscript, or only single letters, numbers and operators. */
function isTex(tex: string): boolean {
  if (COMMAND.test(tex)) return true;
  if (PROSE.test(tex)) return false;
  if (SCRIPT.test(tex)) return true;
  const words = tex.match(WORD) ?? [];
  return SYMBOLS.test(tex) && /[\p{L}+=<>^]/u.test(tex) && words.every((word) => FUNCTION.test(word));
}

/** `\(…\)` is also a group in the regular expressions of many tools. */
function isPattern(tex: string): boolean {
  return /\\[|+?.*]|\.[*+]|\\[dwsbDWSB](?![A-Za-z])|\]\s*[*+?]|(?<![_^{])[*+?]$|\[\^?.-.\]/.test(tex);
}
