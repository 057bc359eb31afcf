import type { Fragment } from './fragment.js';

const number = { type: 'number' };
const count = { type: 'integer', minimum: 0 };
const text = { type: 'string', minLength: 1 };
const nested = { $ref: '#/$defs/nested' };
const scalar = { type: ['string', 'number', 'boolean'] };
const typeName = { enum: ['string', 'integer', 'number', 'boolean', 'array', 'object'] };

type KeyOnly =
  | 'nullable'
  | 'x-refuses-empty'
  | 'x-single'
  | 'x-number'
  | 'x-tier'
  | 'x-sources'
  | 'x-secret'
  | 'x-uncached'
  | 'x-extension'
  | 'x-large'
  | 'x-file'
  | 'x-at-file'
  | 'x-code'
  | 'x-tools'
  | 'x-reloads'
  | 'x-paths'
  | 'x-values'
  | 'x-synonyms'
  | 'x-search'
  | 'x-enforces-tiers';

/** The keywords allowed at any level of a fragment: exactly those of its TypeScript type. */
export const NESTED = {
  type: { anyOf: [typeName, { type: 'array', items: typeName, minItems: 1, uniqueItems: true }] },
  description: text,
  title: text,
  enum: { type: 'array', items: scalar, minItems: 1, uniqueItems: true },
  const: true,
  default: true,
  examples: { type: 'array' },
  format: { enum: ['uint', 'uint32', 'uint64'] },
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  minLength: count,
  maxLength: count,
  pattern: { type: 'string' },
  minItems: count,
  maxItems: count,
  items: nested,
  properties: { type: 'object', additionalProperties: nested },
  required: { type: 'array', items: text, uniqueItems: true },
  additionalProperties: { anyOf: [{ type: 'boolean' }, nested] },
  anyOf: { type: 'array', items: nested, minItems: 1 },
  'x-expects': text,
} as const satisfies Record<Exclude<keyof Fragment, KeyOnly>, unknown>;

/** Keywords that apply to a whole key. */
export const KEY_ONLY = {
  nullable: { const: false },
  'x-refuses-empty': { const: true },
  'x-single': { const: true },
  'x-number': { const: true },
  'x-secret': { const: true },
  'x-uncached': { const: true },
  'x-extension': { const: true },
  'x-large': { const: true },
  'x-file': { const: true },
  'x-at-file': { const: true },
  'x-code': { const: true },
  'x-tools': { type: 'array', items: text, minItems: 1, uniqueItems: true },
  'x-reloads': { const: true },
  'x-enforces-tiers': { const: true },
  'x-paths': { type: 'array', items: { type: 'string', pattern: '^/' }, minItems: 1, uniqueItems: true },
  'x-values': { type: 'object', additionalProperties: text, minProperties: 1 },
  'x-synonyms': { type: 'object', additionalProperties: { anyOf: [{ const: true }, text] }, minProperties: 1 },
  'x-search': { type: 'array', items: text, minItems: 1, uniqueItems: true },
  'x-tier': { enum: ['free', 'pro', 'enterprise'] },
  'x-sources': { type: 'array', items: { enum: ['query', 'body', 'mcp', 'flags'] }, minItems: 1, uniqueItems: true },
} as const satisfies Record<KeyOnly, unknown>;

/** The formats are ranges of integers. */
const INTEGER = { properties: { type: { const: 'integer' } }, required: ['type'] };

/** A key that refuses an empty text in a query does so in a body as well. */
const NOT_EMPTY = { properties: { type: { const: 'string' }, minLength: { minimum: 1 } }, required: ['type', 'minLength'] };

/** The JSON Schema of a fragment: without it, a misspelled keyword would be a constraint that is never checked. */
export const FRAGMENT_SCHEMA = {
  type: 'object',
  properties: { ...NESTED, ...KEY_ONLY },
  additionalProperties: false,
  dependentSchemas: {
    format: INTEGER,
    'x-refuses-empty': NOT_EMPTY,
    'x-number': { properties: { type: { const: 'string' } }, required: ['type'] },
    'x-single': { properties: { type: { const: 'array' } }, required: ['type', 'items'] },
  },
  $defs: { nested: { type: 'object', properties: NESTED, additionalProperties: false, dependentSchemas: { format: INTEGER } } },
};

export const RULE_SCHEMA = {
  type: 'object',
  properties: { 'x-message': text, 'x-parameters': { type: 'array', items: text, minItems: 1 } },
  required: ['x-message', 'x-parameters'],
};
