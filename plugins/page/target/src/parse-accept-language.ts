/** A range of RFC 4647 with a weight of RFC 9110, 12.4.2. */
const ITEM = /^([a-z]{1,8}(?:-[a-z\d]{1,8})*|\*)(?:\s*;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

export interface AcceptLanguage {
  /** A plain list, most preferred first; undefined where the value names none: any will do. */
  readonly languages: string | undefined;
  /** The header as it was given, blanks aside; undefined where it leaves the weights to the browser. */
  readonly header: string | undefined;
}

/** An Accept-Language header value (RFC 9110, 12.5.4). Undefined where the value is none, or refuses every language. */
export function parseAcceptLanguage(value: string): AcceptLanguage | undefined {
  const items = value.split(',').map((item) => ITEM.exec(item.trim()));
  const known = items.filter((item) => item !== null);
  if (known.length < items.length) return undefined;
  const accepted = known
    .map(([, range = '', weight = '1']) => ({ range, weight: Number(weight) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  if (accepted.length === 0) return undefined;
  const languages = new Set(accepted.filter(({ range }) => range !== '*').map(({ range }) => range));
  const isPlain = known.every(([, range, weight]) => range !== '*' && weight === undefined);
  return {
    languages: languages.size > 0 ? [...languages].join(',') : undefined,
    header: isPlain ? undefined : known.map(([item]) => item.replace(/\s/g, '')).join(','),
  };
}
