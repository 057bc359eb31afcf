import { expect, it } from 'vitest';
import { decodeHeaderValue } from '../../../../plugins/capture/network/src/keys.js';

const BYTES = Array.from({ length: 32 }, (_none, at) => 0x80 + at);
const latin1 = (text: string) => Buffer.from(text).toString('latin1');
/** As Chromium reads the bytes. */
const windows1252 = (text: string) => latin1(text).replaceAll('\x80', '€').replaceAll('\x82', '‚').replaceAll('\x86', '†');

it.each([
  ['a latin1 reading', latin1('/страница'), 'X-Name', '/страница'],
  ['a windows-1252 reading', windows1252('/страница'), 'X-Name', '/страница'],
  ['an emoji', latin1('a \u{1f600}'), 'x', 'a \u{1f600}'],
  ['no UTF-8', 'caf\xe9', 'x', 'café'],
  ['no UTF-8, of windows-1252', '5 € \xe9', 'x', '5 € é'],
  ['a location', windows1252('/страница?a=%20'), 'Location', `${encodeURI('/страница')}?a=%20`],
  ['a location that is no UTF-8', '/caf\xe9 €', 'location', '/caf%E9 %80'],
  ['text of a service worker', '/страница', 'location', '/страница'],
])('%s', (_what, value, name, expected) => {
  expect(decodeHeaderValue(name, value)).toBe(expected);
});

it('every byte from 0x80 to 0x9f is in UTF-8 what it was', () => {
  const text = BYTES.map((byte) => String.fromCharCode(byte)).join('');
  expect(decodeHeaderValue('x', latin1(text))).toBe(text);
});
