import { findDefinitionFault } from '@platen/schema';
import { type ErrorCode, PlatenError } from './errors.js';
import type { CaptureDeclaration, FurtherOutput, OutputDeclaration, OwnedAsset } from './output.js';
import type { LoadedPlugin, Plugin } from './plugin.js';
import { createScope, type InScope } from './scope.js';

/** The contributions of a set of plugins, checked, in the order in which they are applied. */
export interface Registry {
  /** Requirements before the plugins that require them, otherwise in the given order. */
  readonly plugins: readonly LoadedPlugin[];
  readonly outputs: ReadonlyMap<string, OutputDeclaration>;
  readonly captures: ReadonlyMap<string, CaptureDeclaration>;
  readonly assets: readonly OwnedAsset[];
  /** The output types that combine with others of the same page, each from its first capture kind. */
  readonly combining: readonly FurtherOutput[];
  /** The parameters that bring code or styles of a request into pages. */
  readonly codeKeys: readonly string[];
  /** The plans for which each plugin is called. */
  readonly planScopes: ReadonlyMap<Plugin, InScope>;
}

const PLUGIN_NAME = /^[a-z][a-z0-9-]*$/;

/** Checks that the plugins are compatible; throws a `boot_*` error that names the conflicting ones. */
export function createRegistry(loaded: readonly LoadedPlugin[]): Registry {
  for (const { definition, packageName } of loaded) assertDefinition(definition, packageName);
  const byName = indexByName(loaded);
  assertRequirements(byName);
  const plugins = orderByRequirement(byName);
  const captures = collectCaptures(plugins);
  const outputs = collectOutputs(plugins);
  plugins.forEach(assertSwitches);
  const assets = plugins.flatMap(({ definition }) => (definition.assets ?? []).map((asset) => ({ ...asset, plugin: definition.name })));
  for (const output of outputs.values()) assertCaptures(`output type "${output.type}"`, kindsOf(output), captures);
  for (const { key, from } of assets) assertCaptures(`asset "${key}"`, from === undefined ? [] : [from], captures);
  const planScopes = new Map(plugins.map(({ definition }) => [definition, createScope(definition.planFor, definition)]));
  const codeKeys = plugins.flatMap(({ definition: { params = {} } }) => Object.keys(params).filter((key) => params[key]?.['x-code']));
  return { plugins, outputs, captures, assets, codeKeys, combining: listCombining(plugins, captures), planScopes };
}

function assertCaptures(owner: string, kinds: readonly string[], captures: Registry['captures']): void {
  for (const kind of kinds)
    if (!captures.has(kind))
      throw new PlatenError('boot_missing_capture', `${owner} needs the capture kind "${kind}", which no enabled plugin provides`);
}

/** The capture kinds that an output type can be made from, the default first. */
export function kindsOf({ from }: OutputDeclaration): readonly string[] {
  return typeof from === 'string' ? [from] : from;
}

function listCombining(plugins: readonly LoadedPlugin[], captures: Registry['captures']): readonly FurtherOutput[] {
  return plugins.flatMap(({ definition: { name, outputs = [] } }) =>
    outputs.flatMap((output) => {
      const capture = captures.get(kindsOf(output)[0] ?? '');
      return capture?.combines === undefined ? [] : [{ output, capture, plugin: name }];
    }),
  );
}

function indexByName(loaded: readonly LoadedPlugin[]): ReadonlyMap<string, LoadedPlugin> {
  const byName = new Map<string, LoadedPlugin>();
  for (const plugin of loaded) {
    const { name } = plugin.definition;
    if (!PLUGIN_NAME.test(name)) {
      throw new PlatenError(
        'boot_invalid_plugin',
        `package "${plugin.packageName}" names its plugin "${name}": use lower-case letters, digits and dashes`,
      );
    }
    const earlier = byName.get(name);
    if (earlier !== undefined) {
      throw new PlatenError(
        'boot_duplicate_plugin',
        `packages "${earlier.packageName}" and "${plugin.packageName}" both contain a plugin named "${name}"`,
      );
    }
    byName.set(name, plugin);
  }
  return byName;
}

/** Reports all missing requirements in one error. */
function assertRequirements(byName: ReadonlyMap<string, LoadedPlugin>): void {
  const lacking = [...byName.values()].flatMap(({ definition: { name, requires = [] } }) => {
    const missing = requires.filter((required) => !byName.has(required)).map((required) => `"${required}"`);
    return missing.length === 0 ? [] : [`"${name}" requires ${missing.join(' and ')}`];
  });
  if (lacking.length === 0) return;
  throw new PlatenError('boot_missing_requirement', `plugins require others that are not enabled: ${lacking.join('; ')}`);
}

/** Checks that no requirement is missing. */
function orderByRequirement(byName: ReadonlyMap<string, LoadedPlugin>): readonly LoadedPlugin[] {
  const ordered = new Set<LoadedPlugin>();
  const visit = (plugin: LoadedPlugin, path: readonly string[]) => {
    const { name, requires = [] } = plugin.definition;
    if (ordered.has(plugin)) return;
    if (path.includes(name)) {
      throw new PlatenError('boot_requirement_cycle', `plugins require each other: ${[...path, name].join(' -> ')}`);
    }
    for (const required of requires) {
      const found = byName.get(required);
      if (found !== undefined) visit(found, [...path, name]);
    }
    ordered.add(plugin);
  };
  for (const plugin of byName.values()) visit(plugin, []);
  return [...ordered];
}

function collectCaptures(plugins: readonly LoadedPlugin[]): ReadonlyMap<string, CaptureDeclaration> {
  const owned = plugins.flatMap(({ definition: { name, captures = [] } }) =>
    captures.map((value) => ({ owner: name, id: value.kind, value })),
  );
  return indexOwned(owned, { code: 'boot_duplicate_capture', what: 'capture kind' });
}

/** Throws for an asset or output whose key is not a parameter of its plugin. */
function assertSwitches({ definition: { name, assets = [], outputs = [], params = {} } }: LoadedPlugin): void {
  const switches = [
    ...assets.map((asset) => ({ what: `the asset "${asset.name}"`, key: asset.key })),
    ...outputs.flatMap(({ type, noGzipKey, defaultFor = [] }) =>
      [noGzipKey, ...[defaultFor].flat()].map((key) => ({ what: `the output type "${type}"`, key })),
    ),
  ];
  const undeclared = switches.find(({ key }) => key !== undefined && !(key in params));
  if (undeclared === undefined) return;
  const detail = `plugin "${name}" declares ${undeclared.what} with the key "${undeclared.key ?? ''}", which is not among its params`;
  throw new PlatenError('boot_invalid_plugin', detail);
}

function collectOutputs(plugins: readonly LoadedPlugin[]): ReadonlyMap<string, OutputDeclaration> {
  const owned = plugins.flatMap(({ definition: { name, outputs = [] } }) =>
    outputs.map((value) => ({ owner: name, id: value.type, value })),
  );
  return indexOwned(owned, { code: 'boot_duplicate_output', what: 'output type' });
}

interface Owned<T> {
  readonly owner: string;
  readonly id: string;
  readonly value: T;
}

/** The contributions of plugins by id; each id may have only one owner. */
function indexOwned<T>(
  owned: readonly Owned<T>[],
  { code, what }: { readonly code: ErrorCode; readonly what: string },
): ReadonlyMap<string, T> {
  const byId = new Map<string, Owned<T>>();
  for (const one of owned) {
    const earlier = byId.get(one.id);
    if (earlier !== undefined) {
      throw new PlatenError(code, `plugins "${earlier.owner}" and "${one.owner}" both provide the ${what} "${one.id}"`);
    }
    byId.set(one.id, one);
  }
  return new Map([...byId].map(([id, { value }]) => [id, value]));
}

/** Throws `boot_invalid_plugin`, which names the plugin and the invalid field. */
export function assertDefinition(definition: Plugin, packageName: string): void {
  const problem = problemOf(definition);
  if (problem === undefined) return;
  const { name } = definition;
  throw new PlatenError('boot_invalid_plugin', `the definition of the plugin "${name}" (${packageName}) is invalid: ${problem}`, {
    plugin: name,
  });
}

/** Also of a member that throws when it is read. */
function problemOf(definition: Plugin): string | undefined {
  try {
    return findDefinitionFault(definition);
  } catch (error) {
    return String(error);
  }
}
