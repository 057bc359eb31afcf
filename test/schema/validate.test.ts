import { createValidator, mergeSchema, type Fragment, type Rule, type Source } from '@platen/schema';
import { describe, expect, it } from 'vitest';
import { CORE, issuesOf, requestSchema } from './request-schema.js';

const URL_ONLY = { url: 'https://example.com/' };

/** The texts of what is wrong with a value of one key. */
function faults(fragment: Fragment, value: unknown, source: Source = 'body'): readonly string[] {
  const validate = createValidator(requestSchema({ key: fragment }));
  return issuesOf(() => validate({ ...URL_ONLY, key: value }, source)).map(({ detail }) => detail);
}

function read(raw: unknown, params = {}): unknown {
  return createValidator(requestSchema(params))(raw, 'body');
}

describe('what a valid set becomes', () => {
  it('has no null keys, no undefined keys and no defaults', () => {
    const params = { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'integer', default: 3 } } as const;
    expect(Object.entries(read({ ...URL_ONLY, a: null, b: undefined }, params) as object)).toEqual([['url', 'https://example.com/']]);
  });

  it('is a copy, frozen at every depth', () => {
    const given = { ...URL_ONLY, any: { list: [{}] } };
    const params = read(given, { any: {} }) as { any: { list: object[] } };
    expect(params).toEqual(given);
    for (const value of [params, params.any, params.any.list, params.any.list[0]]) expect(Object.isFrozen(value)).toBe(true);
    expect(Object.isFrozen(given.any)).toBe(false);
  });

  it('has aliases of output types replaced', () => {
    expect(read({ ...URL_ONLY, output_type: 'jpeg' })).toEqual({ ...URL_ONLY, output_type: 'jpg' });
  });

  it('has a list where one value may stand for it', () => {
    const params = { key: { type: 'array', items: { type: 'string' }, 'x-single': true } };
    expect(read({ ...URL_ONLY, key: 'a' }, params)).toMatchObject({ key: ['a'] });
    expect(read({ ...URL_ONLY, key: ['a', 'b'] }, params)).toMatchObject({ key: ['a', 'b'] });
  });
});

describe('what a set lacks or has too much of', () => {
  it('must be an object', () => {
    for (const raw of [null, undefined, 'url', 1, [], [URL_ONLY]]) {
      expect(issuesOf(() => read(raw))).toEqual([{ parameter: '', detail: 'the parameters must be an object' }]);
    }
  });

  it('must have a url', () => {
    expect(issuesOf(() => read({}))).toEqual([{ parameter: 'url', detail: '"url" is required' }]);
    expect(issuesOf(() => read({ url: null }))).toEqual([{ parameter: 'url', detail: '"url" is required' }]);
  });

  it('says what an unknown key was meant to be, or which plugin has it', () => {
    const params = { full_page: { type: 'boolean' } };
    expect(issuesOf(() => read({ ...URL_ONLY, fullpage: true }, params))).toEqual([
      { parameter: 'fullpage', detail: 'unknown parameter "fullpage": did you mean "full_page"?' },
    ]);
    expect(issuesOf(() => read({ ...URL_ONLY, zebra: true }, params))).toEqual([
      { parameter: 'zebra', detail: 'unknown parameter "zebra"' },
    ]);
    expect(issuesOf(() => read({ ...URL_ONLY, pdf_scale: 1 }))).toEqual([
      { parameter: 'pdf_scale', detail: '"pdf_scale" needs the plugin "pdf", which is not enabled' },
    ]);
    expect(issuesOf(() => read({ ...URL_ONLY, pdfscale: 1 }))[0]?.detail).toBe('unknown parameter "pdfscale": did you mean "pdf_scale"?');
  });

  it('says which plugin has an output type', () => {
    expect(issuesOf(() => read({ ...URL_ONLY, output_type: 'pdf' }))[0]?.detail).toBe(
      '"output_type" "pdf" needs the plugin "pdf", which is not enabled',
    );
    expect(issuesOf(() => read({ ...URL_ONLY, output_type: 'gif' }))[0]?.detail).toBe(
      '"output_type" must be one of: png, jpg, webp (got "gif")',
    );
    expect(issuesOf(() => read({ ...URL_ONLY, output_type: null }))[0]?.detail).toBe('"output_type" must not be null: omit it');
  });

  it('lists every fault, one a key, and counts them in its message', () => {
    const params = { a: { type: 'integer' }, b: { type: 'boolean' } } as const;
    const validate = createValidator(requestSchema(params));
    const issues = issuesOf(() => validate({ a: 'x', b: 'y', c: 1, output_type: 'gif' }, 'body'));
    expect(issues.map(({ parameter }) => parameter)).toEqual(['a', 'b', 'c', 'output_type', 'url']);
    expect(() => validate({ ...URL_ONLY, a: 'x' }, 'body')).toThrow(/^"a" must be an integer \(got a string\)$/);
    expect(() => validate({ a: 'x', b: 'y' }, 'body')).toThrow(/^"a" must be an integer \(got a string\) \(and 2 more\)$/);
  });
});

describe('the text of a fault', () => {
  it.each<[Fragment, unknown, string]>([
    [{ type: 'integer', minimum: 1, maximum: 16 }, 17, 'between 1 and 16'],
    [{ type: 'integer', minimum: 1, maximum: 16 }, 1.5, 'an integer between 1 and 16'],
    [{ type: 'integer', minimum: 1, maximum: 16 }, 'two', 'an integer between 1 and 16 (got a string)'],
    [{ type: 'integer', format: 'uint32' }, -1, 'an integer of at least 0'],
    [{ type: 'integer', format: 'uint32' }, 1.5, 'an integer of at least 0'],
    [{ type: 'integer', format: 'uint32' }, '1e3', 'an integer in plain decimal digits of at least 0 (got a string)'],
    [{ type: 'integer', format: 'uint32' }, 4294967296, 'between 0 and 4294967295'],
    [{ type: 'integer', format: 'uint64' }, 2 ** 53, 'between 0 and 9007199254740991'],
    [{ type: 'number', exclusiveMinimum: 0, maximum: 5 }, 0, 'greater than 0 and at most 5'],
    [{ type: 'number', exclusiveMinimum: 0, maximum: 5 }, '2', 'a number greater than 0 and at most 5 (got a string)'],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 1, 'greater than 0 and less than 1'],
    [{ type: 'number', minimum: 0.1, maximum: 2 }, 3, 'between 0.1 and 2'],
    [{ type: 'number', minimum: 0 }, -1, 'a number of at least 0'],
    [{ type: 'number', exclusiveMinimum: 0 }, 0, 'a number greater than 0'],
    [{ type: 'number', maximum: 5 }, 6, 'a number of at most 5'],
    [{ type: 'number' }, Number.NaN, 'a number (got a number)'],
    [{ type: 'number' }, Infinity, 'a number (got a number)'],
    [{ type: 'boolean' }, 'yes', 'true or false (got a string)'],
    [{ type: 'string' }, 1, 'a string (got a number)'],
    [{ type: 'string', minLength: 1 }, '', 'a non-empty string'],
    [{ type: 'string', minLength: 1, maxLength: 3 }, 'long', 'a non-empty string of at most 3 characters'],
    [{ type: 'string', minLength: 2, maxLength: 3 }, 'x', 'a string of at least 2 and at most 3 characters'],
    [{ type: 'string', pattern: '^geo:' }, 'here', 'a string that matches ^geo:'],
    [{ type: 'string', pattern: '^geo:', 'x-expects': 'a geo URI (RFC 5870)' }, 'here', 'a geo URI (RFC 5870)'],
    [{ type: 'string', enum: ['common', 'gfm'] }, 'html', 'one of: common, gfm (got "html")'],
    [{ type: 'string', enum: ['common', 'gfm'] }, { secret: 1 }, 'one of: common, gfm'],
    [{ enum: ['json', true] }, 5, 'one of: json, true (got 5)'],
    [{ const: 'x' }, 'y', '"x"'],
    [{ type: 'array', items: { type: 'string' } }, 'a', 'a list of strings (got a string)'],
    [{ type: 'array', items: { type: 'string' }, maxItems: 1 }, ['a', 'b'], 'a list of at most 1 strings'],
    [{ type: 'array' }, {}, 'a list of values (got an object)'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'x', 'an object of strings (got a string)'],
    [{ type: ['object', 'boolean'] }, 'x', 'an object, true or false (got a string)'],
    [
      { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string', enum: ['all'] }, { type: 'boolean' }] },
      0,
      'an integer of at least 1, all, true or false',
    ],
  ])('%j refuses %j', (fragment, value, expected) => {
    expect(faults(fragment, value)).toEqual([`"key" must be ${expected}`]);
  });

  it('says where in the value the fault is', () => {
    const strings = { type: 'array', items: { type: 'string', minLength: 1 } } as const;
    expect(faults(strings, ['a', ''])).toEqual(['"key[1]" must be a non-empty string']);
    expect(faults({ type: 'object', additionalProperties: { type: 'string' } }, { 'a/b': 1 })).toEqual([
      '"key.a/b" must be a string (got a number)',
    ]);
    const shape = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'], additionalProperties: false } as const;
    expect(faults(shape, {})).toEqual(['"key" must have "name"']);
    expect(faults(shape, { name: 'a', nmae: 'b' })).toEqual(['"key" must not have "nmae"']);
  });

  it('counts the values of a key that takes one', () => {
    expect(faults({ type: 'boolean' }, [true, false], 'query')).toEqual(['"key" takes a single value (got 2)']);
    expect(faults({ type: ['object', 'string'] }, ['a'])).toEqual(['"key" must be an object or a string (got a list)']);
  });

  it('never repeats a value but a short one beside an enumeration', () => {
    const secret = 'hunter2'.repeat(50);
    const texts = [
      ...faults({ type: 'array', items: { type: 'string', maxLength: 3 } }, [secret]),
      ...faults({ type: 'string', pattern: '^agent=' }, secret),
      ...faults({ type: 'object' }, secret),
      ...faults({ type: 'object', additionalProperties: { type: 'integer' } }, { name: secret }),
    ];
    expect(texts).toHaveLength(4);
    for (const text of texts) expect(text).not.toContain('hunter2');
    expect(faults({ type: 'string', enum: ['a'] }, 'b'.repeat(1000))[0]).toHaveLength(
      '"key" must be one of: a (got "")'.length - 'one of: '.length + 61,
    );
  });

  it('cuts and escapes names that it repeats', () => {
    const [issue] = issuesOf(() => read({ ...URL_ONLY, [`\r\n${'k'.repeat(1000)}`]: 1 }));
    expect(issue?.detail).toBe(`unknown parameter "\\r\\n${'k'.repeat(58)}…"`);
  });
});

describe('sources', () => {
  const fragment: Fragment = { type: 'object', 'x-sources': ['body', 'mcp'] };

  it('tells who writes text for an object where and how it is written', () => {
    const either: Fragment = { type: ['boolean', 'object'], properties: { a: { type: 'object' } } };
    const texts = { query: ', which only a JSON body can hold', flags: ', written as JSON', body: ' (got a string)' } as const;
    for (const [source, way] of Object.entries(texts)) {
      expect(faults(either, 'file.json', source as keyof typeof texts)).toEqual([`"key" must be true or false or an object${way}`]);
    }
    expect(faults(either, 1, 'query')).toEqual(['"key" must be true or false or an object']);
    expect(faults(either, { a: 'x' }, 'flags')).toEqual(['"key.a" must be an object']);
  });

  it('keeps a key from where it is not accepted, whatever its value', () => {
    for (const value of [{}, '{}', null])
      expect(faults(fragment, value, 'query')).toEqual(['"key" is accepted in a JSON or multipart body only']);
    expect(faults(fragment, {}, 'flags')).toEqual(['"key" is accepted in a JSON or multipart body only']);
    expect(faults(fragment, {}, 'body')).toEqual([]);
    expect(faults(fragment, {}, 'mcp')).toEqual([]);
  });

  it('gives an MCP call the rights of a body', () => {
    expect(faults({ ...fragment, 'x-sources': ['body'] }, {}, 'mcp')).toEqual([]);
  });

  it('names each accepted source', () => {
    expect(faults({ type: 'string', 'x-sources': ['flags', 'query'] }, 'x', 'body')).toEqual([
      '"key" is accepted in a query string or a command line only',
    ]);
  });
});

describe('rules', () => {
  const rule: Rule = {
    'x-message': '"full_page" and "image_selector" exclude each other',
    'x-parameters': ['full_page', 'image_selector'],
    not: { required: ['full_page', 'image_selector'], properties: { full_page: { const: true } } },
  };
  const validate = createValidator(
    mergeSchema({
      parts: [
        { owner: 'kernel', params: CORE },
        { owner: 'screenshot', params: { full_page: { type: 'boolean' }, image_selector: { type: 'string' } }, rules: [rule] },
      ],
      outputs: [{ type: 'png', owner: 'png' }],
    }),
  );

  it('give their own message and name their first parameter', () => {
    const issues = issuesOf(() => validate({ ...URL_ONLY, full_page: true, image_selector: '#a' }, 'body'));
    expect(issues).toEqual([{ parameter: 'full_page', detail: rule['x-message'] }]);
  });

  it('see the set after null was taken out', () => {
    expect(validate({ ...URL_ONLY, full_page: true, image_selector: null }, 'body')).toEqual({ ...URL_ONLY, full_page: true });
  });

  it('are not asked about parameters that are wrong themselves', () => {
    expect(issuesOf(() => validate({ ...URL_ONLY, full_page: true, image_selector: 1 }, 'body')).map(({ parameter }) => parameter)).toEqual(
      ['image_selector'],
    );
  });
});

describe('hostile values', () => {
  const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

  it('may be nested 1000 levels deep and no deeper', () => {
    expect(faults({}, nested(1000))).toEqual([]);
    expect(faults({}, nested(1001))).toEqual(['"key" is nested too deeply: at most 1000 levels']);
    expect(faults({}, nested(100_000))).toEqual(['"key" is nested too deeply: at most 1000 levels']);
    expect(faults({ type: 'string' }, nested(100_000))).toEqual(['"key" takes a single value, not a list']);
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    expect(faults({}, loop)).toEqual(['"key" is nested too deeply: at most 1000 levels']);
  });

  it.each(['__proto__', 'constructor', 'prototype'])('cannot use the name "%s"', (name) => {
    const raw: unknown = JSON.parse(`{"url":"https://example.com/","${name}":{"polluted":true}}`);
    expect(issuesOf(() => read(raw))).toEqual([{ parameter: name, detail: `unknown parameter "${name}"` }]);
    expect(faults({}, JSON.parse(`{"${name}":{"polluted":true}}`))).toEqual([`"key" contains the name "${name}", which is not allowed`]);
    expect(faults({ type: 'object', additionalProperties: { type: 'string' } }, JSON.parse(`{"${name}":"x"}`))).toHaveLength(1);
    expect({}).not.toHaveProperty('polluted');
  });

  it('have `__proto__` nowhere, and `constructor` and `prototype` as data further in', () => {
    expect(faults({}, JSON.parse('{"a":[0,{"b":{"__proto__":{"polluted":true}}}]}'))).toEqual([
      '"key" contains the name "__proto__", which is not allowed, in "a[1].b"',
    ]);
    expect(faults({}, JSON.parse('{"a":[{"constructor":{"prototype":{"polluted":true}}}]}'))).toEqual([]);
    expect({}).not.toHaveProperty('polluted');
  });

  it('must be JSON', () => {
    for (const value of [() => 1, 1n, Symbol('s'), new Date(0), new Map(), Number.NaN, [undefined], JSON.parse('1e999')]) {
      expect(faults({}, value)).toEqual(['"key" contains a value that JSON cannot represent']);
    }
  });

  it('yield one fault for a list of a million wrong items', () => {
    expect(faults({ type: 'array', items: { type: 'string' } }, new Array(1_000_000).fill(1))).toEqual([
      '"key[0]" must be a string (got a number)',
    ]);
  });

  it('yield a hundred faults for a hundred thousand wrong keys', () => {
    const raw = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key_${index}`, 1]));
    expect(issuesOf(() => read(raw))).toHaveLength(100);
  });
});
