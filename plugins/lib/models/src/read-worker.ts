import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { findJson, splitThoughts, unwrapAll } from './find-json.js';
import { restoreNames } from './shape-schema.js';
import { isObject, memberAt } from './wire.js';
import type { JsonSchema } from './message.js';

/** An answer to read. Without a text the schema is only compiled, to be at hand for its answers. */
export interface ReadInput {
  readonly schema: JsonSchema;
  readonly text?: string;
  readonly value?: unknown;
  /** Name of the member that the provider's answer is in. */
  readonly wrapper?: string | undefined;
  /** Names of members by the names that were sent in their place. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Members that are null count as absent, and scalars are converted to the types of the schema. */
  readonly lenient?: boolean;
}

/** The value, or why the answer is not valid, as a text for the model; of a schema alone why that is not, as a clause. */
export type ReadResult = { readonly value: unknown } | { readonly problems: string };

const MAX_PROBLEMS = 10;
const MAX_SCHEMAS = 16;

/** By their JSON: compiling takes tens of milliseconds, or seconds. */
const compiled = new Map<string, ValidateFunction>();

/** Reads an answer and validates it. Runs in a worker thread: clients choose schemas, whose patterns can take forever. */
function readAnswer(input: ReadInput): ReadResult {
  const { schema, text, lenient = false } = input;
  if (text === undefined) return tryCompile(schema);
  const validate = validatorOf(input);
  let problems: string | undefined;
  for (const candidate of candidatesOf({ ...input, text })) {
    const value = lenient ? withoutNulls(candidate) : candidate;
    if (validate(value)) return { value };
    problems ??= describe(validate.errors ?? []);
  }
  return { problems: problems ?? 'it is not JSON' };
}

/** The values that the answer may mean. The first one that fits is taken; if none does, the errors of the first one are reported. */
function* candidatesOf(input: ReadInput): Generator {
  const { text = '', value } = input;
  const { answer, thoughts } = splitThoughts(text);
  const parts = value === undefined ? [...new Set([answer, thoughts, text])].map((part) => () => [...findJson(part)]) : [() => [value]];
  // Without structured output, a provider returns the bare string: `yes`, which is not JSON, or `42`, which is a number.
  const bare = input.schema['type'] === 'string' && value === undefined ? answer.trim() : '';
  const isJson = /^["[{]/.test(bare);
  for (const [index, find] of parts.entries()) {
    // Whole values first: what a model only quotes may look like a part of its answer.
    const given = find();
    yield* given.flatMap((found) => readingsOf(found, input));
    if (index === 0 && bare !== '' && !isJson) yield bare;
    for (const inner of given.flatMap((found) => [...unwrapAll(found)])) {
      yield* readingsOf(inner, input);
      if (input.lenient === true) yield* wrapAsList(inner, input.schema);
    }
  }
  if (isJson) yield bare;
}

/** The value with the client's own names; some models omit the wrapper. */
function readingsOf(found: unknown, { wrapper, renamed = {} }: ReadInput): readonly unknown[] {
  const value = Object.keys(renamed).length === 0 ? found : restoreNames(found, renamed);
  return wrapper !== undefined && isObject(value) && wrapper in value ? [value[wrapper], value] : [value];
}

/** For a schema of an object with one list, a list or an item of it. */
function wrapAsList(value: unknown, { properties, required }: JsonSchema): readonly unknown[] {
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const [name, ...others] = names;
  if (typeof name !== 'string' || others.length > 0 || memberAt(properties, name, 'type') !== 'array') return [];
  return [{ [name]: Array.isArray(value) ? value : [value] }];
}

/** A copy, which validation may change. */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, member: unknown) => member ?? undefined);
}

function tryCompile(schema: JsonSchema): ReadResult {
  try {
    validatorOf({ schema });
    return { value: undefined };
  } catch (error) {
    return { problems: error instanceof Error ? error.message : String(error) };
  }
}

/** @throws Error whose message is a clause about the schema */
function validatorOf({ schema, lenient = false }: Pick<ReadInput, 'schema' | 'lenient'>): ValidateFunction {
  const key = JSON.stringify([lenient, schema]);
  const known = compiled.get(key) ?? compileSchema(schema, lenient ? { coerceTypes: 'array' } : {});
  if (compiled.size >= MAX_SCHEMAS) compiled.clear();
  compiled.set(key, known);
  return known;
}

const DRAFT_7 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
const OPTIONS = { strict: false, validateFormats: false, ownProperties: true, allErrors: true, logger: false } as const;

function compileSchema({ $schema, ...schema }: JsonSchema, options: Options): ValidateFunction {
  const dialect = typeof $schema === 'string' && DRAFT_7.test($schema) ? Ajv : Ajv2020;
  // Inlined references could multiply the length of the code.
  return new dialect({ ...OPTIONS, inlineRefs: false, ...options }).compile(schema);
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
