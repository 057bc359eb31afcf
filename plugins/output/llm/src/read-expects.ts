import { invalidParameter } from '@platen/kernel';
import { checkSchema, describeExcess, isObject, type JsonSchema } from '@platen/lib-models';

const KEY = 'llm_format_expects';

/** Without an expectation, an answer as JSON is any object. */
const ANY_OBJECT: JsonSchema = Object.freeze({ type: 'object' });

/**
 * The schema of the answer for an output type; undefined: any text. A value that is an object is returned as it is.
 * @throws Error whose message names the key
 */
export function readExpects(type: string, expects: unknown): JsonSchema | undefined {
  if (type === 'llm_text') return expects === undefined ? undefined : { type: 'string', enum: readStrings(expects) };
  const schema = expects === undefined ? ANY_OBJECT : readObject(expects);
  const excess = describeExcess(schema);
  if (excess !== undefined) throw new Error(invalid(excess));
  return schema;
}

/** Compiling takes seconds for some schemas: not on the event loop. @throws PlatenError `invalid_parameters` */
export async function checkExpects(type: string, expects: unknown, signal: AbortSignal): Promise<void> {
  const schema = expects === undefined ? undefined : readExpects(type, expects);
  const problem = schema === undefined ? undefined : await checkSchema(schema, signal);
  if (problem !== undefined) throw invalidParameter(KEY, invalid(problem));
}

function invalid(problem: string): string {
  return `"${KEY}" is not a valid JSON Schema: ${problem}`;
}

/** A list, also as JSON, or one string with commas. */
function readStrings(expects: unknown): readonly string[] {
  const given = typeof expects === 'string' ? (tryParse(expects, '[') ?? expects.split(',').map((text) => text.trim())) : expects;
  const strings = Array.isArray(given) ? given.filter((one) => typeof one === 'string' && one !== '') : [];
  if (!Array.isArray(given) || strings.length === 0 || strings.length < given.length) {
    throw new Error(`"${KEY}" must be a list of strings, or one comma-delimited string, for llm_text`);
  }
  return [...new Set(strings.map(String))];
}

function readObject(expects: unknown): JsonSchema {
  const given = typeof expects === 'string' ? tryParse(expects, '{') : expects;
  if (!isObject(given)) throw new Error(`"${KEY}" must be a JSON Schema object for llm_json`);
  return given;
}

/** A query and a command line write JSON as text. */
function tryParse(text: string, opening: '[' | '{'): unknown {
  if (!text.trimStart().startsWith(opening)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
