import type { Fragment, LoadedPlugin, OutputDeclaration } from '@platen/kernel';
import type { RequestSchema } from '@platen/schema';
import type { JsonObject } from './json.js';

/** The target of all examples. */
const TARGET = 'https://example.com/';

export interface ExampleParts {
  readonly schema: RequestSchema;
  readonly plugins: readonly LoadedPlugin[];
  /** Whether the server would render this. */
  accepts(params: JsonObject): boolean;
}

/**
 * For each parameter a complete example request that this server accepts, including other parameters that it requires (an output
 * type, a switch). Parameters without a valid example are omitted.
 */
export function findExamples({ schema, plugins, accepts }: ExampleParts): ReadonlyMap<string, JsonObject> {
  const values = new Map([...schema.keys].map(([key, { fragment }]) => [key, exampleValue(fragment)] as const));
  const types = plugins.flatMap(({ definition: { name, outputs = [] } }) => outputs.map((output) => ({ ...output, owner: name })));
  const switches = new Set(plugins.flatMap(({ definition: { assets = [] } }) => assets.map(({ key }) => key)));
  const found = new Map<string, JsonObject>();
  const find = (key: string, value: unknown, companions: Iterable<JsonObject>) => {
    for (const others of companions) {
      const request = { url: TARGET, ...others, [key]: value };
      if (!accepts(request)) continue;
      found.set(key, request);
      return;
    }
  };
  const all = types.map(({ type }) => type);
  const keys = [...schema.keys].flatMap(([key, { owner }]) => {
    const value = values.get(key);
    const others = [...values].filter(([other]) => other !== key && other !== 'url' && other !== 'output_type');
    return value === undefined ? [] : [{ key, value, owner, others }];
  });
  for (const { key, value, owner, others } of keys) {
    find(key, value, listCompanions({ own: switches.has(key) ? [] : likelyTypes(types, key, owner), all, others }));
  }
  // Pairs of companions are thousands: the examples of the plugin's other parameters come first.
  for (const { key, value, owner, others } of keys.filter((each) => !found.has(each.key))) {
    const siblings = [...found].filter(([other]) => schema.keys.get(other)?.owner === owner).map(([, request]) => request);
    find(key, value, siblings);
    if (!found.has(key)) find(key, value, listPairs({ all, others }));
  }
  return found;
}

type OwnedType = OutputDeclaration & { readonly owner: string };

/** Output types in the name of the parameter (`pdf_scale`, `video_width`), then those of the key's own plugin. */
function likelyTypes(types: readonly OwnedType[], key: string, owner: string): readonly string[] {
  const named = types.filter(
    ({ type, contentType }) => key.startsWith(`${type}_`) || contentType.startsWith(`${key.split('_')[0] ?? ''}/`),
  );
  const unusual = named.filter(({ contentType }) => !contentType.startsWith('image/') || owner !== 'screenshot');
  return [...unusual, ...types.filter((type) => type.owner === owner)].map(({ type }) => type);
}

interface Companions {
  /** Output types of the parameter's plugin, or that the parameter's name starts with. */
  readonly own: readonly string[];
  readonly all: readonly string[];
  readonly others: readonly (readonly [key: string, value: unknown])[];
}

/** Parameters that a parameter may require, likeliest first. */
function* listCompanions({ own, all, others }: Companions): Generator<JsonObject> {
  for (const type of own) yield { output_type: type };
  yield {};
  for (const type of all) yield { output_type: type };
  for (const [other, value] of others) yield { [other]: value };
}

function* listPairs({ all, others }: Omit<Companions, 'own'>): Generator<JsonObject> {
  for (const type of all) for (const [other, value] of others) yield { output_type: type, [other]: value };
}

/** An example value: the first example of the parameter, else a value other than the default. */
export function exampleValue({ examples = [], enum: values = [], default: fallback, type, minimum, maximum }: Fragment): unknown {
  const [first] = examples;
  if (first !== undefined) return first;
  if (values.length > 0) return values.find((value) => value !== fallback) ?? values[0];
  const types = [type].flat();
  if (types.includes('boolean')) return fallback !== true;
  if (fallback !== undefined) return fallback;
  if (types.includes('integer') || types.includes('number')) return minimum ?? Math.min(1, maximum ?? 1);
  if (types.includes('array')) return [];
  return types.includes('object') ? {} : undefined;
}
