/** A language range (RFC 4647) with its weight (RFC 9110, 12.4.2). */
const ITEM = /^([a-z]{1,8}(?:-[a-z\d]{1,8})*|\*)(?:\s*;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

export interface AcceptLanguage {
  /** Languages by preference; undefined if the value names none, so that any language is acceptable. */
  readonly languages: string | undefined;
  /** The header as given, without blanks; undefined to let the browser add the weights. */
  readonly header: string | undefined;
}

/** Parses an Accept-Language header (RFC 9110, 12.5.4). Returns undefined if it is invalid or refuses every language. */
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
