import { createValidator, ValidationError, type Fragments } from '@platen/schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { requestSchema } from './request-schema.js';

const PARAMS = {
  text: { type: 'string', minLength: 1, maxLength: 4 },
  strict: { type: 'string', nullable: false },
  pattern: { type: 'string', pattern: '^a' },
  count: { type: 'integer', format: 'uint32' },
  big: { type: 'integer', format: 'uint64', minimum: 2 },
  points: { type: 'integer', minimum: 1, maximum: 16 },
  scale: { type: 'number', exclusiveMinimum: 0, maximum: 5 },
  flag: { type: 'boolean' },
  list: { type: 'array', items: { type: 'string' }, maxItems: 2 },
  counts: { type: 'array', items: { type: 'integer', format: 'uint' } },
  numeric: { type: 'string', minLength: 1, 'x-number': true },
  single: { type: 'array', items: { type: 'string', minLength: 1 }, 'x-single': true },
  map: { type: 'object', additionalProperties: { type: 'string' } },
  shape: { type: 'object', properties: { n: { type: 'integer', format: 'uint32' } }, required: ['n'], additionalProperties: false },
  choice: { type: ['string', 'boolean'], enum: ['json', true, false] },
  branches: {
    anyOf: [
      { type: 'integer', minimum: 1 },
      { type: 'string', enum: ['all'] },
    ],
  },
  constant: { const: 'x' },
  any: {},
} as const satisfies Fragments;

/** Values that lie on both sides of the fragments' limits, and any JSON beside them. */
const scalar = fc.oneof(
  fc.constantFrom('', 'a', 'abc', 'abcde', 'json', 'all', 'x', 'png', 'gif'),
  fc.constantFrom(-1, 0, 0.5, 1, 2, 5, 5.1, 16, 17, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53),
  fc.boolean(),
  fc.constant(null),
);
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('n', 'm'), scalar),
  fc.jsonValue({ maxDepth: 3 }),
);
const key = fc.constantFrom(...Object.keys(PARAMS), 'output_type', 'unknown');
const HOSTILE = /__proto__|constructor|prototype/;

it('publishes plain JSON Schema that accepts exactly what the validator accepts', () => {
  const schema = requestSchema(PARAMS);
  const accepts = new Ajv2020({ strict: false, validateFormats: false }).compile(schema.document);
  const validate = createValidator(schema);
  const valid = (raw: unknown) => {
    try {
      return Object.isFrozen(validate(raw, 'body'));
    } catch (error) {
      if (error instanceof ValidationError) return error.issues.length === 0;
      throw error;
    }
  };
  const seen = new Map<boolean, number>();
  fc.assert(
    fc.property(fc.dictionary(key, value, { maxKeys: 2 }), (keys) => {
      fc.pre(!HOSTILE.test(JSON.stringify(keys)));
      const raw = { url: 'https://example.com/', ...keys };
      seen.set(valid(raw), (seen.get(valid(raw)) ?? 0) + 1);
      expect(valid(raw)).toBe(accepts(raw));
    }),
    { numRuns: 3000 },
  );
  expect(Math.min(seen.get(true) ?? 0, seen.get(false) ?? 0)).toBeGreaterThan(100);
});

it('accepts its own result again, unchanged', () => {
  const validate = createValidator(requestSchema(PARAMS));
  fc.assert(
    fc.property(fc.dictionary(key, value, { maxKeys: 1 }), (keys) => {
      let params;
      try {
        params = validate({ url: 'https://example.com/', ...keys }, 'body');
      } catch (error) {
        expect(error).toBeInstanceOf(ValidationError);
        return;
      }
      expect(validate(params, 'body')).toEqual(params);
    }),
    { numRuns: 1000 },
  );
});
