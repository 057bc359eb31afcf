import type { JsonSchema } from './message.js';
import { isObject, type SchemaRules } from './wire.js';

/** A schema as a provider takes it, and what undoes it in an answer. */
export interface ShapedSchema {
  readonly sent: JsonSchema;
  /** Name of the member that the answer is in. */
  readonly wrapper: string | undefined;
  /** Names of members by the names that were sent in their place. */
  readonly renamed: Readonly<Record<string, string>>;
}

const WRAPPER = 'value';
/** Providers want an object schema without alternatives at the top. */
const NOT_AT_TOP = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', '$ref'];
/** Keywords whose value is schemas by name. */
const NAMED: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);
const NESTED =
  /^(?:items|prefixItems|additionalProperties|unevaluated\w+|propertyNames|patternProperties|contains|anyOf|oneOf|allOf|not|if|then|else)$/;

/** Shapes a schema by the rules of a provider. Answers are validated by the schema itself, so that restrictions may be omitted. */
export function shapeSchema({ $schema: _, ...schema }: JsonSchema, rules: SchemaRules = {}): ShapedSchema {
  const wrapper = schema['type'] === 'object' && !NOT_AT_TOP.some((keyword) => keyword in schema) ? undefined : WRAPPER;
  const aliases = aliasesOf(namesIn(schema), rules.names);
  const shape = { rules, aliases, root: wrapper === undefined ? '#' : `#/properties/${wrapper}` };
  // The value of an object is an object.
  const shaped = shapeValue(schema, shape) as JsonSchema;
  const renamed = Object.fromEntries([...aliases].map(([name, alias]) => [alias, name]));
  return { sent: wrapper === undefined ? shaped : wrap(shaped, wrapper), wrapper, renamed };
}

/** References lead to the root, so shared definitions stay there. */
function wrap({ $defs, ...schema }: JsonSchema, wrapper: string): JsonSchema {
  const properties = { [wrapper]: schema };
  return { type: 'object', properties, required: [wrapper], additionalProperties: false, ...($defs === undefined ? {} : { $defs }) };
}

/** Gives the members of an answer their own names. */
export function restoreNames(value: unknown, renamed: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((item) => restoreNames(item, renamed));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [renamed[name] ?? name, restoreNames(member, renamed)]));
}

/** Names of members and of definitions, wherever they are. */
function namesIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]: [string, unknown]) => [
    ...(NAMED.has(keyword) && isObject(value) ? Object.keys(value) : []),
    ...namesIn(value),
  ]);
}

/** Unique names in the place of those that a provider refuses. */
function aliasesOf(names: readonly string[], allowed = /^/): ReadonlyMap<string, string> {
  const taken = new Set(names);
  const refused = [...taken].filter((name) => !allowed.test(name));
  return new Map(
    refused.map((name) => {
      const base = name.replace(/[^\w.-]/g, '_').slice(0, 56);
      let alias = base;
      for (let count = 2; alias === '' || taken.has(alias); count += 1) alias = `${base}_${String(count)}`;
      taken.add(alias);
      return [name, alias];
    }),
  );
}

interface Shape {
  readonly rules: SchemaRules;
  readonly aliases: ReadonlyMap<string, string>;
  /** Reference to the client's schema. */
  readonly root: string;
}

function shapeValue(schema: unknown, shape: Shape): unknown {
  const { keywords } = shape.rules;
  if (Array.isArray(schema)) return schema.map((part) => shapeValue(part, shape));
  if (!isObject(schema)) return keywords === undefined || schema === false ? schema : {};
  const given = keywords === undefined ? schema : select(schema, keywords);
  return Object.fromEntries(Object.entries(given).map(([keyword, value]) => shapeKeyword(keyword, value, shape)));
}

/** The name that a part of a reference has, without the escapes of JSON Pointer (RFC 6901) and of URLs. */
function nameOf(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return part;
  }
}

/** What a provider takes of a schema. A reference stands alone, and a constant is a list of one. */
function select(schema: JsonSchema, keywords: ReadonlySet<string>): JsonSchema {
  const { $ref, const: constant, ...rest } = schema;
  const shared = Object.entries(rest).filter(([keyword]) => keyword === '$defs' || keyword === 'definitions');
  if ($ref !== undefined) return { $ref, ...Object.fromEntries(shared) };
  const all = constant === undefined ? rest : { type: constant === null ? 'null' : typeof constant, ...rest, enum: [constant] };
  const isPlain = (value: unknown) => typeof value === 'string' || typeof value === 'number';
  return Object.fromEntries(
    Object.entries(all).filter(
      ([keyword, value]) =>
        (keywords.has(keyword) || keyword === 'definitions') && (keyword !== 'enum' || (Array.isArray(value) && value.every(isPlain))),
    ),
  );
}

function shapeKeyword(keyword: string, value: unknown, shape: Shape): readonly [string, unknown] {
  const { aliases, root } = shape;
  const aliasOf = (name: unknown) => aliases.get(String(name)) ?? String(name);
  if (keyword === '$ref') {
    const names = String(value).replace('#/definitions/', '#/$defs/').split('/');
    const path = names.map((name) => (aliases.size === 0 ? name : aliasOf(nameOf(name)))).join('/');
    return [keyword, path.replace(/^#(?!\/\$defs\/)/, root)];
  }
  if (keyword === 'required' && Array.isArray(value)) return [keyword, value.map(aliasOf)];
  if (!NAMED.has(keyword) || !isObject(value)) return [keyword, NESTED.test(keyword) ? shapeValue(value, shape) : value];
  const parts = Object.entries(value).map(([name, part]) => [aliasOf(name), shapeValue(part, shape)] as const);
  return [keyword === 'definitions' ? '$defs' : keyword, Object.fromEntries(parts)];
}
