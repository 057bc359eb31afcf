/** A range of RFC 4647 with a weight of RFC 9110, 12.4.2. */
const ITEM = /^([a-z]{1,8}(?:-[a-z\d]{1,8})*|\*)(?:\s*;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/**
 * An Accept-Language header value as the plain list that the browser wants, most preferred first: it adds weights of its own.
 * Undefined where the value is none, or leaves no language over.
 */
export function parseAcceptLanguage(value: string): string | undefined {
  const items = value.split(',').map((item) => ITEM.exec(item.trim()));
  const known = items.filter((item) => item !== null);
  if (known.length < items.length) return undefined;
  const languages = known
    .map(([, tag = '', weight = '1']) => ({ tag, weight: Number(weight) }))
    .filter(({ tag, weight }) => tag !== '*' && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
  return languages.length > 0 ? [...new Set(languages)].join(',') : undefined;
}
