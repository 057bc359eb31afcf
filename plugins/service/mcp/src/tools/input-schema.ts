import type { Fragment, Kernel } from '@platen/kernel';
import { groupKeys, type JsonSchema, type RequestSchema } from '@platen/schema';
import type { EnabledTool } from './render-tools.js';
import type { InputSchema } from './tool.js';

/** The whole request schema as a resource. */
export const SCHEMA_URI = 'platen://schema/request';

/** Tokens of text in a result, unless the caller sets `max_tokens`; one is four characters. */
export const DEFAULT_TOKENS = 10_000;
export const MOST_TOKENS = 1_000_000;

/** A description is its first sentences of that many characters: a client shows every description to its model with every request. */
const DESCRIPTION_LENGTH = 40;

export const MAX_TOKENS: JsonSchema = { type: 'integer', default: DEFAULT_TOKENS };

/** What the arguments are derived from. */
export type Described = Pick<Kernel, 'schema' | 'plugins'>;

/** The arguments of a render tool: fragments of the request schema, shortened. */
export function describeArguments(tool: EnabledTool, kernel: Described): InputSchema {
  const { schema } = kernel;
  const required = requiredArguments(tool, kernel);
  if (tool.formats === undefined) return describeEveryKey(schema, required);
  const formats = tool.formats.map(([format]) => format);
  const named = tool.keys.map((key) => [key, shorten(schema.keys.get(key)?.fragment ?? {})] as const);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(named),
      ...(formats.length > 1 ? { format: { type: 'string', enum: formats, default: formats[0] } } : {}),
      ...(tool.returnsText === true ? { max_tokens: MAX_TOKENS } : {}),
    },
    required,
  };
}

const OPTIONAL_ELSEWHERE: ReadonlySet<string> = new Set(['navigate', 'navigator_type', 'llm_format_model']);

/** The arguments that a call must have. Those of a model are optional only for other renders. Plugins may fill in the URL of a document. */
export function requiredArguments(tool: EnabledTool, { schema: { document }, plugins }: Described): readonly string[] {
  if (tool.formats === undefined) return plugins.some(({ definition: { complete } }) => complete !== undefined) ? [] : document.required;
  return tool.required.filter((key) => document.required.includes(key) || OPTIONAL_ELSEWHERE.has(key));
}

/** The schemas of all keys would be larger than those of all other tools: their names are enough to ask for the resource. */
function describeEveryKey({ keys, document }: RequestSchema, required: readonly string[]): InputSchema {
  const groups = groupKeys(new Map([...keys].map(([key, { owner }]) => [key, owner])));
  const listed = groups.map(({ title, keys: names }) => `${title}: ${names.join(', ')}.`);
  return {
    type: 'object',
    description: `Parameters by group; the resource ${SCHEMA_URI} has the schema of each. ${listed.join(' ')}`,
    properties: { url: { type: 'string' }, output_type: outputTypes(document.properties['output_type']), max_tokens: MAX_TOKENS },
    required,
  };
}

function outputTypes({ enum: values }: JsonSchema = {}): JsonSchema {
  return { type: 'string', ...(Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {}) };
}

/** What a model needs to fill in the value; the server checks the rest. */
function shorten({ type, description, enum: values, default: fallback, items, anyOf, additionalProperties: others }: Fragment): JsonSchema {
  return {
    ...(type === undefined ? {} : { type }),
    ...(values === undefined ? {} : { enum: values }),
    ...(fallback === undefined || fallback === false ? {} : { default: fallback }),
    ...(items === undefined ? {} : { items: shorten(items) }),
    ...(typeof others === 'object' ? { additionalProperties: shorten(others) } : {}),
    ...(type === undefined && anyOf !== undefined ? { anyOf: anyOf.map(shorten) } : {}),
    ...(description === undefined ? {} : { description: firstSentences(description) }),
  };
}

function firstSentences(text: string): string {
  const [first = text, ...others] = text.split(/(?<=\.)\s+(?=[A-Z])/);
  return others.reduce((taken, sentence) => (taken.length < DESCRIPTION_LENGTH ? `${taken} ${sentence}` : taken), first);
}
