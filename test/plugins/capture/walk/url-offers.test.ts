import { describe, expect, it } from 'vitest';
import { createScope } from '../../../../plugins/capture/walk/src/url-offers.js';

describe('crawl_deny_url', () => {
  it.each([
    ['*', true],
    ['http://a.test/b', true],
    ['http://a.test/', false],
    ['http://a.test/*', true],
    ['*/b', true],
    ['*/b/*', false],
    ['*a*t*b', true],
    ['http://a.test/b*b', false],
    ['http://a?test/b', false],
    ['http://A.test/b', false],
  ])('%s', (glob, isDenied) => {
    const scope = createScope({ seed: 'http://a.test/', allow: [], deny: [glob] });
    expect(scope.admit('http://a.test/b', { staysInScope: true })).toBe(isDenied ? undefined : 'http://a.test/b');
  });

  it('takes linear time', () => {
    const scope = createScope({ seed: 'http://a.test/', allow: [], deny: [`${'*a'.repeat(1000)}b`] });
    const url = `http://a.test/${'a'.repeat(100_000)}`;
    expect(scope.admit(url, { staysInScope: true })).toBe(url);
  });
});

describe('the scope', () => {
  it.each([
    ['https://www.a.co.uk/x#y', 'https://www.a.co.uk/x'],
    ['http://user:pass@a.co.uk/', 'http://a.co.uk/'],
    ['http://b.co.uk/', undefined],
    ['mailto:a@a.co.uk', undefined],
    ['/relative', 'http://a.co.uk/relative'],
    ['http://[', undefined],
  ])('%s', (url, admitted) => {
    const scope = createScope({ seed: 'http://a.co.uk/', allow: [], deny: [] });
    expect(scope.admit(url, { staysInScope: true, base: 'http://a.co.uk/deep' })).toBe(admitted);
  });
});
