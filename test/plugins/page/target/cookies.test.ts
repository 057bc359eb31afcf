import { describe, expect, it } from 'vitest';
import { parseCookieDate, parseCookies } from '../../../../plugins/page/target/src/parse-cookie.js';

const target = new URL('http://www.example.com:8080/a/b');
const parse = (item: string, url = target) => parseCookies([item], url)[0]?.cookie;
const failing =
  (item: string, url = target) =>
  () =>
    parseCookies(['fine=1', item], url);

describe('a cookie item', () => {
  it('without Domain is for the host of the target alone', () => {
    expect(parse('a=b')).toEqual({ name: 'a', value: 'b', url: 'http://www.example.com:8080/', path: '/', secure: false, httpOnly: false });
    expect(parse('a=b; Secure')?.url).toBe('https://www.example.com:8080/');
  });

  it('with Domain is for that domain and what is below it', () => {
    expect(parse('a=b; Domain=example.com')).toMatchObject({ domain: '.example.com' });
    expect(parse('a=b; domain=.EXAMPLE.com')).toMatchObject({ domain: '.example.com' });
    expect(parse('a=b; Domain=b\u00fccher.example')).toMatchObject({ domain: '.xn--bcher-kva.example' });
  });

  it('keeps a Domain without subdomains, an address or localhost, to its host', () => {
    expect(parse('a=b; Domain=127.0.0.1')).toMatchObject({ url: 'http://127.0.0.1/' });
    expect(parse('a=b; Domain=localhost', new URL('http://localhost/'))).toMatchObject({ url: 'http://localhost/' });
  });

  it('takes every attribute, in any case, the last of each', () => {
    const cookie = parse(' a = b=c ;PATH=/x; httponly ; Secure; SameSite=none; Path=/y; Expires=Wed, 21 Oct 2099 07:28:00 GMT');
    expect(cookie).toMatchObject({
      name: 'a',
      value: 'b=c',
      path: '/y',
      httpOnly: true,
      secure: true,
      sameSite: 'None',
      expires: Date.UTC(2099, 9, 21, 7, 28) / 1000,
    });
  });

  it('lets Max-Age win over Expires, and leaves out what has expired', () => {
    expect(parse('a=b; Max-Age=60; Expires=Wed, 21 Oct 2015 07:28:00 GMT')?.expires).toBeGreaterThan(Date.now() / 1000);
    expect(parse('a=b; Max-Age=0')).toBeUndefined();
    expect(parse('a=b; Expires=Wed, 21 Oct 2015 07:28:00 GMT')).toBeUndefined();
  });

  it.each([
    ['control characters', 'a=secret\r\nX: y'],
    ['control characters', 'a=secret\0'],
    ['form', 'secret'],
    ['form', '=secret'],
    ['unknown attribute', 'a=secret; Domian=x.test'],
    ['SameSite', 'a=secret; SameSite=maybe'],
    ['"Secure"', 'a=secret; SameSite=None'],
    ['Max-Age', 'a=secret; Max-Age=soon'],
    ['Expires', 'a=secret; Expires=soon'],
    ['top-level domain', 'a=secret; Domain=com'],
    ['host name', 'a=secret; Domain=a b'],
    ['host name', 'a=secret; Domain=evil.test/x'],
    ['__Secure-', '__Secure-a=secret'],
    ['__Host-', '__Host-a=secret; Secure; Domain=example.com'],
    ['4096 bytes', `a=secret${'x'.repeat(4096)}`],
  ])('is refused for its %s, by its number and without its value', (reason, item) => {
    expect(failing(item)).toThrow(reason);
    expect(failing(item)).toThrow('"cookie[1]" ');
    expect(failing(item)).toThrow(expect.objectContaining({ code: 'invalid_parameters', message: expect.not.stringContaining('secret') }));
  });

  it('needs a Domain where the target has no host', () => {
    expect(failing('a=b', new URL('data:text/html,x'))).toThrow('Domain');
    expect(parse('a=b; Domain=example.com', new URL('data:text/html,x'))).toMatchObject({ domain: '.example.com' });
  });
});

describe('parseCookieDate (RFC 6265, 5.1.1)', () => {
  const day = Date.UTC(1994, 10, 6, 8, 49, 37);
  it.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT', day],
    ['Sunday, 06-Nov-94 08:49:37 GMT', day],
    ['Sun Nov  6 08:49:37 1994', day],
    ['6 november 94 8:49:37 extra', day],
    ['Thu, 01 Jan 69 00:00:00 GMT', Date.UTC(2069, 0, 1)],
    ['Thu, 31 Feb 2026 00:00:00 GMT', undefined],
    ['Thu, 01 Jan 1600 00:00:00 GMT', undefined],
    ['Thu, 01 Jan 2026 24:00:00 GMT', undefined],
    ['Thu, 01 Jan 2026', undefined],
    ['', undefined],
  ])('%s', (text, expected) => {
    expect(parseCookieDate(text)).toBe(expected);
  });
});
