import { readFile, readdir, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { satisfies } from 'semver';
import { nearest } from '@platen/schema';
import { assertDefinition } from './check-definition.js';
import { PlatenError } from './errors.js';
import type { LoadedPlugin } from './kernel-contract.js';
import type { Plugin } from './plugin.js';
import { KERNEL_VERSION } from './version.js';

/** A plugin package as its package.json describes it: none of its code has run. */
export interface DiscoveredPlugin {
  readonly name: string;
  readonly packageName: string;
  readonly version: string;
  /** What its package says of it, in a sentence. */
  readonly description?: string;
  readonly directory: string;
  /** File that holds the definition. */
  readonly entry: string;
  /** Semver range of the kernels it is made for; undefined where its package has none, which keeps it from being loaded. */
  readonly kernelRange: string | undefined;
  readonly requires: readonly string[];
  readonly outputs: readonly string[];
  readonly keys: readonly string[];
  readonly flags: readonly string[];
  /** Known, but not in this build. */
  readonly leftOut?: boolean;
}

export interface DiscoveryOptions {
  /** The folder that holds `plugins/<family>/<name>/`. */
  readonly installation: string;
  /** The operator's folder: plugins are looked for among its package.json's direct dependencies. */
  readonly operatorDir: string;
  /** Packages or paths named by `--plugin`. */
  readonly extra?: readonly string[];
}

/** Finds every plugin there is by reading package.json files. */
export async function discoverPlugins({ installation, operatorDir, extra = [] }: DiscoveryOptions): Promise<readonly DiscoveredPlugin[]> {
  const directories = [
    ...(await installedDirectories(installation)),
    ...(await dependencyDirectories(operatorDir)),
    ...(await Promise.all(extra.map((name) => namedDirectory(name, operatorDir)))),
  ];
  const real = new Set(await Promise.all(directories.map((directory) => realpath(directory))));
  const read = await Promise.all([...real].map(readPlugin));
  return read.filter((plugin) => plugin !== undefined);
}

/** Splits what was found by `--plugins` and `--disable-plugins`; what an enabled plugin requires is enabled with it. */
export function selectPlugins(
  found: readonly DiscoveredPlugin[],
  { only, without = [] }: { readonly only?: readonly string[] | undefined; readonly without?: readonly string[] | undefined },
): { readonly enabled: readonly DiscoveredPlugin[]; readonly absent: readonly DiscoveredPlugin[] } {
  const byName = new Map(found.map((plugin) => [plugin.name, plugin]));
  for (const name of [...(only ?? []), ...without]) {
    if (byName.has(name)) continue;
    const near = nearest(name, byName.keys());
    const meant = near === undefined ? '' : `; did you mean "${near}"?`;
    throw new PlatenError(
      'boot_unknown_plugin',
      `there is no plugin "${name}"${meant} (installed: ${[...byName.keys()].sort().join(', ')})`,
    );
  }
  if (only === undefined) assertNotRequired(found, without);
  const chosen = new Set<string>();
  const choose = (name: string) => {
    if (chosen.has(name) || without.includes(name)) return;
    chosen.add(name);
    byName.get(name)?.requires.forEach(choose);
  };
  (only ?? [...byName.keys()]).forEach(choose);
  const enabled = found.filter(({ name }) => chosen.has(name));
  assertNotTakenAway(enabled, without);
  return { enabled, absent: found.filter(({ name }) => !chosen.has(name)) };
}

/** `--plugins png --disable-plugins pixels`: what is asked for by one flag lacks what the other takes away. */
function assertNotTakenAway(enabled: readonly DiscoveredPlugin[], without: readonly string[]): void {
  const lacking = enabled.flatMap(({ name, requires }) => {
    const gone = requires.filter((required) => without.includes(required)).map((required) => `"${required}"`);
    return gone.length === 0 ? [] : [`"${name}" requires ${gone.join(' and ')}`];
  });
  if (lacking.length === 0) return;
  throw new PlatenError('boot_missing_requirement', `plugins require others that --disable-plugins takes away: ${lacking.join('; ')}`);
}

/** Who takes a plugin away is told at once all that cannot stay without it. */
function assertNotRequired(found: readonly DiscoveredPlugin[], without: readonly string[]): void {
  const gone = new Set(without);
  for (let before = -1; before !== gone.size;) {
    before = gone.size;
    for (const { name, requires } of found) if (requires.some((required) => gone.has(required))) gone.add(name);
  }
  const left = [...gone].filter((name) => !without.includes(name)).sort();
  if (left.length === 0) return;
  const stay = left.map((name) => `"${name}"`).join(', ');
  throw new PlatenError(
    'boot_missing_requirement',
    `${left.length === 1 ? 'plugin' : 'plugins'} ${stay} cannot be enabled without what is disabled: --disable-plugins ${[...without, ...left].join(',')}`,
  );
}

/** Imports the plugins' definitions; nothing of them is applied yet. */
export function loadPlugins(enabled: readonly DiscoveredPlugin[]): Promise<readonly LoadedPlugin[]> {
  return Promise.all(enabled.map(loadPlugin));
}

async function loadPlugin(plugin: DiscoveredPlugin): Promise<LoadedPlugin> {
  const { name, packageName, version, entry, kernelRange } = plugin;
  const made = `plugin "${name}" (${packageName} ${version})`;
  if (kernelRange === undefined)
    throw new PlatenError('boot_invalid_plugin', `${made} needs a range of kernels as "platen.kernel" in its package.json`);
  if (!satisfies(KERNEL_VERSION, kernelRange, { includePrerelease: true })) {
    throw new PlatenError('boot_kernel_range', `${made} is made for kernel ${kernelRange}, this is ${KERNEL_VERSION}`);
  }
  const module = await importEntry(entry).catch((cause: unknown) => {
    throw new PlatenError('boot_invalid_plugin', `plugin "${name}" (${packageName}) cannot be loaded: ${inspect(cause)}`, { cause });
  });
  if (!isPlugin(module) || module.name !== name) {
    throw new PlatenError(
      'boot_invalid_plugin',
      `package "${packageName}" must export the definition of the plugin "${name}" as its default`,
    );
  }
  assertDefinition(module, packageName);
  assertAsDescribed(module, plugin);
  return { definition: module, packageName, version };
}

/** How long a plugin's module may take to be loaded, in milliseconds: one that waits for what never comes would end the start in silence. */
const IMPORT_MS = 30_000;

async function importEntry(entry: string): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`its module was not loaded within ${String(IMPORT_MS / 1000)} s`));
    }, IMPORT_MS);
  });
  try {
    const importing = import(pathToFileURL(entry).href).then((loaded: { default?: unknown }) => loaded.default);
    return await Promise.race([importing, late]);
  } finally {
    clearTimeout(timer);
  }
}

function inspect(thrown: unknown): string {
  return thrown instanceof Error ? String(thrown) : format('%o', thrown);
}

/** What package.json says decides which plugin is needed, enabled and named in errors: it must be what the code does. */
function assertAsDescribed(definition: Plugin, { name, packageName, ...described }: DiscoveredPlugin): void {
  const defined = {
    requires: definition.requires ?? [],
    outputs: (definition.outputs ?? []).map(({ type }) => type),
    keys: Object.keys(definition.params ?? {}),
    flags: Object.keys(definition.flags ?? {}),
  };
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

async function installedDirectories(installation: string): Promise<string[]> {
  const families = await subdirectories(join(installation, 'plugins'));
  const nested = await Promise.all(families.map(subdirectories));
  return nested.flat().sort();
}

async function subdirectories(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules').map((entry) => join(directory, entry.name));
}

async function dependencyDirectories(operatorDir: string): Promise<string[]> {
  const own = await readPackage(operatorDir);
  const names = Object.keys(own?.dependencies ?? {});
  const directories = await Promise.all(names.map((name) => packageDirectory(name, operatorDir)));
  return directories.filter((directory) => directory !== undefined);
}

async function namedDirectory(name: string, operatorDir: string): Promise<string> {
  const path = resolve(operatorDir, name);
  // A bare name is a package's first, and else the folder that a shell completes it to.
  const directory = name.startsWith('.') || isAbsolute(name) ? path : ((await packageDirectory(name, operatorDir)) ?? path);
  const manifest = await readPackage(directory);
  if (manifest === undefined) {
    throw new PlatenError('boot_unknown_plugin', `--plugin "${name}" names neither an installed package nor a folder with a package.json`);
  }
  if (manifest.platen?.name === undefined) {
    throw new PlatenError(
      'boot_invalid_plugin',
      `--plugin "${name}" is no Platen plugin: its package.json has no "platen" field with a name`,
    );
  }
  return directory;
}

/** As Node looks packages up, but by folder: a package's `exports` need not show its package.json. */
async function packageDirectory(name: string, from: string): Promise<string | undefined> {
  for (let directory = resolve(from); ; directory = dirname(directory)) {
    const candidate = join(directory, 'node_modules', name);
    if ((await readPackage(candidate)) !== undefined) return candidate;
    if (directory === dirname(directory)) return undefined;
  }
}

interface PackageJson {
  readonly name?: string;
  readonly version?: string;
  readonly description?: unknown;
  readonly main?: string;
  readonly exports?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly platen?: {
    readonly name?: string;
    readonly kernel?: unknown;
    readonly requires?: readonly string[];
    readonly outputs?: readonly string[];
    readonly keys?: readonly string[];
    readonly flags?: readonly string[];
  };
}

async function readPackage(directory: string): Promise<PackageJson | undefined> {
  const text = await readFile(join(directory, 'package.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    // Every field is optional and read with a default; `readPlugin` checks what a plugin's must hold.
    return JSON.parse(text) as PackageJson;
  } catch (cause) {
    throw new PlatenError('boot_invalid_plugin', `"${join(directory, 'package.json')}" is not valid JSON: ${String(cause)}`, { cause });
  }
}

const LISTS = ['requires', 'outputs', 'keys', 'flags'] as const;

async function readPlugin(directory: string): Promise<DiscoveredPlugin | undefined> {
  const manifest = await readPackage(directory);
  const { platen } = manifest ?? {};
  if (manifest === undefined || platen?.name === undefined) return undefined;
  for (const field of LISTS) {
    const value: unknown = platen[field];
    if (value === undefined || (Array.isArray(value) && value.every((item) => typeof item === 'string'))) continue;
    throw new PlatenError('boot_invalid_plugin', `"platen.${field}" in "${join(directory, 'package.json')}" must be a list of strings`);
  }
  return {
    name: platen.name,
    packageName: manifest.name ?? directory,
    version: manifest.version ?? '0.0.0',
    ...(typeof manifest.description === 'string' ? { description: manifest.description } : {}),
    directory,
    entry: join(directory, entryOf(manifest.exports) ?? manifest.main ?? 'index.js'),
    kernelRange: typeof platen.kernel === 'string' ? platen.kernel : undefined,
    requires: platen.requires ?? [],
    outputs: platen.outputs ?? [],
    keys: platen.keys ?? [],
    flags: platen.flags ?? [],
  };
}

/** The file behind `exports["."]` for `import`. */
function entryOf(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports;
  if (typeof exports !== 'object' || exports === null) return undefined;
  const targets: Readonly<Record<string, unknown>> = { ...exports };
  return entryOf(targets['.'] ?? targets['import'] ?? targets['node'] ?? targets['default']);
}
