/**
 * The first number of a text, in the notation that its separators suggest: `$1,299.50` and `1.299,50 €` are 1299.5, `12,5` is 12.5, `1,299`
 * is 1299, and `1.299` is 1.299. Null if there is none.
 */
export function readNumber(text: string): number | null {
  const found = NUMBER.exec(text);
  if (found === null) return null;
  const [, sign, digits = ''] = found;
  const value = Number(digits.startsWith('.') ? digits : toDecimal(digits.replace(GROUPING, '')));
  return sign === undefined ? value : -value;
}

const GROUPING = /['\u2019\u00a0\u2009\u202f]/g;
/** A sign, but no hyphen of a word; a currency; groups of digits. */
const NUMBER = /(?:(?<![\p{L}\d])([-\u2212])\s?)?(?:\p{Sc}\s?)?(\d+(?:['\u2019\u00a0\u2009\u202f]\d{3}(?!\d)|[.,]\d+)*|\.\d+)/u;

function toDecimal(digits: string): string {
  const [dot, comma] = [digits.lastIndexOf('.'), digits.lastIndexOf(',')];
  if (dot >= 0 && comma >= 0) {
    const thousands = dot > comma ? ',' : '.';
    return digits.replaceAll(thousands, '').replace(',', '.');
  }
  const mark = comma >= 0 ? ',' : '.';
  const groups = digits.split(mark);
  const areThousands = groups.length > 2 || (mark === ',' && groups[1]?.length === 3 && groups[0] !== '0');
  return areThousands ? groups.join('') : groups.join('.');
}
