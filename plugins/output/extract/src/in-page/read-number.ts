/**
 * The first number of a text, in the notation that its separators suggest: `$1,299.50` and `1.299,50 €` are 1299.5, `12,5` is 12.5, `1,299`
 * is 1299, and `1.299` is 1.299. Null if there is none.
 */
export function readNumber(text: string): number | null {
  const found = NUMBER.exec(text);
  if (found === null) return null;
  const [, sign, digits = ''] = found;
  const value = toNumber(digits.replace(GROUPING, ''));
  return sign === undefined ? value : -value;
}

const GROUPING = /[ '\u2019\u00a0\u2009\u202f]/g;
/** A sign, but no hyphen of a word; a currency; groups of digits. */
const NUMBER =
  /(?:(?<![\p{L}\d])([-\u2212])\s?)?(?:\p{Sc}\s?)?(\d{1,3}(?:[ '\u2019\u00a0\u2009\u202f]\d{3}(?!\d))+(?:[.,]\d+)?|\d+(?:[.,]\d+)*|\.\d+)/u;

/** `1,299.50`, and as in India `12,34,567`. */
const BY_COMMAS = /^[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}(?:\.\d+)?$/;
/** `1.299,50` and `1.234.567`, but not `1.299`. */
const BY_DOTS = /^[1-9]\d{0,2}(?:(?:\.\d{2,3})*\.\d{3},\d+|(?:\.\d{2,3})+\.\d{3})$/;

/** Of what is a list, a date or an address rather than a number, the first part. */
function toNumber(digits: string): number {
  if (BY_COMMAS.test(digits)) return Number(digits.replaceAll(',', ''));
  if (BY_DOTS.test(digits)) return Number(digits.replaceAll('.', '').replace(',', '.'));
  return parseFloat(/^\d+,\d+$/.test(digits) ? digits.replace(',', '.') : digits);
}
