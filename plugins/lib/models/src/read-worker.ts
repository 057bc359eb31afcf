import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { jsonrepair } from 'jsonrepair';
import { isObject } from './wire.js';
import type { JsonSchema } from './message.js';

/** An answer to read. Without a text the schema is only compiled, to be at hand for its answers. */
export interface ReadInput {
  readonly schema: JsonSchema;
  readonly text?: string;
  readonly value?: unknown;
  /** Name of the member that the provider's answer is in. */
  readonly wrapper: string | undefined;
}

/** The value, or why the answer is not valid, as a text for the model; of a schema alone why that is not, as a clause. */
export type ReadResult = { readonly value: unknown } | { readonly problems: string };

const MAX_PROBLEMS = 10;
const MAX_SCHEMAS = 16;

/** By their JSON: compiling takes tens of milliseconds, or seconds. */
const compiled = new Map<string, ValidateFunction>();

/** Reads an answer and validates it. Runs in a worker thread: clients choose schemas, whose patterns can take forever. */
function readAnswer({ schema, text, value: given, wrapper }: ReadInput): ReadResult {
  if (text === undefined) return tryCompile(schema);
  const structured = given === undefined ? parseAnswer(text) : given;
  const value = schema['type'] === 'string' && isScalar(structured) && text.trim() !== '' ? text.trim() : structured;
  if (value === undefined) return { problems: 'it is not JSON' };
  // Some models ignore the wrapper.
  const answer = wrapper !== undefined && isObject(value) && wrapper in value ? value[wrapper] : value;
  const validate = validatorOf(schema);
  return validate(answer) ? { value: answer } : { problems: describe(validate.errors ?? []) };
}

/**
 * The JSON value in a model's text: the text itself, or its outermost object or list, with common syntax errors fixed. Undefined: there is
 * none.
 */
export function parseAnswer(text: string): unknown {
  const start = text.search(/[[{]/);
  if (start === -1) return tryParse(text);
  const end = text.lastIndexOf(text[start] === '{' ? '}' : ']');
  const slice = end > start ? text.slice(start, end + 1) : text.slice(start);
  return tryParse(text) ?? tryParse(slice) ?? tryParse(slice, jsonrepair);
}

function tryParse(text: string, repair = (given: string) => given): unknown {
  try {
    return JSON.parse(repair(text));
  } catch {
    return undefined;
  }
}

/** Without structured output, a provider returns the bare string: `yes`, which is not JSON, or `42`, which is a number. */
function isScalar(value: unknown): boolean {
  return value === null || !['object', 'string'].includes(typeof value);
}

function tryCompile(schema: JsonSchema): ReadResult {
  try {
    validatorOf(schema);
    return { value: undefined };
  } catch (error) {
    return { problems: error instanceof Error ? error.message : String(error) };
  }
}

/** @throws Error whose message is a clause about the schema */
function validatorOf(schema: JsonSchema): ValidateFunction {
  const json = JSON.stringify(schema);
  const known = compiled.get(json) ?? compileSchema(schema);
  if (compiled.size >= MAX_SCHEMAS) compiled.clear();
  compiled.set(json, known);
  return known;
}

const DRAFT_7 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
const OPTIONS = { strict: false, validateFormats: false, ownProperties: true, allErrors: true, logger: false } as const;

function compileSchema({ $schema, ...schema }: JsonSchema): ValidateFunction {
  const dialect = typeof $schema === 'string' && DRAFT_7.test($schema) ? Ajv : Ajv2020;
  // Inlined references could multiply the length of the code.
  return new dialect({ ...OPTIONS, inlineRefs: false }).compile(schema);
}

function describe(errors: readonly ErrorObject[]): string {
  const lines = errors.map(({ instancePath, message = 'is not valid', params }) => {
    const more: unknown = params['additionalProperty'] ?? params['allowedValues'] ?? params['allowedValue'];
    const detail = more === undefined ? '' : ` (${JSON.stringify(more).slice(0, 200)})`;
    return `${instancePath === '' ? 'the answer' : instancePath} ${message}${detail}`;
  });
  return [...new Set(lines)].slice(0, MAX_PROBLEMS).join('; ');
}

export { readAnswer as default };
