import { FORMATS, type Fragment } from './fragment.js';

/** Any JSON Schema of draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The published form of a fragment: plain draft 2020-12, with `null` if it means "unset". */
export function publishFragment(declared: Fragment): JsonSchema {
  const { nullable, 'x-synonyms': _, 'x-search': _search, 'x-tools': _tools, 'x-code': _code, ...fragment } = declared;
  const schema = fragment['x-single'] === true ? publishSingle(fragment) : publishNested(fragment);
  const whole = fragment['x-number'] === true ? { ...schema, type: ['string', 'number'] } : schema;
  return nullable === false ? whole : withNull(whole);
}

/** A list, or a single item in its place. */
function publishSingle({ type, items = {}, minItems, maxItems, ...annotations }: Fragment): JsonSchema {
  const item = publishNested(items);
  const list = { type, items: item, ...(minItems === undefined ? {} : { minItems }), ...(maxItems === undefined ? {} : { maxItems }) };
  return { ...annotations, anyOf: [list, item] };
}

/** The integer formats are Platen's own, so they are published as bounds. */
function publishNested(fragment: Fragment): JsonSchema {
  const { format, items, properties, additionalProperties: others, anyOf } = fragment;
  return {
    ...fragment,
    ...(format === undefined ? {} : bounds(fragment, FORMATS[format])),
    ...(items === undefined ? {} : { items: publishNested(items) }),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, publishNested(property)])) }),
    ...(typeof others === 'object' ? { additionalProperties: publishNested(others) } : {}),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(publishNested) }),
  };
}

function bounds(own: Fragment, range: { readonly minimum: number; readonly maximum: number }): JsonSchema {
  return {
    minimum: Math.max(own.minimum ?? range.minimum, range.minimum),
    maximum: Math.min(own.maximum ?? range.maximum, range.maximum),
  };
}

/** Every keyword that would refuse `null` is widened by it. */
function withNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf, const: only, ...rest } = schema;
  return {
    ...rest,
    ...(type === undefined ? {} : { type: [type, 'null'].flat() }),
    ...(Array.isArray(values) ? { enum: [...(values as readonly unknown[]), null] } : {}),
    ...(only === undefined ? {} : { anyOf: [{ const: only }, { type: 'null' }] }),
    ...(Array.isArray(anyOf) ? { anyOf: [...(anyOf as readonly unknown[]), { type: 'null' }] } : {}),
  };
}
