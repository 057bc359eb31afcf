import { NetworkFilter, Request } from '@ghostery/adblocker';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isLinear, matchLinearly } from '../../../../../plugins/page/adblock/src/patterns/linear.js';

const ofLibrary = Object.getOwnPropertyDescriptor(NetworkFilter.prototype, 'getRegex');
const restore = () => {
  if (ofLibrary !== undefined) Object.defineProperty(NetworkFilter.prototype, 'getRegex', ofLibrary);
};
beforeEach(restore);
afterEach(restore);

const hits = (rule: string, url: string) => {
  const request = Request.fromRawDetails({ url, sourceUrl: 'http://asker.test/', type: 'image' });
  return NetworkFilter.parse(rule)?.match(request);
};

/** What the library says by its expressions, and what it says by ours. */
function both(rule: string, url: string) {
  restore();
  const library = hits(rule, url);
  matchLinearly();
  return { library, linear: hits(rule, url) };
}

const letters = (alphabet: string, maxLength: number) => fc.string({ unit: fc.constantFrom(...alphabet.split(/(?=.)/)), maxLength });

describe('wildcards are matched as the library matches them', () => {
  it('whatever the rule and the address', () => {
    const found = { hits: 0, misses: 0 };
    fc.assert(
      fc.property(
        fc.constantFrom('', '|', '||', '|http://', '||ab.test', '||b.test^', '||ab.*', '|http*'),
        letters('ab*^/.%A?&=-', 9),
        fc.constantFrom('', '|', '^|', '*|', '*', '^^|'),
        letters('abAB/.%?&=-_:', 14),
        (start, body, end, path) => {
          const { library, linear } = both(`${start}${body}${end}`, `http://a.ab.test/${path}`);
          expect(linear).toBe(library);
          if (library !== undefined) found[library ? 'hits' : 'misses']++;
        },
      ),
      { numRuns: 20_000 },
    );
    expect(found.hits).toBeGreaterThan(1000);
    expect(found.misses).toBeGreaterThan(1000);
  });

  it.each([
    ['&zoneid=*&direct=', 'http://x.test/?&zoneid=1&direct=', true],
    ['&zoneid=*&direct=', 'http://x.test/?&direct=&zoneid=1', false],
    ['||x.test^*/ad^', 'http://x.test:81/a/ad', true],
    ['|http://*.test^^|', 'http://x.test', true],
    ['ad^*^b|', 'http://x.test/ad/?b', true],
    ['/Ad*B$match-case', 'http://x.test/Ad-b', undefined],
  ])('%s in %s: %s', (rule, url, expected) => {
    expect(both(rule, url)).toEqual({ library: expected, linear: expected });
  });
});

describe('expressions of lists', () => {
  it.each([
    [String.raw`/^https?:\/\/(35|104)\.(\d){1,3}\.(\d){1,3}\.(\d){1,3}\//`, 'http://35.1.22.3/x', 'http://35.1.22/x'],
    [String.raw`/\/ad[s]?\d*\.(gif|jpe?g)/`, 'http://x.test/ADS12.jpg', 'http://x.test/adx.gif'],
    [String.raw`/^https?:\/\/([a-z0-9-]+\.)+(bid|club)\/[\w-]{4,}\.js$/`, 'http://a.b-c.club/ab_1.js', 'http://a.b-c.club/ab.js'],
    [String.raw`/\/Ad[A-Z]x/$match-case`, 'http://x.test/AdQx', 'http://x.test/adqx'],
    ['/(a+)+$/', 'http://x.test/aaa', 'http://x.test/aaab'],
  ])('%s hits what it hit', (rule, hit, miss) => {
    expect(both(rule, hit)).toEqual({ library: true, linear: true });
    expect(both(rule, miss)).toEqual({ library: false, linear: false });
  });

  it.each(['/a(?=b)c/', '/a(?!b)c/', String.raw`/(a+)\1x/`, '/a{2000}/'])('%s cannot be matched in linear time', (rule) => {
    expect(NetworkFilter.parse(rule)).toSatisfy((filter: NetworkFilter) => !isLinear(filter));
  });

  it.each([
    ['/(a+)+$/', `${'a'.repeat(4000)}!`],
    ['/^(?:.*,){11}P/', ','.repeat(4000)],
    ['/(?:ab|a|b)+x/', 'ab'.repeat(2000)],
    ['a*a*a*a*a*a*b', 'a'.repeat(4000)],
    ['^*^*^*^*^x^', '/'.repeat(4000)],
    ['&zoneid=*&direct=', '&zoneid='.repeat(500)],
  ])('%s ends where the library would go on', (rule, path) => {
    matchLinearly();
    expect(hits(rule, `http://x.test/${path}`)).toBe(false);
  });
});
