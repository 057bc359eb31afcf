import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema } from './message.js';

const MAX_LENGTH = 100_000;
const DRAFT_7 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
const OPTIONS = { strict: false, validateFormats: false, ownProperties: true, allErrors: true, logger: false } as const;

/** @throws Error whose message is a clause about the schema */
export function compileSchema({ $schema, ...schema }: JsonSchema): ValidateFunction {
  if (JSON.stringify(schema).length > MAX_LENGTH) throw new Error(`it is longer than ${String(MAX_LENGTH)} characters`);
  const dialect = typeof $schema === 'string' && DRAFT_7.test($schema) ? Ajv : Ajv2020;
  // Inlined references could multiply the length of the code.
  return new dialect({ ...OPTIONS, inlineRefs: false }).compile(schema);
}
