import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import satisfies from 'semver/functions/satisfies.js';
import { buildSchema } from './build-schema.js';
import { withTimeout } from './deadline.js';
import { LISTS, type DiscoveredPlugin } from './discovery.js';
import { PlatenError } from './errors.js';
import { KERNEL_VERSION, type LoadedPlugin, type Plugin } from './plugin.js';
import { assertDefinition, createRegistry } from './registry.js';

/**
 * The enabled plugins, in the given order: the plugins to start with, and the optional plugins that Platen starts without, each with its
 * `fault`.
 */
export interface PluginLoad {
  readonly loaded: readonly LoadedPlugin[];
  readonly broken: readonly DiscoveredPlugin[];
}

/**
 * Imports the plugins' definitions without applying them. An optional plugin is skipped if it cannot be imported or conflicts with the
 * others (a key that is already taken, a missing requirement); of two conflicting plugins the second is skipped.
 *
 * @param assertMore throws a `boot_*` error for plugin conflicts outside the kernel's knowledge
 * @throws PlatenError `boot_*` for a required plugin that cannot be imported
 */
export async function loadPlugins(
  enabled: readonly DiscoveredPlugin[],
  assertMore: (plugins: readonly LoadedPlugin[]) => unknown = () => undefined,
): Promise<PluginLoad> {
  const attempts = await Promise.all(enabled.map(attempt));
  const imported = attempts.flatMap((one) => ('loaded' in one ? [one] : []));
  const misfits = findMisfits(imported, (plugins) => {
    buildSchema(createRegistry(plugins));
    assertMore(plugins);
  });
  const broken = attempts.flatMap((one) => {
    const fault = 'fault' in one ? one.fault : misfits.get(one);
    return fault === undefined ? [] : [{ ...one.plugin, fault }];
  });
  return { loaded: imported.filter((one) => !misfits.has(one)).map(({ loaded }) => loaded), broken };
}

interface Imported {
  readonly plugin: DiscoveredPlugin;
  readonly loaded: LoadedPlugin;
}

async function attempt(plugin: DiscoveredPlugin): Promise<Imported | { readonly plugin: DiscoveredPlugin; readonly fault: string }> {
  try {
    return { plugin, loaded: await loadPlugin(plugin) };
  } catch (error) {
    if (plugin.optional !== true) throw error;
    return { plugin, fault: toMessage(error) };
  }
}

/** Adds the optional plugins one by one, until none of the remaining ones is compatible. */
function findMisfits(imported: readonly Imported[], assertFit: (plugins: readonly LoadedPlugin[]) => void): ReadonlyMap<Imported, string> {
  const misfits = new Map<Imported, string>();
  let waiting = imported.filter(({ plugin }) => plugin.optional === true);
  const fitting = imported.filter((one) => !waiting.includes(one)).map(({ loaded }) => loaded);
  if (waiting.length > 0) assertFit(fitting);
  for (let before = -1; before !== waiting.length;) {
    before = waiting.length;
    waiting = waiting.filter((one) => {
      try {
        assertFit([...fitting, one.loaded]);
      } catch (error) {
        misfits.set(one, toMessage(error));
        return true;
      }
      fitting.push(one.loaded);
      misfits.delete(one);
      return false;
    });
  }
  return misfits;
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function loadPlugin(plugin: DiscoveredPlugin): Promise<LoadedPlugin> {
  const { name, packageName, version, directory, entry, kernelRange, fault, isOwn = false } = plugin;
  if (fault !== undefined) throw new PlatenError('boot_invalid_plugin', fault);
  const made = `plugin "${name}" (${packageName} ${version})`;
  if (kernelRange === undefined)
    throw new PlatenError('boot_invalid_plugin', `${made} needs a range of kernel versions as "platen.kernel" in its package.json`);
  if (!satisfies(KERNEL_VERSION, kernelRange, { includePrerelease: true })) {
    throw new PlatenError('boot_kernel_range', `${made} is made for kernel ${kernelRange}, this is ${KERNEL_VERSION}`);
  }
  const module = await importEntry(entry).catch((cause: unknown) => {
    throw new PlatenError('boot_invalid_plugin', `plugin "${name}" (${packageName}) cannot be loaded: ${inspect(cause)}`, { cause });
  });
  if (!isPlugin(module) || module.name !== name) {
    throw new PlatenError(
      'boot_invalid_plugin',
      `package "${packageName}" must export the definition of the plugin "${name}" as the default export of "${relative(directory, entry)}"`,
    );
  }
  assertDefinition(module, packageName);
  assertAsDescribed(module, plugin);
  return { definition: module, packageName, version, isChecked: isOwn };
}

/** Timeout for loading a plugin's module, in milliseconds: without it, a module that waits forever would end the startup silently. */
const IMPORT_MS = 30_000;

async function importEntry(entry: string): Promise<unknown> {
  const importing = import(pathToFileURL(entry).href).then(async (module: { default?: unknown }) => ({ default: await module.default }));
  const loaded = await withTimeout(importing, IMPORT_MS);
  if (loaded === undefined) throw new Error(`its module was not loaded within ${String(IMPORT_MS / 1000)} s`);
  return loaded.default;
}

function inspect(thrown: unknown): string {
  return thrown instanceof Error ? String(thrown) : format('%o', thrown);
}

/** The declarations of a plugin that its package.json repeats, so that a plugin is known without running its code. */
export function declarationsOf({
  name,
  requires = [],
  outputs = [],
  params = {},
  flags = {},
}: Plugin): Pick<DiscoveredPlugin, 'name' | (typeof LISTS)[number]> {
  return { name, requires, outputs: outputs.map(({ type }) => type), keys: Object.keys(params), flags: Object.keys(flags) };
}

/** package.json decides which plugin is required, enabled and named in errors, so it must match the code. */
function assertAsDescribed(definition: Plugin, { name, packageName, ...described }: DiscoveredPlugin): void {
  const defined = declarationsOf(definition);
  const differing = LISTS.find((field) => [...described[field]].sort().join() !== [...defined[field]].sort().join());
  if (differing === undefined) return;
  throw new PlatenError(
    'boot_invalid_plugin',
    `plugin "${name}" (${packageName}): "platen.${differing}" in its package.json is [${described[differing].join(', ')}], its definition has [${defined[differing].join(', ')}]`,
  );
}

function isPlugin(value: unknown): value is Plugin {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}
