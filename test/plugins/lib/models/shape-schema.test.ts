import { formatOf } from '@platen/lib-models';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { shapeSchema } from '../../../../plugins/lib/models/src/shape-schema.js';

const { signal } = new AbortController();
const NAMES = { names: /^[\w.-]{1,64}$/ };
const KEYWORDS = {
  keywords: new Set([
    'type',
    'title',
    'description',
    'items',
    'anyOf',
    'additionalProperties',
    'properties',
    'required',
    'enum',
    '$ref',
    '$defs',
  ]),
};

describe('names that a provider refuses', () => {
  const schema = {
    type: 'object',
    properties: {
      größe: { type: 'integer' },
      'price (EUR)': { type: 'object', properties: { '@type': { $ref: '#/$defs/Währung' } }, required: ['@type'] },
      gr__e: { type: 'string' },
      '': { type: 'string' },
    },
    required: ['größe', 'price (EUR)'],
    additionalProperties: false,
    $defs: { Währung: { enum: ['€', '$'] } },
  };
  const { sent, renamed } = shapeSchema(schema, NAMES);

  it('are renamed in what is sent', () => {
    const names = [...JSON.stringify(sent).matchAll(/"([^"]*)":/g)].map(([, name = '']) => name).filter((name) => !name.startsWith('$'));
    for (const name of names) expect(name).toMatch(NAMES.names);
    expect(new Set(Object.keys(sent['properties'] as object)).size).toBe(4);
    expect(Object.values(renamed)).toEqual(expect.arrayContaining(['größe', 'price (EUR)', '@type', 'Währung', '']));
  });

  it('come back in the answer, which the own schema checks', async () => {
    const alias = Object.fromEntries(Object.entries(renamed).map(([sentName, name]) => [name, sentName]));
    const answer = { [alias['größe'] ?? '']: 3, [alias['price (EUR)'] ?? '']: { [alias['@type'] ?? '']: '€' } };
    expect(new Ajv2020({ strict: false }).compile(sent)(answer)).toBe(true);
    const { read } = formatOf(schema, { rules: NAMES });
    const value = { größe: 3, 'price (EUR)': { '@type': '€' } };
    expect(await read({ text: '', value: answer }, signal)).toEqual({ value });
    expect(await read({ text: JSON.stringify(value) }, signal)).toEqual({ value });
    expect(await read({ text: '', value: {} }, signal)).toMatchObject({ problems: expect.stringContaining('größe') });
  });
});

describe('what a provider does not take at the top', () => {
  const item = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
  it.each([
    { type: 'object', anyOf: [item, { required: ['b'] }] },
    { type: 'object', allOf: [item] },
    { $ref: '#/$defs/item', $defs: { item } },
    { $ref: '#/definitions/item', definitions: { item }, $schema: 'http://json-schema.org/draft-07/schema#' },
    { oneOf: [item, { type: 'array', items: { $ref: '#' } }] },
    { ...item, properties: { ...item.properties, b: { $ref: '#/properties/a' } }, not: { required: ['c'] } },
  ])('is sent within an object: %j', async (schema) => {
    const { sent } = formatOf(schema);
    expect(Object.keys(sent)).not.toEqual(expect.arrayContaining(['anyOf']));
    expect(sent).toMatchObject({ type: 'object', required: ['value'] });
    const validate = new Ajv2020({ strict: false }).compile(sent);
    expect([validate({ value: { a: 1 } }), validate({ value: 'x' })]).toEqual([true, false]);
    expect(await formatOf(schema).read({ text: '{"value": {"a": 1}}' }, signal)).toEqual({ value: { a: 1 } });
  });
});

it.each([
  [
    { type: 'object', properties: { a: { const: 'x' } } },
    { type: 'object', properties: { a: { type: 'string', enum: ['x'] } } },
  ],
  [
    { type: 'object', properties: { a: { const: true } } },
    { type: 'object', properties: { a: { type: 'boolean' } } },
  ],
  [
    { type: 'object', properties: { a: true, b: { enum: [null, true] } } },
    { type: 'object', properties: { a: {}, b: {} } },
  ],
  [
    { type: 'object', properties: { a: { pattern: '^x', type: 'string' } }, minProperties: 1 },
    { type: 'object', properties: { a: { type: 'string' } } },
  ],
  [
    { type: 'object', properties: { a: { $ref: '#/$defs/b', title: 'A' } }, $defs: { b: {} } },
    { type: 'object', properties: { a: { $ref: '#/$defs/b' } }, $defs: { b: {} } },
  ],
  [
    { type: 'object', properties: { a: {} }, additionalProperties: false },
    { type: 'object', properties: { a: {} }, additionalProperties: false },
  ],
  [
    { $ref: '#/definitions/A', definitions: { A: { type: 'object' } } },
    {
      ...{ type: 'object', properties: { value: { $ref: '#/$defs/A' } }, required: ['value'], additionalProperties: false },
      $defs: { A: { type: 'object' } },
    },
  ],
])('a provider is sent the keywords that it takes: %j', (schema, sent) => {
  expect(shapeSchema(schema, KEYWORDS).sent).toEqual(sent);
});

it('references to names that are escaped lead to what has the name in their place', () => {
  const schema = { type: 'object', properties: { a: { $ref: '#/definitions/My%20Def' } }, definitions: { 'My Def': { type: 'string' } } };
  expect(shapeSchema(schema, NAMES).sent).toMatchObject({ properties: { a: { $ref: '#/$defs/My_Def' } }, $defs: { My_Def: {} } });
});
