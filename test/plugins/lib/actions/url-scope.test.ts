import { describe, expect, it } from 'vitest';
import { createCredentialScope, createUrlScope, type InitialScope } from '../../../../plugins/lib/actions/src/url-scope.js';

const START = 'https://shop.example.com/store/list?page=1';

describe('initial scope', () => {
  it.each<readonly [InitialScope, string, boolean]>([
    ['origin', 'https://shop.example.com/other', true],
    ['origin', 'http://shop.example.com/store/', false],
    ['origin', 'https://shop.example.com:8443/', false],
    ['origin', 'https://example.com/', false],
    ['origin', 'https://shop.example.com.evil.test/', false],
    ['origin', 'https://shop.example.com@evil.test/', false],
    ['domain', 'https://login.example.com:8443/x', true],
    ['domain', 'http://example.com/', true],
    ['domain', 'https://example.org/', false],
    ['domain', 'https://notexample.com/', false],
    ['path', 'https://shop.example.com/store/item/1', true],
    ['path', 'https://shop.example.com/store/../admin', false],
    ['path', 'https://shop.example.com/storefront', false],
    ['origin', 'about:blank', true],
    ['origin', 'blob:https://shop.example.com/1-2', true],
    ['origin', 'blob:https://evil.test/1-2', false],
    ['origin', 'javascript:alert(1)', false],
    ['origin', 'data:text/html,x', false],
    ['origin', 'file:///etc/passwd', false],
    ['origin', 'not a url', false],
  ])('%s: %s: %s', (initial, url, allowed) => {
    expect(createUrlScope(START, initial, []).allows(url)).toBe(allowed);
  });

  it('the domain of a public suffix and of an address is the host itself', () => {
    expect(createUrlScope('https://me.github.io/', 'domain', []).allows('https://you.github.io/')).toBe(false);
    expect(createUrlScope('http://127.0.0.1:80/', 'domain', []).allows('http://127.0.0.1:9000/')).toBe(true);
    expect(createUrlScope('http://127.0.0.1/', 'domain', []).allows('http://127.0.0.2/')).toBe(false);
  });
});

describe('globs', () => {
  it.each([
    ['other.test', 'https://other.test/any/path?x=1', true],
    ['other.test', 'http://other.test/', false],
    ['other.test', 'https://other.test:8443/', false],
    ['other.test', 'https://sub.other.test/', false],
    ['other.test:8443', 'https://other.test:8443/a', true],
    ['other.test:*', 'https://other.test:1/a', true],
    ['*.other.test', 'https://a.b.other.test/x', true],
    ['*.other.test', 'https://evil.test/a.other.test', false],
    ['*.other.test', 'https://evil.test/?.other.test', false],
    ['https://*/docs', 'https://any.test/docs', true],
    ['https://*/docs', 'https://any.test/docs/x', false],
    ['http://other.test/docs/*', 'http://other.test/docs/a/b?c', true],
    ['http://other.test/docs/*', 'https://other.test/docs/a', false],
    ['OTHER.test/a', 'https://other.test/a', true],
    ['/help/*', 'https://shop.example.com/help/1', true],
    ['/help/*', 'https://other.test/help/1', false],
    ['/find?q=*', 'https://shop.example.com/find?q=x', true],
    ['/find?q=*', 'https://shop.example.com/find?p=x', false],
    ['*', 'https://any.test/', true],
    ['[::1]:*', 'https://[::1]:9/', true],
  ])('%s: %s: %s', (glob, url, allowed) => {
    expect(createUrlScope(START, 'path', [glob]).allows(url)).toBe(allowed);
  });

  it('a bare host is also reached over http if the start is', () => {
    expect(createUrlScope('http://a.test/', 'origin', ['b.test']).allows('http://b.test/x')).toBe(true);
    expect(createUrlScope('http://a.test/', 'origin', ['b.test']).allows('https://b.test/x')).toBe(true);
  });

  it('a start without an origin is unrestricted, unless there are globs', () => {
    expect(createUrlScope('data:text/html,x', 'origin', []).allows('https://any.test/')).toBe(true);
    const limited = createUrlScope('data:text/html,x', 'origin', ['a.test', '/path']);
    expect(['https://a.test/', 'https://b.test/', 'https://b.test/path'].map((url) => limited.allows(url))).toEqual([true, false, false]);
  });

  it('many wildcards take linear time', () => {
    const glob = `https://a.test/${'*a'.repeat(2_000)}b`;
    expect(createUrlScope(START, 'origin', [glob]).allows(`https://a.test/${'a'.repeat(50_000)}`)).toBe(false);
  });
});

describe('credentials', () => {
  it.each([
    [undefined, 'https://login.example.com/', true],
    [undefined, 'http://login.example.com/', false],
    [undefined, 'https://evil.test/', false],
    [['https://accounts.test/*'], 'https://accounts.test/x', true],
    [['https://accounts.test/*'], 'https://shop.example.com/', false],
    [[], 'https://shop.example.com/', false],
  ])('%j: %s: %s', (globs, url, allowed) => {
    expect(createCredentialScope(START, globs).allows(url)).toBe(allowed);
  });
});
