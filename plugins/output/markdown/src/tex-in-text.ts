import { MARK, plainText } from './inline/marks.js';

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
 * A page's text, without characters that could be read as marks, with its formulas marked. Formulas get dollars whatever their delimiters
 * were: Markdown removes the backslash of `\(`, and every tool that reads formulas in Markdown reads dollars.
 */
export function plainTextWithTex(text: string): string {
  const plain = plainText(text);
  if (!DELIMITER.test(plain)) return plain;
  let written = '';
  let last = 0;
  for (const { 0: whole, index, groups = {} } of plain.matchAll(CANDIDATE)) {
    const formula = toFormula(groups);
    if (formula === undefined) continue;
    written += plain.slice(last, index) + MARK.mathsOpen + formula + MARK.mathsClose;
    last = index + whole.length;
  }
  return written + plain.slice(last);
}

type Groups = Readonly<Partial<Record<string, string>>>;

function toFormula({ displayed, bracketed, enclosed, environment, inline }: Groups): string | undefined {
  if (environment !== undefined) return `$$${oneLine(environment)}$$`;
  const display = displayed ?? bracketed;
  const escaped = bracketed ?? enclosed;
  const tex = oneLine(display ?? enclosed ?? inline ?? '');
  if (!isTex(tex) || (escaped !== undefined && isPattern(tex))) return undefined;
  const dollars = display === undefined ? '$' : '$$';
  return dollars + tex + dollars;
}

/** Without comments, which end with their line. */
function oneLine(tex: string): string {
  return tex
    .replace(/(?<!\\)%.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
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
