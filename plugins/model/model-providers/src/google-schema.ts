/**
 * The members of Gemini's `Schema` (https://ai.google.dev/api/caching#Schema), a part of OpenAPI's. Answers are validated by the whole
 * schema anyway, so that restrictions may be omitted.
 */
const SCHEMA_MEMBERS: ReadonlySet<string> = new Set(
  'type title description enum items minItems maxItems properties required minProperties maxProperties minLength maxLength pattern anyOf minimum maximum default'.split(
    ' ',
  ),
);
const OMITTED: ReadonlySet<string> = new Set(['additionalProperties', 'format', '$schema', '$id']);

/** Every model takes `responseSchema`; `responseJsonSchema` takes what it cannot express: references, unions of types. */
export function encodeSchema(schema: object): object {
  const converted = convert(schema);
  return converted === undefined ? { responseJsonSchema: schema } : { responseSchema: converted };
}

/** Undefined if `Schema` cannot express it. */
function convert(schema: unknown): object | undefined {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return undefined;
  const entries = Object.entries(schema).filter(([name]) => !OMITTED.has(name));
  const converted = entries.map(([name, value]): readonly [string, unknown] => [name, convertMember(name, value)]);
  return converted.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(converted);
}

function convertMember(name: string, value: unknown): unknown {
  if (!SCHEMA_MEMBERS.has(name)) return undefined;
  if (name === 'type') return typeof value === 'string' ? value : undefined;
  if (name === 'enum') return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined;
  if (name === 'items') return convert(value);
  if (name !== 'properties' && name !== 'anyOf') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const parts = Object.entries(value).map(([key, part]): readonly [string, unknown] => [key, convert(part)]);
  if (parts.some(([, part]) => part === undefined)) return undefined;
  return name === 'anyOf' ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}
