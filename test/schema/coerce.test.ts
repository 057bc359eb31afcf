import { coerceQuery, coerceText, createValidator, parseQuery, type Fragment } from '@platen/schema';
import { describe, expect, it } from 'vitest';
import { issuesOf, requestSchema } from './request-schema.js';

const URL_PAIR = 'url=https%3A%2F%2Fexample.com%2F';

/** What a query string gives to one key. */
function coerced(fragment: Fragment, query: string): unknown {
  return coerceQuery(parseQuery(query), requestSchema({ key: fragment })).key;
}

/** The faults that a query string has after coercion and validation. */
function faults(fragment: Fragment, query: string): readonly string[] {
  const schema = requestSchema({ key: fragment });
  const pairs = parseQuery(`${URL_PAIR}&${query}`);
  return issuesOf(() => createValidator(schema)(coerceQuery(pairs, schema), 'query')).map(({ detail }) => detail);
}

const LIST = { type: 'array', items: { type: 'string' } } as const;

describe('coerceQuery', () => {
  it.each<[Fragment, string, unknown]>([
    [{ type: 'boolean' }, 'key=true', true],
    [{ type: 'boolean' }, 'key=1', true],
    [{ type: 'boolean' }, 'key', true],
    [{ type: 'boolean' }, 'key=false', false],
    [{ type: 'boolean' }, 'key=0', false],
    [{ type: 'boolean' }, 'key[]=true', true],
    ...['TRUE', 'True', 'yes', 'on', 'ON'].map((word): [Fragment, string, unknown] => [{ type: 'boolean' }, `key=${word}`, true]),
    ...['FALSE', 'no', 'off', 'Off'].map((word): [Fragment, string, unknown] => [{ type: 'boolean' }, `key=${word}`, false]),
    [{ type: ['string', 'boolean'] }, 'key=on', 'on'],
    [{ type: ['integer', 'boolean'] }, 'key=yes', true],
    [{ type: ['string', 'boolean'], enum: ['on', true, false] }, 'key=on', 'on'],
    [{ type: ['string', 'boolean'], enum: ['json', 'true', true, false] }, 'key=1', true],
    [{ type: ['string', 'boolean'], enum: ['json', 'true', true, false] }, 'key=0', false],
    [{ type: ['string', 'boolean'], enum: ['json', 'true', true, false] }, 'key', true],
    [{ type: ['string', 'boolean'], enum: ['1', true, false] }, 'key=1', '1'],
    [{ type: ['string', 'boolean'] }, 'key=1', '1'],
    [{ type: 'integer' }, 'key=-12', -12],
    [{ type: 'number' }, 'key=1.50', 1.5],
    [{ type: 'number' }, 'key=.5', 0.5],
    [{ type: 'number' }, 'key=-.25', -0.25],
    [{ type: 'number' }, 'key=', null],
    [{ type: 'string' }, 'key=', null],
    [{ type: 'boolean' }, 'key=', null],
    [{ type: 'boolean' }, 'key[]', true],
    [{ type: 'integer' }, 'key', null],
    [{ type: 'string', minLength: 1 }, 'key=', null],
    [{ type: 'string', minLength: 1 }, 'key', null],
    [{ type: 'string', enum: ['a'] }, 'key=', null],
    [{ type: 'string', minLength: 1, 'x-refuses-empty': true }, 'key=', ''],
    [{ type: 'string', minLength: 1, 'x-refuses-empty': true }, 'key', ''],
    [{ type: 'string', nullable: false }, 'key=', ''],
    [{ type: 'string' }, 'key=true', 'true'],
    [{ type: 'string' }, 'key=a%20b+c', 'a b c'],
    [LIST, 'key=a', ['a']],
    [LIST, 'key=a&key=b', ['a', 'b']],
    [LIST, 'key[]=a', ['a']],
    [LIST, 'key[]=a&key=b', ['a', 'b']],
    [LIST, 'key=a,b', ['a,b']],
    [LIST, 'key=["a"]', ['["a"]']],
    [LIST, 'key=', null],
    [LIST, 'key=a&key=', ['a', '']],
    [{ type: 'array', items: { type: 'integer' } }, 'key=1&key=2', [1, 2]],
    [{}, 'key=a', 'a'],
    [{}, 'key=a&key=b', ['a', 'b']],
    [{ type: ['array', 'string'] }, 'key=a,b', 'a,b'],
    [{ type: ['array', 'string'] }, 'key[]=a', ['a']],
    [{ type: ['string', 'number'] }, 'key=2', 2],
    [{ type: ['string', 'number'] }, 'key=load', 'load'],
    [{ type: ['string', 'boolean'], enum: ['json', 'text', true, false] }, 'key=true', true],
    [{ type: ['string', 'boolean'], enum: ['json', 'text', 'true'] }, 'key=true', 'true'],
    [{ type: ['string', 'boolean'], enum: ['json', 'text', true, false] }, 'key', true],
    [{ type: ['string', 'boolean'], enum: ['json', 'text', true, false] }, 'key=', null],
    [LIST, 'key', null],
    [{ type: ['object', 'boolean'] }, 'key=1', true],
    [{ type: ['object', 'boolean'] }, 'key={"a":1}', '{"a":1}'],
  ])('%j reads "%s" as %j', (fragment, query, expected) => {
    expect(coerced(fragment, query)).toEqual(expected);
  });

  it.each(['NaN', '1,5', '1_000', '--1', '.', '%D9%A1'])('leaves "%s" to be refused by an integer key and by a number key', (text) => {
    expect(faults({ type: 'integer', format: 'uint32' }, `key=${text}`)).toEqual(['"key" must be an integer of at least 0']);
    expect(faults({ type: 'number' }, `key=${text}`)).toEqual(['"key" must be a number']);
  });

  it.each(['Infinity', '0x10', '1e3', '1e9', '%201', '%2B1', '1.'])('says of "%s" that plain decimal digits are wanted', (text) => {
    expect(faults({ type: 'integer', format: 'uint32' }, `key=${text}`)).toEqual([
      '"key" must be an integer in plain decimal digits of at least 0',
    ]);
    expect(faults({ type: 'number', exclusiveMinimum: 0 }, `key=${text}`)).toEqual([
      '"key" must be a number in plain decimal digits, such as 2 or 0.5, greater than 0',
    ]);
    expect(faults({ type: 'number' }, `key=${text}`)).toEqual(['"key" must be a number in plain decimal digits, such as 2 or 0.5']);
  });

  it('refuses integers that a number cannot hold', () => {
    expect(faults({ type: 'integer', format: 'uint64' }, 'key=9007199254740993')).toHaveLength(1);
    expect(faults({ type: 'integer' }, `key=${'9'.repeat(400)}`)).toHaveLength(1);
    expect(faults({ type: 'integer' }, 'key=1.5')).toEqual(['"key" must be an integer']);
  });

  it('leaves a scalar key that is given twice to be refused, together with every other fault', () => {
    expect(faults({ type: 'boolean' }, 'key=true&key=true&fullpage=1&output_type=gif')).toEqual([
      '"key" takes a single value (got 2)',
      'unknown parameter "fullpage"',
      '"output_type" must be one of: png, jpg, webp (got "gif")',
    ]);
    expect(faults({ type: 'string' }, 'url=https%3A%2F%2Fother.example%2F')).toEqual(['"url" takes a single value (got 2)']);
    expect(faults({ type: 'boolean' }, 'key=maybe')).toEqual(['"key" must be true or false']);
  });

  it('refuses an empty text where the key says that it is a mistake, with the words of its bounds', () => {
    expect(faults({ type: 'string', minLength: 1, 'x-refuses-empty': true }, 'key=')).toEqual(['"key" must be a non-empty string']);
    expect(faults({ type: 'string', nullable: false, minLength: 1 }, 'key=')).toEqual(['"key" must be a non-empty string']);
  });

  it.each(['__proto__', 'constructor', 'prototype', '__proto__[polluted]', '__proto__[]'])(
    'leaves "%s" to be refused as an unknown key',
    (name) => {
      const key = name.replace(/\[\]$/, '');
      expect(faults({}, `${name}=1`)).toEqual([`unknown parameter "${key}"`]);
      expect({}).not.toHaveProperty('polluted');
    },
  );

  it('gives objects no way in', () => {
    expect(faults({ type: 'object', 'x-sources': ['body', 'mcp'] }, 'key={}')).toEqual([
      '"key" is accepted in a JSON or multipart body only',
    ]);
    expect(faults({ type: 'object' }, 'key={}')).toEqual(['"key" must be an object, which only a JSON body can hold']);
    expect(faults({ type: 'array', items: { type: 'object' } }, 'key={}')).toEqual(['"key[0]" must be an object']);
  });

  it('takes a hundred thousand pairs', () => {
    expect(faults({}, Array.from({ length: 100_000 }, (_, index) => `k${index}=1`).join('&'))).toHaveLength(100);
    expect(coerced(LIST, 'key=a&'.repeat(100_000))).toHaveLength(100_000);
  });
});

describe('coerceText', () => {
  it.each<[Fragment, string, unknown]>([
    [{ type: 'boolean' }, '1', true],
    [{ type: 'boolean' }, '', null],
    [{ type: 'string', minLength: 1 }, '', null],
    [{ type: 'string', minLength: 1, 'x-refuses-empty': true }, '', ''],
    [{ type: 'boolean' }, 'yes', true],
    [{ type: 'boolean' }, 'maybe', 'maybe'],
    [{ type: 'integer' }, '8080', 8080],
    [{ type: 'integer' }, '80a', '80a'],
    [LIST, 'a,b', ['a,b']],
    [LIST, '["a","b"]', ['a', 'b']],
    [LIST, '[a', ['[a']],
    [{ type: 'object' }, '{"a":1}', { a: 1 }],
    [{ type: 'object' }, '{a', '{a'],
    [{ type: ['object', 'boolean'] }, 'true', true],
    [{ type: ['array', 'string'] }, 'a', 'a'],
    [{}, '{"a":1}', '{"a":1}'],
  ])('%j reads "%s" as %j', (fragment, text, expected) => {
    expect(coerceText(text, fragment)).toEqual(expected);
  });
});

describe('parseQuery', () => {
  it.each([
    ['', []],
    [
      'a=1&b=2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['a', [['a', undefined]]],
    ['a=', [['a', '']]],
    ['=a', [['', 'a']]],
    ['a=b=c', [['a', 'b=c']]],
    [
      '&&a&&b=',
      [
        ['a', undefined],
        ['b', ''],
      ],
    ],
    ['a%3Db', [['a=b', undefined]]],
    ['a+b=c+d%20e', [['a b', 'c d e']]],
    [
      '?a&b',
      [
        ['?a', undefined],
        ['b', undefined],
      ],
    ],
    ['?', [['?', undefined]]],
  ])('reads "%s" as %j', (query, pairs) => {
    expect(parseQuery(query)).toEqual(pairs);
  });
});

it('names an & of the target that was not encoded as the likely cause of an unknown parameter', () => {
  const issues = (query: string) => {
    const schema = requestSchema({ key: { type: 'string' } });
    return issuesOf(() => createValidator(schema)(coerceQuery(parseQuery(query), schema), 'query')).map(({ detail }) => detail);
  };
  expect(issues('url=https://a.test/?x=1&y=2')).toEqual(['unknown parameter "y"; if it is part of "url", write each & of "url" as %26']);
  expect(issues('url=https://a.test/&y=2')).toEqual(['unknown parameter "y"']);
  expect(issues('url=https%3A%2F%2Fa.test%2F%3Fx%3D1%26y%3D2')).toEqual([]);
});
