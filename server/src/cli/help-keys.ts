import type { Fragment } from '@platen/schema';
import type { Inventory } from './boot.js';
import { describeFragment, formatValues, placeholder } from './describe-fragment.js';

type Keys = Pick<Inventory, 'loaded' | 'keys'>;

/** `platen help keys`: every key of a request, grouped by the plugin that owns it. */
export function formatKeys({ loaded, keys }: Keys): string {
  const owned = loaded.map(({ definition }) => ({
    title: `Keys of the plugin "${definition.name}"`,
    names: Object.keys(definition.params ?? {}),
  }));
  const taken = new Set(owned.flatMap(({ names }) => names));
  const groups = [{ title: 'Keys', names: Object.keys(keys).filter((key) => !taken.has(key)) }, ...owned];
  const outputs = loaded.flatMap(({ definition }) => definition.outputs ?? []).map(({ type }) => type);
  const sections = groups
    .filter(({ names }) => names.length > 0)
    .map(
      ({ title, names }) =>
        `${title}\n${names.map((name) => formatKey(name, keyFragment(name, keys[name] ?? {}, outputs), loaded)).join('\n')}`,
    );
  return `As a query parameter or a JSON key: full_page. As a flag of the command line: --full-page.\n\n${sections.join('\n\n')}\n`;
}

/** One key: `platen help wait_for`. Undefined where there is none of that name. */
export function formatOneKey(word: string, { loaded, keys }: Keys): string | undefined {
  const name = word.replace(/^--/, '').replaceAll('-', '_');
  const fragment = keys[name];
  const outputs = loaded.flatMap(({ definition }) => definition.outputs ?? []).map(({ type }) => type);
  if (fragment === undefined) return undefined;
  const { 'x-values': values, ...rest } = keyFragment(name, fragment, outputs);
  return `${formatKey(name, rest, loaded)}\n${values === undefined ? '' : `\n${formatValues(values)}\n`}`;
}

/** The union of the enabled plugins' outputs is the key's enumeration. */
function keyFragment(name: string, fragment: Fragment, outputs: readonly string[]): Fragment {
  return name === 'output_type' ? { ...fragment, enum: outputs } : fragment;
}

/** A key with its type, its description below; the plugins tell whether it goes by the name of a secret flag. */
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
