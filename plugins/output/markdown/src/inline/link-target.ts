import { plainText } from './marks.js';

/** `](destination "title")`, from the end of a link's text to the end of the link. */
export function writeTarget(address: string, title: string | null): string {
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
