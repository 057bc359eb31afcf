import { types } from 'node:util';
import { createContext, Script } from 'node:vm';
import { Ajv, type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { jsonrepair } from 'jsonrepair';
import { isObject } from './is-object.js';
import type { JsonSchema } from './message.js';

/** How a structured answer is requested and read. */
export interface AnswerFormat {
  /** Schema to send: always of an object, as providers require. */
  readonly sent: JsonSchema;
  /** Reads an answer: the value, or why it is not valid, as a text for the model. */
  read(reply: { readonly text: string; readonly value?: unknown }): { readonly value: unknown } | { readonly problems: string };
}

/** Schemas come from clients, and a pattern may take forever: compiling and validating end after this time. They block other renders. */
const COMPILE_MS = 1000;
const VALIDATE_MS = 250;
const MAX_SCHEMA = 100_000;
const MAX_PROBLEMS = 10;
const DRAFT_7 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
const WRAPPER = 'value';

/**
 * The schema object must not change afterwards.
 * @throws Error whose message is a clause about the schema: it is not valid, too long, or takes too long to compile
 */
export function compileFormat(schema: JsonSchema): AnswerFormat {
  const known = formats.get(schema);
  if (known !== undefined) return known;
  const format = compile(schema);
  formats.set(schema, format);
  return format;
}

/** Compiling takes tens of milliseconds: a schema object is compiled once. */
const formats = new WeakMap<JsonSchema, AnswerFormat>();

function compile(schema: JsonSchema): AnswerFormat {
  if (JSON.stringify(schema).length > MAX_SCHEMA) throw new Error(`is longer than ${String(MAX_SCHEMA)} characters`);
  const { $schema, ...rest } = schema;
  const dialect = typeof $schema === 'string' && DRAFT_7.test($schema) ? Ajv : Ajv2020;
  const ajv = new dialect({ strict: false, validateFormats: false, ownProperties: true, allErrors: true, logger: false });
  const validate = withinTime(COMPILE_MS, () => ajv.compile(rest));
  const isWrapped = rest['type'] !== 'object';
  const check = (value: unknown) =>
    withinTime(VALIDATE_MS, () => validate(value)) ? { value } : { problems: describe(validate.errors ?? []) };
  return {
    sent: isWrapped ? wrap(rest) : rest,
    read({ text, value = parseAnswer(text) }) {
      if (value === undefined) return { problems: 'it is not JSON' };
      // Some models ignore the wrapper.
      return check(isWrapped && isObject(value) && WRAPPER in value ? value[WRAPPER] : value);
    },
  };
}

/** References lead to the root, so shared definitions stay there. */
function wrap({ $defs, definitions, ...schema }: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: { [WRAPPER]: schema },
    required: [WRAPPER],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
}

function describe(errors: readonly ErrorObject[]): string {
  const lines = errors.map(({ instancePath, message = 'is not valid', params }) => {
    const more: unknown = params['additionalProperty'] ?? params['allowedValues'] ?? params['allowedValue'];
    const detail = more === undefined ? '' : ` (${JSON.stringify(more).slice(0, 200)})`;
    return `${instancePath === '' ? 'the answer' : instancePath} ${message}${detail}`;
  });
  return [...new Set(lines)].slice(0, MAX_PROBLEMS).join('; ');
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
  return tryParse(text) ?? tryParse(slice) ?? tryRepair(slice);
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function tryRepair(text: string): unknown {
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    return undefined;
  }
}

/** Creating a context takes milliseconds. */
let sandbox: { run?: () => unknown } | undefined;
const runner = new Script('run()');

/** Runs synchronous code for a limited time: V8 ends it wherever it is, also within a regular expression. */
function withinTime<T>(timeout: number, run: () => T): T {
  const shared = (sandbox ??= createContext({}));
  shared.run = run;
  try {
    // The script returns the function's own result.
    return runner.runInContext(shared, { timeout }) as T;
  } catch (error) {
    // Node throws an error of the context's own realm.
    if (types.isNativeError(error) && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new Error(`takes more than ${String(timeout)} ms`, { cause: error });
    }
    throw error;
  }
}
