import { assertRule, assertValid, compileOwned, invalidFragment, SchemaError } from './compile.js';
import type { Fragment, Rule } from './fragment.js';
import { immutableJson, isPrototypeName } from './immutable-json.js';
import { publishFragment, type JsonSchema } from './publish.js';
import type { MissingPart, OutputType, RequestDocument, RequestSchema, SchemaKey, SchemaPart } from './request-schema.js';

export interface MergeInput {
  readonly parts: readonly SchemaPart[];
  readonly outputs: readonly OutputType[];
  readonly absent?: readonly MissingPart[];
}

const KEY_NAME = /^[a-z][a-z0-9_]*$/;

/** Joins the parts into one closed schema. Throws `SchemaError` for parts that claim the same name and for an invalid part. */
export function mergeSchema({ parts, outputs, absent = [] }: MergeInput): RequestSchema {
  const aliases = mergeOutputs(outputs);
  const keys = mergeKeys(parts, outputs);
  const rules = parts.flatMap(checkedRules);
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'HttpRequestParams',
    version: '0.49.1',
    type: 'object',
    properties: Object.fromEntries([...keys].map(([key, entry]) => [key, publishKey(key, entry, outputs)])),
    required: ['url'],
    ...(rules.length === 0 ? {} : { allOf: rules }),
    additionalProperties: false,
  };
  // A copy of the value above.
  return Object.freeze({ document: immutableJson(document) as RequestDocument, keys, aliases, spellings: mergeSpellings(outputs), absent });
}

function mergeSpellings(outputs: readonly OutputType[]): ReadonlyMap<string, string> {
  const claims = outputs.flatMap(({ type, aliases = [], spellings = [] }) =>
    [...new Set([type, ...aliases, ...spellings])].map((word) => [word.toLowerCase(), type] as const),
  );
  const own = new Set(outputs.map(({ type }) => type));
  const isClear = (word: string, type: string) =>
    word === type || (!own.has(word) && claims.every(([other, its]) => other !== word || its === type));
  return new Map(claims.filter(([word, type]) => isClear(word, type)));
}

/** Every spelling belongs to one output type. */
function mergeOutputs(outputs: readonly OutputType[]): ReadonlyMap<string, string> {
  const claims = new Map<string, OutputType>();
  for (const output of outputs) {
    for (const name of [output.type, ...(output.aliases ?? [])]) {
      const earlier = claims.get(name);
      if (earlier !== undefined) {
        const owners = [earlier.owner, output.owner];
        throw new SchemaError('duplicate_output', `output type "${name}" is declared by both ${both(owners)}`, { owners, subject: name });
      }
      claims.set(name, output);
    }
  }
  return new Map([...claims].filter(([name, { type }]) => name !== type).map(([name, { type }]) => [name, type]));
}

function mergeKeys(parts: readonly SchemaPart[], outputs: readonly OutputType[]): ReadonlyMap<string, SchemaKey> {
  const keys = new Map<string, SchemaKey>();
  for (const { owner, tier = 'free', params, isChecked = false } of parts) {
    for (const [key, declared] of Object.entries(params)) {
      const earlier = keys.get(key);
      if (earlier !== undefined) {
        const owners = [earlier.owner, owner];
        throw new SchemaError('duplicate_key', `parameter "${key}" is declared by both ${both(owners)}`, { owners, subject: key });
      }
      if (!KEY_NAME.test(key) || isPrototypeName(key)) {
        throw invalidFragment(
          owner,
          key,
          'a key must start with a lower-case letter and contain only lower-case letters, digits and underscores',
        );
      }
      const fragment = key === 'output_type' ? withTypes(declared, outputs) : declared;
      if (!isChecked) checkFragment(fragment, { owner, key });
      keys.set(key, { owner, tier: fragment['x-tier'] ?? tier, fragment });
    }
  }
  return keys;
}

/** A parameter's examples are published, so they must work when copied. A flag's examples are spelled as on the command line. */
function checkFragment(fragment: Fragment, { owner, key }: { readonly owner: string; readonly key: string }): void {
  const check = compileOwned(fragment, { owner, key });
  try {
    for (const example of fragment.examples ?? []) assertValid(example, check);
  } catch (error) {
    throw invalidFragment(owner, key, error);
  }
}

/** The enumeration of output types is the union of the plugins' output types; the default applies if it is among them. */
function withTypes({ default: preferred, ...fragment }: Fragment, outputs: readonly OutputType[]): Fragment {
  if (outputs.length === 0) return fragment;
  const types = outputs.map(({ type }) => type);
  return { ...fragment, enum: types, ...(types.some((type) => type === preferred) ? { default: preferred } : {}) };
}

function publishKey(key: string, { owner, tier, fragment }: SchemaKey, outputs: readonly OutputType[]): JsonSchema {
  const tiers = Object.fromEntries(outputs.map((output) => [output.type, output.tier ?? 'free']));
  return { ...publishFragment(fragment), 'x-tier': tier, 'x-plugin': owner, ...(key === 'output_type' ? { 'x-tiers': tiers } : {}) };
}

function checkedRules({ owner, rules = [], isChecked = false }: SchemaPart): readonly Rule[] {
  if (isChecked) return rules;
  for (const rule of rules) {
    try {
      assertRule(rule);
    } catch (error) {
      throw invalidFragment(
        owner,
        `rule on ${(rule['x-parameters'] as unknown) instanceof Array ? rule['x-parameters'].join(', ') : 'nothing'}`,
        error,
      );
    }
  }
  return rules;
}

function both(owners: readonly string[]): string {
  return owners.map((owner) => `"${owner}"`).join(' and ');
}
