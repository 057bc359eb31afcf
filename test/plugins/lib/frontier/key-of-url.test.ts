import { expect, it } from 'vitest';
import { keyOfUrl } from '../../../../plugins/lib/frontier/src/index.js';

it.each([
  ['a fragment', 'https://a.example/x#part', 'https://a.example/x'],
  ['an empty fragment', 'https://a.example/x#', 'https://a.example/x'],
  ['a default port', 'https://a.example:443/', 'https://a.example/'],
  ['an upper-case host and scheme', 'HTTPS://A.Example/', 'https://a.example/'],
  ['a missing path', 'http://a.example', 'http://a.example/'],
  ['dot segments', 'http://a.example/x/../y/./z', 'http://a.example/y/z'],
  ['an empty query', 'http://a.example/x?', 'http://a.example/x'],
  ['the order of parameters', 'http://a.example/?b=2&a=1', 'http://a.example/?a=1&b=2'],
  ['empty parameters', 'http://a.example/?&b=2&&a=1&', 'http://a.example/?a=1&b=2'],
  ['an international host', 'http://bücher.example/', 'http://xn--bcher-kva.example/'],
])('%s does not distinguish two URLs', (_, one, other) => {
  expect(keyOfUrl(one)).toBe(keyOfUrl(other));
  expect(keyOfUrl(keyOfUrl(one))).toBe(keyOfUrl(one));
});

it.each([
  ['the scheme', 'http://a.example/', 'https://a.example/'],
  ['a port', 'http://a.example:8080/', 'http://a.example/'],
  ['the case of the path', 'http://a.example/X', 'http://a.example/x'],
  ['a slash at the end', 'http://a.example/x/', 'http://a.example/x'],
  ['a parameter', 'http://a.example/?a=1', 'http://a.example/?a=2'],
  ['the order of parameters of one name', 'http://a.example/?a=1&a=2', 'http://a.example/?a=2&a=1'],
  ['the encoding of a parameter', 'http://a.example/?a=1%262', 'http://a.example/?a=1&2'],
])('%s distinguishes two URLs', (_, one, other) => {
  expect(keyOfUrl(one)).not.toBe(keyOfUrl(other));
});

it('what is no absolute URL has no key', () => {
  expect(() => keyOfUrl('/x')).toThrow(TypeError);
});
