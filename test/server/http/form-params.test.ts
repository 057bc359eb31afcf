import { coerceQuery, type Fragments, mergeSchema } from '@platen/schema';
import { describe, expect, it } from 'vitest';
import { toParams } from '../../../server/src/http/form-params.js';
import type { FormPart } from '../../../server/src/http/read-form.js';

const FRAGMENTS = {
  url: { type: 'string', description: 'URL.' },
  html: { type: 'string', description: 'Text.' },
  archive: { type: 'string', 'x-file': true, description: 'A file.' },
  full_page: { type: 'boolean', description: 'Switch.' },
  width: { type: 'integer', description: 'Number.' },
  cookie: { type: 'array', items: { type: 'string' }, description: 'List.' },
  steps: { type: 'array', items: { type: 'object' }, description: 'List of objects.' },
  data: { type: 'object', additionalProperties: { type: 'string' }, description: 'Object.' },
  upload: { type: 'object', additionalProperties: { type: 'string', pattern: '^data:' }, description: 'Files.' },
} as const satisfies Fragments;

const schema = mergeSchema({ parts: [{ owner: 'test', params: FRAGMENTS }], outputs: [] });
const field = (name: string, text: string | Buffer): FormPart => ({ name, filename: undefined, type: '', bytes: Buffer.from(text) });
const file = (name: string, filename: string, text: string | Buffer, type = ''): FormPart => ({ ...field(name, text), filename, type });
const read = (...parts: readonly FormPart[]) => toParams(parts, { schema, takeMemory: () => undefined });

describe('a form', () => {
  it.each<[string, readonly FormPart[], Readonly<Record<string, unknown>>]>([
    ['text', [field('url', ' http://a.test/ ä')], { url: ' http://a.test/ ä' }],
    ['values by type', [field('full_page', 'yes'), field('width', '7')], { full_page: true, width: 7 }],
    ['an empty field, which unsets', [field('html', '')], { html: null }],
    ['a list as repeated fields', [field('cookie', 'a=b'), field('cookie', 'c=d')], { cookie: ['a=b', 'c=d'] }],
    ['a list as one field', [field('cookie', 'a=b')], { cookie: ['a=b'] }],
    ['a list as JSON', [field('cookie', ' ["a=b","c=d"]')], { cookie: ['a=b', 'c=d'] }],
    ['an item that only begins like JSON', [field('cookie', '[a]=b')], { cookie: ['[a]=b'] }],
    ['objects as JSON', [field('data', '{"a":"b"}'), field('steps', '[{"a":1}]')], { data: { a: 'b' }, steps: [{ a: 1 }] }],
    ['objects as files of JSON', [file('data', 'a.json', '{"a":"b"}', 'application/json')], { data: { a: 'b' } }],
    ['data: URLs as JSON', [field('upload', '{"a":"data:,"}')], { upload: { a: 'data:,' } }],
    ['the text of a file, without a byte order mark', [file('html', 'a.html', '\uFEFF<p>ä', 'text/html')], { html: '<p>ä' }],
    ['a file that is no text', [file('archive', 'a.wacz', Buffer.of(255))], { archive: 'data:application/octet-stream;base64,/w==' }],
    ['the URL of a file', [field('archive', 'https://a.test/a.wacz')], { archive: 'https://a.test/a.wacz' }],
    [
      'files by name, with the stated type or that of the name',
      [
        file('upload', 'css/a.css', 'x', 'application/octet-stream'),
        file('upload', 'b.html', '', 'text/html; charset=utf-8'),
        file('upload', 'c.none', Buffer.of(255), ''),
        file('upload', 'd.png', 'x', 'text/plain; a="b,c"'),
      ],
      {
        upload: {
          'css/a.css': 'data:text/css;base64,eA==',
          'b.html': 'data:text/html; charset=utf-8;base64,',
          'c.none': 'data:application/octet-stream;base64,/w==',
          'd.png': 'data:text/plain;base64,eA==',
        },
      },
    ],
    ['a field that fits no type, for the validator to explain', [field('width', 'x'), field('data', 'x')], { width: 'x', data: 'x' }],
    ['a scalar given twice, for the validator to explain', [field('url', 'a'), field('url', 'b')], { url: ['a', 'b'] }],
    ['unknown names, for the validator to explain', [file('none', 'a', Buffer.of(255))], { none: '' }],
  ])('has %s', (_, parts, params) => {
    expect(read(...parts)).toEqual(params);
  });

  it('has "__proto__" as a name, for the validator to refuse', () => {
    const params = read(field('__proto__', '1'));
    expect(Object.getOwnPropertyNames(params)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(params)).toBe(Object.getPrototypeOf(coerceQuery([], schema)));
  });

  it.each<[detail: string, parameter: string, parts: readonly FormPart[]]>([
    ['a part of the form has no name', '', [field('', 'x')]],
    ['"html" is given twice', 'html', [file('html', 'a', 'x'), field('html', 'y')]],
    ['"html" is given twice', 'html', [file('html', 'a', 'x'), file('html', 'b', 'y')]],
    ['"upload" is given twice', 'upload', [file('upload', 'a', 'x'), field('upload', '{}')]],
    ['"upload.css/a.css" is given twice', 'upload', [file('upload', 'css/a.css', 'x'), file('upload', 'css/a.css', 'y')]],
    ['"upload.__proto__" has a name that is not allowed', 'upload', [file('upload', '__proto__', 'x')]],
    ['"upload" must have files with a name', 'upload', [file('upload', '', 'x')]],
    ['"full_page" is not a file', 'full_page', [file('full_page', 'a', 'true')]],
    ['"html" is not text in UTF-8', 'html', [field('html', Buffer.of(0xff))]],
    ['"html" is not text in UTF-8', 'html', [file('html', 'a', Buffer.of(0xff))]],
    ['"data": its text is not valid JSON', 'data', [field('data', '{"a":')]],
    ['"data": "a" is given twice', 'data', [field('data', '{"a":"b","a":"c"}')]],
    ['"data": unknown parameter "__proto__"', 'data', [field('data', '{"__proto__":"b"}')]],
  ])('is refused: %s', (detail, parameter, parts) => {
    const given = () => read(...parts);
    expect(given).toThrow(detail);
    expect(given).toThrow(
      expect.objectContaining({
        code: 'invalid_parameters',
        details: { errors: [{ parameter, detail: expect.stringContaining(detail) as string }] },
      }),
    );
  });
});
