import { describe, expect, it } from 'vitest';
import { createRedaction, type Redaction } from '../../../../plugins/lib/redaction/src/index.js';

const SECRET = `p<a&"s's+/ w%ö`;

function open(...secrets: readonly string[]): Redaction {
  const redaction = createRedaction(secrets);
  if (redaction === undefined) throw new Error('there is no secret');
  return redaction;
}

const html = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const base64 = (text: string) => Buffer.from(text).toString('base64');

const FORMS: readonly (readonly [name: string, form: (secret: string) => string])[] = [
  ['raw', (secret) => secret],
  ['percent', encodeURIComponent],
  ['percent in lower case', (secret) => encodeURIComponent(secret).replace(/%../g, (escape) => escape.toLowerCase())],
  ['a whole URL', encodeURI],
  ['RFC 3986', (secret) => encodeURIComponent(secret).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)],
  ['the URL of a browser', (secret) => new URL(`http://x/?${encodeURIComponent(secret)}`).search.slice(1)],
  ['form', (secret) => new URLSearchParams({ '': secret }).toString().slice(1)],
  ['percent twice', (secret) => encodeURIComponent(encodeURIComponent(secret))],
  ['HTML text', html],
  ['HTML attribute', (secret) => html(secret).replace(/"/g, '&quot;').replace(/'/g, '&#39;')],
  [
    'HTML by numbers',
    (secret) => Array.from(secret, (one) => (/\w/.test(one) ? one : `&#x${one.codePointAt(0)?.toString(16) ?? ''};`)).join(''),
  ],
  ['HTML twice', (secret) => html(html(secret))],
  ['JSON', json],
  ['JSON of ASCII, with escaped slashes', (secret) => json(secret).replace(/ö/g, '\\u00f6').replace(/\//g, '\\/')],
  ['JSON in JSON in JSON', (secret) => json(json(json(secret)))],
  ['JSON in HTML', (secret) => html(json(secret)).replace(/"/g, '&quot;')],
  ['HTML in JSON', (secret) => json(html(secret))],
  ['Markdown', (secret) => secret.replace(/[<&"'+/%]/g, '\\$&')],
  ['base64', (secret) => base64(secret).replace(/=+$/, '')],
  ['base64url', (secret) => Buffer.from(secret).toString('base64url')],
  ['base64 in a URL', (secret) => encodeURIComponent(base64(secret).replace(/=+$/, ''))],
];

describe.each(FORMS)('%s', (_name, form) => {
  it.each([SECRET, 'correct horse', '1234', '\\\\server\\"x', '&amp;%25', '日本語のパス', 'pass😀word'])('of %s', (secret) => {
    const redaction = open('other secret', secret);
    const written = `before "${form(secret)}" after`;
    expect(redaction.text(written)).toBe('before "***" after');
    const redactor = redaction.openBytes();
    const bytes = [...Buffer.from(written)].map((byte) => redactor.push(Buffer.from([byte])));
    expect(Buffer.concat([...bytes, redactor.end()]).toString()).toBe('before "***" after');
    expect(Buffer.from(redaction.base64(base64(written)), 'base64').toString()).toBe('before "***" after');
  });
});

it.each([0, 1, 2, 3, 4, 5])('in the base64 of a longer text, after %i bytes', (offset) => {
  const user = 'u'.repeat(offset);
  const left = Buffer.from(
    open(SECRET)
      .text(base64(`${user}:${SECRET}:end`))
      .replace(/\*+/, ''),
    'base64',
  ).toString('latin1');
  expect(left).not.toContain(SECRET.slice(1, -1));
  expect(open(SECRET).text(base64(`${user}:${SECRET}:end`))).toContain('***');
});

it('ISO-8859-1 bytes', () => {
  const redactor = open(SECRET).openBytes();
  expect(Buffer.concat([redactor.push(Buffer.from(`<${SECRET}>`, 'latin1')), redactor.end()]).toString('latin1')).toBe('<***>');
});

it('a secret on one line that was given on two', () => {
  expect(open('one\n  two').text('one two, one  two')).toBe('***, ***');
});

it('the longer of two secrets that begin alike', () => {
  expect(open('pass', 'password').text('password pass')).toBe('*** ***');
});

it('strings at any depth, and nothing else', () => {
  const value = { 'a secret': ['a secret', { url: 'http://x/?q=a%20secret' }], count: 1, none: null };
  expect(open('a secret').value(value)).toEqual({ 'a secret': ['***', { url: 'http://x/?q=***' }], count: 1, none: null });
});

it('leaves other bytes as they are, whatever they are', () => {
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 256));
  const redactor = open(SECRET).openBytes();
  const parts = [bytes.subarray(0, 10), bytes.subarray(10, 70_000), bytes.subarray(70_000)].map((part) => redactor.push(part));
  expect(Buffer.concat([...parts, redactor.end()]).equals(bytes)).toBe(true);
});

it('is none without a secret that is long enough', () => {
  expect(createRedaction([])).toBeUndefined();
  expect(createRedaction(['abc', ' x '])).toBeUndefined();
});

it.each(['\\'.repeat(40), ' '.repeat(40), '&'.repeat(40), '%'.repeat(40), '<">\'+/'.repeat(8), 'ö-'.repeat(20)])(
  'ends soon with what is almost %s',
  (run) => {
    const secret = `a${run}x`;
    const almost = FORMS.map(([, form]) => form(`a${run}`).repeat(20)).join('\n');
    expect(open(secret).text(almost)).toBe(almost);
  },
);
