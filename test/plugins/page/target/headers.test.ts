import { describe, expect, it } from 'vitest';
import { parseHeaders, withHeaders } from '../../../../plugins/page/target/src/target-headers.js';

const target = new URL('https://a.test:8443/x');
const parse = (...items: string[]) => Object.fromEntries(parseHeaders(items, target));

describe('header items', () => {
  it('are names and values, blanks around the value left out', () => {
    expect(parse('X-A:1', 'Authorization: \t Basic Zm9v: bar ', 'X-Empty:')).toEqual({
      'X-A': '1',
      Authorization: 'Basic Zm9v: bar',
      'X-Empty': '',
    });
  });

  it('may hold any characters but controls', () => {
    expect(parse('X-A: caf\u00e9 \u20ac \u{1f600}\tb')).toEqual({ 'X-A': 'caf\u00e9 \u20ac \u{1f600}\tb' });
  });

  it('of one name become one list', () => {
    expect(parse('X-A: 1', 'x-a: 2')).toEqual({ 'x-a': '1, 2' });
  });

  it.each([
    ...['Host', 'content-length', 'Connection', 'Transfer-Encoding', 'TE', 'Upgrade', 'Keep-Alive', 'Sec-Fetch-Mode'],
    ...['Proxy-Authorization', 'Cookie', 'Set-Cookie', 'Expect'],
  ])('named %s are refused', (name) => {
    expect(() => parse(`${name}: secret`)).toThrow(
      expect.objectContaining({ code: 'invalid_parameters', message: expect.stringContaining(`"header[0]" must not be "${name}"`) }),
    );
  });

  it.each(['no colon', ': value', 'Bad Name: x', 'X-A: a\r\nX-B: b', 'X-A: \0', 'X-A: \x7f', 'X-A: \ud800', 'X-A\n: b'])(
    'like %j are refused without their value',
    (item) => {
      expect(() => parse('X-Ok: 1', item)).toThrow(/^"header\[1\]" must [^\r\n]*$/);
    },
  );

  it('are refused for a target without an origin', () => {
    expect(() => parseHeaders(['X-A: 1'], new URL('data:text/html,x'))).toThrow('origin');
  });
});

describe('a request', () => {
  const send = (url: string) => {
    const headers = new Map([
      ['authorization', 'old'],
      ['Accept', '*/*'],
    ]);
    withHeaders({ url: new URL(url), headers }, parseHeaders(['Authorization: new'], target), target.origin);
    return Object.fromEntries(headers);
  };

  it('for the target’s own origin gets them, in place of its own', () => {
    expect(send('https://a.test:8443/other')).toEqual({ Accept: '*/*', Authorization: 'new' });
  });

  it.each([
    'https://a.test/',
    'http://a.test:8443/',
    'https://b.a.test:8443/',
    'https://a.test:8443@evil.test/',
    'https://evil.test/?https://a.test:8443/',
  ])('for %s stays as it is', (url) => {
    expect(send(url)).toEqual({ authorization: 'old', Accept: '*/*' });
  });
});
