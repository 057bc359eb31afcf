import { type Fragment, type JsonSchema, type RequestSchema, searchTermsOf } from '@platen/schema';
import { exampleValue } from './examples.js';
import { isJsonObject, type JsonObject } from './json.js';

/** Component name of the request schema: its title. */
export const REQUEST_SCHEMA = 'HttpRequestParams';

export type SectionOf = (key: string, owner: string) => string;

/**
 * The published request schema as a component: with its label as an extension, as OpenAPI requires, and the heading of each
 * parameter and the words by which a search finds it. Its defaults are extensions too: generators of clients make properties with a default required.
 */
export function describeRequest({ document, keys }: RequestSchema, sectionOf: SectionOf): JsonObject {
  const { $schema: dialect, version, properties, ...schema } = document;
  return {
    $schema: dialect,
    ...schema,
    'x-version': version,
    properties: Object.fromEntries(
      Object.entries(properties).map(([key, { default: fallback, ...property }]) => [
        key,
        {
          ...property,
          'x-default': fallback,
          'x-section': sectionOf(key, keys.get(key)?.owner ?? ''),
          'x-search': searchTermsOf(keys.get(key)?.fragment ?? {}),
        },
      ]),
    ),
  };
}

/** The query parameters: repeated for lists, without objects and parameters that only a body can have. */
export function describeQuery({ document, keys }: RequestSchema): readonly JsonObject[] {
  return Object.entries(document.properties).flatMap(([key, property]) => {
    const sources = keys.get(key)?.fragment['x-sources'];
    if (sources !== undefined && !sources.includes('query')) return [];
    return [
      describeParameter(key, property, { isRequired: document.required.includes(key), example: writableExample(keys.get(key)?.fragment) }),
    ];
  });
}

/** An example that a query can express: not an object or an empty list. */
function writableExample(fragment: Fragment = {}): unknown {
  const value = (fragment.examples ?? []).find((example) => !isJsonObject(example)) ?? exampleValue({ ...fragment, examples: [] });
  return isJsonObject(value) || (Array.isArray(value) && value.length === 0) ? undefined : value;
}

interface Shown {
  readonly isRequired: boolean;
  readonly example: unknown;
}

function describeParameter(name: string, property: JsonSchema, { isRequired, example }: Shown): JsonObject {
  const { description, 'x-tier': tier, 'x-plugin': plugin, 'x-tiers': tiers, examples: _, ...rest } = toQuerySchema(property);
  const types = [rest['type']].flat();
  return {
    name,
    in: 'query',
    required: isRequired,
    description,
    ...(types.includes('array') ? { style: 'form', explode: true } : {}),
    // A parameter without a value is true.
    ...(types.length === 1 && types.includes('boolean') ? { allowEmptyValue: true } : {}),
    schema: rest,
    ...(example === undefined ? {} : { example }),
    'x-tier': tier,
    'x-plugin': plugin,
    ...(tiers === undefined ? {} : { 'x-tiers': tiers }),
  };
}

/** A query has no null (an empty value) and no objects; a list is a repeated parameter. */
function toQuerySchema(property: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf, properties: _properties, required: _required, additionalProperties: _others, ...rest } = property;
  const branches = Array.isArray(anyOf) ? anyOf.filter(isJsonObject).filter((branch) => !isUnwritable(branch['type'])) : [];
  const [list] = branches.filter((branch) => branch['type'] === 'array');
  const types = [type].flat().filter((name) => name !== undefined && !isUnwritable(name));
  return {
    ...rest,
    ...(list ?? (branches.length === 0 ? {} : { anyOf: branches })),
    ...(types.length === 0 ? {} : { type: types.length === 1 ? types[0] : types }),
    ...(Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {}),
  };
}

function isUnwritable(type: unknown): boolean {
  return type === 'null' || type === 'object';
}
