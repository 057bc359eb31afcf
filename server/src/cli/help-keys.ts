import { groupKeys, type Fragment, type KeyGroup } from '@platen/schema';
import type { Inventory } from './boot.js';
import { describeFragment, formatValues, placeholder } from './describe-fragment.js';
import { ownersOf } from './help.js';

type Keys = Pick<Inventory, 'loaded' | 'keys'>;

/** `platen help keys`: every key of a request, by section of the interface specification. */
export function formatKeys(available: Keys): string {
  const groups = groupKeys(ownersOf(available)).map((group) => formatGroup(group, available));
  return `As a query parameter or a JSON key: full_page. As a flag of the command line: --full-page.\n\n${groups.join('\n')}`;
}

/** `platen help emulation`: the keys of one section, with their names. Undefined if there is no such section. */
export function formatKeysOf(topic: string, available: Keys): { readonly text: string; readonly keys: readonly string[] } | undefined {
  const group = groupKeys(ownersOf(available)).find(({ name }) => name === topic.toLowerCase());
  return group === undefined ? undefined : { text: formatGroup(group, available), keys: group.keys };
}

/** The names of the sections. */
export function keyTopics(available: Keys): readonly string[] {
  return groupKeys(ownersOf(available)).map(({ name }) => name);
}

function formatGroup({ title, keys: names }: KeyGroup, { loaded, keys }: Keys): string {
  const outputs = loaded.flatMap(({ definition }) => definition.outputs ?? []).map(({ type }) => type);
  return `${title}\n${names.map((name) => formatKey(name, keyFragment(name, keys[name] ?? {}, outputs), loaded)).join('\n')}\n`;
}

/** One key: `platen help wait_for`. Undefined if there is no such key. */
export function formatOneKey(word: string, { loaded, keys }: Keys): string | undefined {
  const name = word.replace(/^--/, '').replaceAll('-', '_');
  const fragment = keys[name];
  const outputs = loaded.flatMap(({ definition }) => definition.outputs ?? []).map(({ type }) => type);
  if (fragment === undefined) return undefined;
  const { 'x-values': values, ...rest } = keyFragment(name, fragment, outputs);
  return `${formatKey(name, rest, loaded)}\n${values === undefined ? '' : `\n${formatValues(values)}\n`}`;
}

/** The key's enumeration is the union of the enabled plugins' outputs. */
function keyFragment(name: string, fragment: Fragment, outputs: readonly string[]): Fragment {
  return name === 'output_type' ? { ...fragment, enum: outputs } : fragment;
}

/** A key with its type, and its description below; the plugins report whether it has the name of a secret flag. */
export function formatKey(name: string, fragment: Fragment, loaded: Inventory['loaded']): string {
  const sources = fragment['x-sources'];
  const more = [
    ...(sources === undefined ? [] : [`only in ${sources.join(', ')}`]),
    ...(isSecret(name, loaded) ? ['on the command line @FILE reads it from a file'] : []),
    ...(fragment['x-values'] === undefined ? [] : [`\`platen help ${name}\` lists them`]),
  ];
  return `  ${name} ${placeholder(fragment)}\n${describeFragment(fragment, more)}`;
}

function isSecret(key: string, loaded: Inventory['loaded']): boolean {
  const flag = key.replaceAll('_', '-');
  return loaded.some(({ definition: { flags = {} } }) => flags[flag]?.['x-secret'] === true);
}
