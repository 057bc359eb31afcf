import { expect, it } from 'vitest';
import { encodeSchema } from '../../../../plugins/model/model-providers/src/google.js';

it('uses `responseSchema` for what it can express', () => {
  const item = {
    type: 'object',
    properties: { kind: { type: 'string', enum: ['a', 'b'] } },
    required: ['kind'],
    additionalProperties: false,
  };
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'array',
    items: { anyOf: [item, { type: 'string', format: 'uri' }] },
  };
  expect(encodeSchema(schema)).toEqual({
    responseSchema: {
      type: 'array',
      items: {
        anyOf: [{ type: 'object', properties: { kind: { type: 'string', enum: ['a', 'b'] } }, required: ['kind'] }, { type: 'string' }],
      },
    },
  });
});

it.each([
  { type: ['string', 'null'] },
  { type: 'object', properties: { next: { $ref: '#/$defs/a' } } },
  { type: 'array', items: { type: 'integer', enum: [1, 2] } },
  { anyOf: [{ type: 'string' }, { const: 1 }] },
  { type: 'object', patternProperties: {} },
  { type: 'object', properties: { any: true } },
])('uses `responseJsonSchema` for %j', (schema) => {
  expect(encodeSchema(schema)).toEqual({ responseJsonSchema: schema });
});
