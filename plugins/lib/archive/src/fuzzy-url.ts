/** Parameters that only defeat caches, carry a moment, chance or a visit, or name a callback. */
const BUSTERS =
  /^(?:_+|cb|cache_?bust(?:er)?|no_?cache|rand(?:om)?|rnd|r|t|_?ts|_t|time(?:stamp)?|_dc|callback|jsonp|utm_\w+|gclid|fbclid|msclkid|_ga|sid|session_?id)$/i;
const BUSTING_VALUE = /^(?:\d{10,17}|0?\.\d{8,}|(?:jQuery|jsonp|cb)[_\d]+)$/i;

/** The URL without such parameters, the others in order. */
export function fuzzyUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname, searchParams } = new URL(url);
  const kept = [...searchParams].filter(([name, value]) => !BUSTERS.test(name) && !BUSTING_VALUE.test(value));
  const query = new URLSearchParams(kept.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))).toString();
  return `${host.replace(/^www\d*\./, '')}${pathname}?${query}`.toLowerCase();
}

/** How many values two queries share. */
export function sharedValues(one: string, other: string): number {
  const pairs = new Set(one.split('&'));
  return other.split('&').filter((pair) => pairs.has(pair)).length;
}

/** The URLs most like another, the likest first: those that share its host, then its beginning and its end. */
export function mostAlike(urls: Iterable<string>, wanted: string, count: number): readonly string[] {
  const scored = [...new Set(urls)].map((url) => ({ url, score: likeness(url, wanted) }));
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, count)
    .map(({ url }) => url);
}

/** From 0 to 1: shares of equal characters at the beginning and at the end, without the scheme. */
function likeness(one: string, other: string): number {
  const [first, second] = [withoutScheme(one), withoutScheme(other)];
  const longest = Math.max(first.length, second.length, 1);
  let [start, end] = [0, 0];
  while (start < longest && first[start] === second[start]) start += 1;
  while (end < longest - start && first[first.length - 1 - end] === second[second.length - 1 - end]) end += 1;
  return (start + end) / longest;
}

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\/(?:www\.)?/i, '').toLowerCase();
}
