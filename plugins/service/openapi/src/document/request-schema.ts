import type { Fragment, JsonSchema, RequestSchema } from '@platen/schema';
import { exampleValue } from './examples.js';
import { isJsonObject, type JsonObject } from './json.js';

/** Name under which the request's schema stands among the components: its own title. */
export const REQUEST_SCHEMA = 'HttpRequestParams';

export type SectionOf = (key: string, owner: string) => string;

/**
 * The published request schema as a component: the same schema but for its label, which OpenAPI wants as an extension, and with each
 * key's heading.
 */
export function describeRequest({ document, keys }: RequestSchema, sectionOf: SectionOf): JsonObject {
  const { $schema: dialect, version, properties, ...schema } = document;
  return {
    $schema: dialect,
    ...schema,
    'x-version': version,
    properties: Object.fromEntries(
      Object.entries(properties).map(([key, property]) => [key, { ...property, 'x-section': sectionOf(key, keys.get(key)?.owner ?? '') }]),
    ),
  };
}

/** The keys as query parameters: repeated for lists, without objects, and without what only a body may give. */
export function describeQuery({ document, keys }: RequestSchema): readonly JsonObject[] {
  return Object.entries(document.properties).flatMap(([key, property]) => {
    const sources = keys.get(key)?.fragment['x-sources'];
    if (sources !== undefined && !sources.includes('query')) return [];
    return [
      describeParameter(key, property, { isRequired: document.required.includes(key), example: writableExample(keys.get(key)?.fragment) }),
    ];
  });
}

/** As it may stand in a query: no object, and no list of nothing, which is no parameter at all. */
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
    // A key that stands alone is true.
    ...(types.length === 1 && types.includes('boolean') ? { allowEmptyValue: true } : {}),
    schema: rest,
    ...(example === undefined ? {} : { example }),
    'x-tier': tier,
    'x-plugin': plugin,
    ...(tiers === undefined ? {} : { 'x-tiers': tiers }),
  };
}

/** A query has neither null, which an empty value says, nor objects; a list is its repeated key. */
function toQuerySchema(property: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf, ...rest } = property;
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
