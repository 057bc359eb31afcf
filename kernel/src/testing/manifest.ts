import assert from 'node:assert/strict';
import { LISTS } from '../discovery.js';
import { declarationsOf } from '../load-plugins.js';
import type { Plugin } from '../plugin.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A parsed package.json in which each of the plugins declares what its definition does: name, requirements, output types with their endings,
 * keys and flags; a list without entries is omitted. If the package lists its plugins (`platen.plugins`), the entries of other plugins stay unchanged.
 *
 * @throws AssertionError if there is no field "platen", or the package's list has no entry with the name of a plugin
 */
export function generateManifest(manifest: unknown, plugins: readonly Plugin[]): Fields {
  const fields = toFields(manifest, 'package.json');
  const platen = platenField(manifest);
  const { plugins: listed } = platen;
  if (listed === undefined) return { ...fields, platen: plugins.reduce(declare, platen) };
  assert.ok(Array.isArray(listed), '"platen.plugins" in package.json must be a list');
  const entries = listed.map((entry) => toFields(entry, 'an entry of "platen.plugins" in package.json'));
  for (const { name } of plugins) assert.ok(entries.some(isNamed(name)), `"platen.plugins" in package.json has no entry named "${name}"`);
  const declared = entries.map((entry) => plugins.filter(({ name }) => isNamed(name)(entry)).reduce(declare, entry));
  return { ...fields, platen: { ...platen, plugins: declared } };
}

export function platenField(manifest: unknown): Fields {
  return toFields(toFields(manifest, 'package.json')['platen'], '"platen" in package.json');
}

function toFields(value: unknown, name: string): Fields {
  assert.ok(typeof value === 'object' && value !== null, `${name} must be an object`);
  return { ...value };
}

function isNamed(name: string): (entry: Fields) => boolean {
  return (entry) => entry['name'] === name;
}

function declare(entry: Fields, plugin: Plugin): Fields {
  const { name, ...defined } = declarationsOf(plugin);
  const others = Object.entries(entry).filter(([field]) => field !== 'endings' && !Object.hasOwn(defined, field));
  const endings = endingsOf(plugin);
  const lists = LISTS.filter((field) => defined[field].length > 0).map((field) => [field, defined[field]] as const);
  return { ...Object.fromEntries(others), name, ...Object.fromEntries(lists), ...(endings.length === 0 ? {} : { endings }) };
}

/** The words by which a file name or `--output-type` selects its output types, apart from the types themselves. */
function endingsOf({ outputs = [] }: Plugin): readonly string[] {
  const words = outputs.flatMap(({ type, aliases = [], endings = [], extension }) =>
    [...aliases, ...endings, extension].filter((word) => word !== type),
  );
  return [...new Set(words)];
}
