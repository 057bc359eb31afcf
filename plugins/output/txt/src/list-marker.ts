import { isElement, isText, type ElementNode, type HtmlNode } from './html-nodes.js';

export interface ListItem {
  /** Including the space after it. */
  readonly marker: string;
  readonly nodes: readonly HtmlNode[];
}

/** The items of a list with their markers; content outside an item gets a marker of spaces. */
export function listItems({ name, attribs, childNodes }: ElementNode): readonly ListItem[] {
  const nodes = childNodes.filter((node) => isElement(node) || (isText(node) && node.data.trim() !== ''));
  const items = nodes.filter((node) => isElement(node) && node.name === 'li');
  const step = attribs['reversed'] === undefined ? 1 : -1;
  let number = whole(attribs['start']) ?? (step < 0 ? items.length : 1);
  const numbered = nodes.map((node) => {
    if (!isElement(node) || node.name !== 'li') return { text: '', nodes: [node] };
    number = whole(node.attribs['value']) ?? number;
    const text = name === 'ol' ? `${numeral(number, node.attribs['type'] ?? attribs['type'])}.` : '-';
    number += step;
    return { text, nodes: node.childNodes };
  });
  const width = numbered.reduce((most, { text }) => Math.max(most, text.length), 0);
  return numbered.map(({ text, nodes: within }) => ({ marker: `${text.padStart(width)} `, nodes: within }));
}

function whole(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*-?\d+/.test(text) ? Number.parseInt(text, 10) : undefined;
}

function numeral(number: number, type: string | undefined): string {
  switch (type) {
    case 'a':
      return letters(number);
    case 'A':
      return letters(number).toUpperCase();
    case 'i':
      return roman(number);
    case 'I':
      return roman(number).toUpperCase();
    default:
      return String(number);
  }
}

/** a to z, aa, ab ... Numbers below 1 have no letter. */
function letters(number: number): string {
  if (number < 1) return String(number);
  const last = String.fromCharCode(97 + ((number - 1) % 26));
  return number <= 26 ? last : letters(Math.floor((number - 1) / 26)) + last;
}

const ROMAN = [
  ['m', 1000],
  ['cm', 900],
  ['d', 500],
  ['cd', 400],
  ['c', 100],
  ['xc', 90],
  ['l', 50],
  ['xl', 40],
  ['x', 10],
  ['ix', 9],
  ['v', 5],
  ['iv', 4],
  ['i', 1],
] as const;

function roman(number: number): string {
  if (number < 1 || number > 3999) return String(number);
  let rest = number;
  let text = '';
  for (const [sign, worth] of ROMAN) {
    for (; rest >= worth; rest -= worth) text += sign;
  }
  return text;
}
