import { mergeSchema, SchemaError, type Fragment, type Rule, type SchemaPart } from '@platen/schema';
import { describe, expect, it } from 'vitest';
import { CORE, requestSchema } from './request-schema.js';

function refusal(part: Partial<SchemaPart>): SchemaError {
  try {
    mergeSchema({ parts: [{ owner: 'third-party', params: {}, ...part }], outputs: [] });
  } catch (error) {
    if (error instanceof SchemaError) return error;
    throw error;
  }
  throw new Error('the part was accepted');
}

const RULE: Rule = { 'x-message': 'not both', 'x-parameters': ['a', 'b'], not: { required: ['a', 'b'] } };

describe('the published document', () => {
  it('is a closed draft 2020-12 schema with the interface version', () => {
    expect(requestSchema().document).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'HttpRequestParams',
      version: '0.49.1',
      type: 'object',
      required: ['url'],
      additionalProperties: false,
    });
  });

  it('has no allOf where there is no rule, and the rules of all parts in order where there are some', () => {
    expect(requestSchema().document).not.toHaveProperty('allOf');
    const other = { ...RULE, 'x-message': 'neither' };
    const parts = [
      { owner: 'a', params: {}, rules: [RULE] },
      { owner: 'b', params: {}, rules: [other] },
    ];
    expect(mergeSchema({ parts, outputs: [] }).document.allOf).toEqual([RULE, other]);
  });

  it('enumerates the outputs of all plugins without their aliases, with their tiers, png being the default', () => {
    expect(requestSchema().document.properties.output_type).toEqual({
      type: 'string',
      enum: ['png', 'jpg', 'webp'],
      default: 'png',
      'x-tier': 'free',
      'x-plugin': 'kernel',
      'x-tiers': { png: 'free', jpg: 'free', webp: 'pro' },
    });
    const trimmed = mergeSchema({
      parts: [{ owner: 'kernel', params: { output_type: { ...CORE.output_type, default: 'png' } } }],
      outputs: [{ type: 'pdf', owner: 'pdf' }],
    });
    expect(trimmed.document.properties.output_type).not.toHaveProperty('default');
  });

  it.each<[string, Fragment, object]>([
    ['a type', { type: 'string' }, { type: ['string', 'null'] }],
    ['two types', { type: ['object', 'boolean'] }, { type: ['object', 'boolean', 'null'] }],
    ['an enumeration', { type: 'string', enum: ['a'] }, { type: ['string', 'null'], enum: ['a', null] }],
    ['branches', { anyOf: [{ type: 'string' }] }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['a constant', { const: 1 }, { anyOf: [{ const: 1 }, { type: 'null' }] }],
    ['anything', {}, {}],
    ['what must not be null', { type: 'string', nullable: false }, { type: 'string' }],
    ['uint32', { type: 'integer', format: 'uint32' }, { type: ['integer', 'null'], format: 'uint32', minimum: 0, maximum: 4294967295 }],
    [
      'uint64',
      { type: 'integer', format: 'uint64' },
      { type: ['integer', 'null'], format: 'uint64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    ],
    [
      'bounds within a format',
      { type: 'integer', format: 'uint', minimum: 1, maximum: 16 },
      { type: ['integer', 'null'], format: 'uint', minimum: 1, maximum: 16 },
    ],
    [
      'a format within a list',
      { type: 'array', items: { type: 'integer', format: 'uint' } },
      { type: ['array', 'null'], items: { type: 'integer', format: 'uint', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } },
    ],
    [
      'a list that one value may stand for',
      { type: 'array', items: { type: 'string' }, maxItems: 3, 'x-single': true },
      { anyOf: [{ type: 'array', items: { type: 'string' }, maxItems: 3 }, { type: 'string' }, { type: 'null' }], 'x-single': true },
    ],
    [
      'a text that a number may stand for',
      { type: 'string', minLength: 1, 'x-number': true },
      { type: ['string', 'number', 'null'], minLength: 1, 'x-number': true },
    ],
    [
      'a key that lists the values it knows, and keeps the list,',
      { type: 'string', 'x-values': { Small: '10x20', Large: '100x200' } },
      { type: ['string', 'null'], 'x-values': { Small: '10x20', Large: '100x200' } },
    ],
  ])('widens %s by null where null means unset', (_, fragment, published) => {
    expect(requestSchema({ key: fragment }).document.properties.key).toEqual({ ...published, 'x-tier': 'free', 'x-plugin': 'page' });
  });

  it('says owner, tier and sources of each key: the key before its plugin before "free"', () => {
    const { document, keys } = mergeSchema({
      parts: [
        {
          owner: 'navigator',
          tier: 'pro',
          params: { own: { type: 'string', 'x-tier': 'enterprise' }, plugins: { type: 'object', 'x-sources': ['body', 'mcp'] } },
        },
      ],
      outputs: [],
    });
    expect(document.properties.own).toMatchObject({ 'x-tier': 'enterprise', 'x-plugin': 'navigator' });
    expect(document.properties.plugins).toMatchObject({ 'x-tier': 'pro', 'x-sources': ['body', 'mcp'] });
    expect(keys.get('own')).toMatchObject({ owner: 'navigator', tier: 'enterprise' });
  });

  it('is frozen at every depth', () => {
    const { document } = requestSchema({ list: { type: 'array', items: { type: 'string' } } });
    const open = (value: unknown): boolean =>
      typeof value === 'object' && value !== null && (!Object.isFrozen(value) || Object.values(value).some(open));
    expect(open(document)).toBe(false);
  });
});

describe('parts that do not fit together', () => {
  it('names both owners of a key', () => {
    const parts = ['a', 'b'].map((owner) => ({ owner, params: { with_har: { type: 'boolean' } } as const }));
    expect(() => mergeSchema({ parts, outputs: [] })).toThrow(
      expect.objectContaining({
        code: 'duplicate_key',
        owners: ['a', 'b'],
        subject: 'with_har',
        message: 'parameter "with_har" is declared by both "a" and "b"',
      }),
    );
  });

  it.each([
    [
      'a type twice',
      [
        { type: 'jxl', owner: 'a' },
        { type: 'jxl', owner: 'b' },
      ],
    ],
    [
      'an alias that is a type',
      [
        { type: 'jxl', owner: 'a' },
        { type: 'jpegxl', owner: 'b', aliases: ['jxl'] },
      ],
    ],
    [
      'an alias twice',
      [
        { type: 'x', owner: 'a', aliases: ['jxl'] },
        { type: 'y', owner: 'b', aliases: ['jxl'] },
      ],
    ],
  ])('refuses %s', (_, outputs) => {
    expect(() => mergeSchema({ parts: [], outputs })).toThrow(
      expect.objectContaining({ code: 'duplicate_output', owners: ['a', 'b'], subject: 'jxl' }),
    );
  });
});

describe('a part that is wrong in itself', () => {
  it.each<[string, unknown]>([
    ['a misspelled keyword', { type: 'string', minLenght: 1 }],
    ['a keyword that fragments do not have', { $ref: '#' }],
    ['an unknown type', { type: 'text' }],
    ['a bound that is no number', { type: 'integer', minimum: '1' }],
    ['a bound on a string', { type: 'string', minimum: 1 }],
    ['a broken pattern', { type: 'string', pattern: '(' }],
    ['an empty enumeration', { type: 'string', enum: [] }],
    ['an enumerated value of another type', { type: 'string', enum: [1] }],
    ['a default that is not valid', { type: 'integer', minimum: 1, default: 0 }],
    ['an example that is not valid', { type: 'boolean', examples: ['yes'] }],
    ['x-refuses-empty without a least length', { type: 'string', 'x-refuses-empty': true }],
    ['x-refuses-empty on a number', { type: 'integer', minimum: 1, 'x-refuses-empty': true }],
    ['x-single on a scalar', { type: 'string', 'x-single': true }],
    ['x-number on a number', { type: 'number', 'x-number': true }],
    ['an unknown source', { type: 'string', 'x-sources': ['header'] }],
    ['nullable: true', { type: 'string', nullable: true }],
    ['a source of an item', { type: 'array', items: { type: 'string', 'x-sources': ['body'] } }],
    ['an integer format on a number', { type: 'number', format: 'uint' }],
    ['a required property that is not described', { type: 'object', properties: {}, required: ['name'] }],
    ['a function', { type: 'string', default: () => 1 }],
    ['null', null],
  ])('is refused with its owner and key: %s', (_, fragment) => {
    expect(refusal({ params: { key: fragment as Fragment } })).toMatchObject({
      code: 'invalid_fragment',
      owners: ['third-party'],
      subject: 'key',
      message: expect.stringMatching(/^"third-party" declares "key" wrongly: ./),
    });
  });

  it.each<[string, object]>([
    ['unknown keyword "minimun": did you mean "minimum"?', { type: 'integer', minimun: 3 }],
    ['unknown keyword "$ref"', { $ref: '#' }],
    ['"type" must be one of: string, integer, number, boolean, array, object', { type: 'bool' }],
    ['"type[1]" must be one of: string, integer, number, boolean, array, object', { type: ['string', 'bool'] }],
    ['in "items": unknown keyword "maxlength": did you mean "maxLength"?', { type: 'array', items: { type: 'string', maxlength: 1 } }],
    ['in "items": the keyword "x-tier" is allowed only for a whole parameter', { type: 'array', items: { 'x-tier': 'pro' } }],
    ['in "additionalProperties": unknown keyword "titel": did you mean "title"?', { type: 'object', additionalProperties: { titel: 'a' } }],
    ['"additionalProperties" must be boolean, or "additionalProperties" must be object', { type: 'object', additionalProperties: 'yes' }],
    ['"minimum" must be number', { type: 'integer', minimum: '1' }],
    ['"nullable" must be false', { type: 'string', nullable: true }],
    ['it must have "minLength"', { type: 'string', 'x-refuses-empty': true }],
    ['"x-tier" must be one of: free, pro, enterprise', { type: 'string', 'x-tier': 'gold' }],
  ])('is told what to change: %s', (reason, fragment) => {
    expect(refusal({ params: { key: fragment } }).message).toBe(`"third-party" declares "key" wrongly: ${reason}`);
  });

  it.each(['Key', 'with-har', '1st', '_key', '', 'key ', 'constructor', 'prototype'])('is refused for the key name "%s"', (key) => {
    expect(refusal({ params: { [key]: { type: 'string' } } })).toMatchObject({ code: 'invalid_fragment', subject: key });
  });

  it('is refused for a key that would reach a prototype', () => {
    const params = JSON.parse('{"__proto__":{"type":"string"}}');
    expect(refusal({ params })).toMatchObject({ code: 'invalid_fragment', subject: '__proto__' });
  });

  it.each<[string, object]>([
    ['no message', { 'x-parameters': ['a'] }],
    ['an empty message', { ...RULE, 'x-message': '' }],
    ['no parameters', { 'x-message': 'no' }],
    ['an empty list of parameters', { ...RULE, 'x-parameters': [] }],
    ['an unknown keyword', { ...RULE, nto: {} }],
    ['a keyword of the wrong type', { ...RULE, required: 'a' }],
  ])('is refused for a rule with %s', (_, rule) => {
    expect(refusal({ rules: [rule as Rule] })).toMatchObject({ code: 'invalid_fragment', owners: ['third-party'] });
  });
});
