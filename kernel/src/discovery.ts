import { existsSync } from 'node:fs';
import { access, readFile, readdir, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { PlatenError } from './errors.js';
import { INSTALLATION } from './installation.js';

/** The folder with the `plugins/` of this installation: a bundle has it beside its modules. */
export const PLUGIN_HOME = existsSync(join(import.meta.dirname, 'plugins')) ? import.meta.dirname : INSTALLATION;

/** A plugin as described by the package.json of its package, without running its code. */
export interface DiscoveredPlugin {
  readonly name: string;
  readonly packageName: string;
  readonly version: string;
  /** One sentence. */
  readonly description?: string;
  readonly directory: string;
  /** File with the definition. */
  readonly entry: string;
  /** Semver range of supported kernels; if undefined, the plugin is not loaded. */
  readonly kernelRange: string | undefined;
  readonly requires: readonly string[];
  readonly outputs: readonly string[];
  readonly keys: readonly string[];
  readonly flags: readonly string[];
  /** Further words for its output types: other names and file extensions. */
  readonly endings?: readonly string[];
  /** It takes part in renders that use none of its keys, flags and output types; if a list: where one of these environment variables is set. */
  readonly actsUnasked?: boolean | readonly string[];
  /** It works with plugins that do not require it and that it does not require. */
  readonly needsAll?: boolean;
  /** Known, but not in this build. */
  readonly leftOut?: boolean;
  /** Found among the operator's dependencies, but not enabled explicitly: Platen starts without it if it cannot be loaded. */
  readonly optional?: boolean;
  /** Part of the installation. */
  readonly isOwn?: boolean;
  /** The reason why it cannot be loaded. */
  readonly fault?: string;
}

export interface DiscoveryOptions {
  /** The folder with `plugins/<family>/<name>/`; by default this installation's. */
  readonly installation?: string;
  /** The operator's folder, whose package.json's direct dependencies are searched for plugins. */
  readonly operatorDir: string;
  /** Packages or paths named by `--plugin`. */
  readonly extra?: readonly string[];
}

/**
 * Finds every plugin there is by reading package.json files.
 * @throws PlatenError `boot_unknown_plugin` or `boot_invalid_plugin` if a package of `--plugin` is missing or has no plugins
 */
export async function discoverPlugins(options: DiscoveryOptions): Promise<readonly DiscoveredPlugin[]> {
  const { installation = PLUGIN_HOME, operatorDir, extra = [] } = options;
  const [own, dependencies, named] = await Promise.all([
    installedDirectories(installation).then(resolveLinks),
    dependencyDirectories(operatorDir).then(resolveLinks),
    Promise.all(extra.map((name) => namedDirectory(name, operatorDir))).then(resolveLinks),
  ]);
  const directories = new Set([...own, ...dependencies, ...named]);
  const required = new Set([...own, ...named]);
  const read = await Promise.all([...directories].map((directory) => readPlugins(directory, { optional: !required.has(directory) })));
  const plugins = read.flat();
  // By family and name, whichever package a plugin is in.
  const placeOf = ({ directory, name }: DiscoveredPlugin) => join(dirname(directory), name);
  const installed = plugins.filter(({ directory }) => own.includes(directory));
  installed.sort((a, b) => Number(placeOf(a) > placeOf(b)) - Number(placeOf(a) < placeOf(b)));
  return [
    ...installed.map((plugin) => ({ ...plugin, isOwn: true })),
    ...plugins.filter((plugin) => !installed.some((other) => isSame(plugin, other))),
  ];
}

/** The same package may be found in two places: a bundle has a package.json of its own for each plugin. */
function isSame(plugin: DiscoveredPlugin, other: DiscoveredPlugin): boolean {
  return plugin.name === other.name && plugin.packageName === other.packageName && plugin.version === other.version;
}

function resolveLinks(directories: readonly string[]): Promise<readonly string[]> {
  return Promise.all(directories.map((directory) => realpath(directory)));
}

async function installedDirectories(installation: string): Promise<readonly string[]> {
  const families = await subdirectories(join(installation, 'plugins'));
  // `node_modules/@platen`, which has all packages side by side.
  if (families.length === 0) return subdirectories(installation);
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
  const { name: plugin, plugins = [] } = manifest.platen ?? {};
  if (plugin === undefined && Array.isArray(plugins) && plugins.length === 0) {
    throw new PlatenError(
      'boot_invalid_plugin',
      `--plugin "${name}" is not a Platen plugin: its package.json has no "platen" field with a name or a list of plugins`,
    );
  }
  return directory;
}

/** Like Node's package lookup, but by folder, since a package's `exports` may hide its package.json. */
async function packageDirectory(name: string, from: string): Promise<string | undefined> {
  for (let directory = resolve(from); ; directory = dirname(directory)) {
    const candidate = join(directory, 'node_modules', name);
    if (await isThere(join(candidate, 'package.json'))) return candidate;
    if (directory === dirname(directory)) return undefined;
  }
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** The declarations of one plugin: the field "platen" itself, or an entry of its list "plugins". Checked by `readPlugin`. */
type PluginEntry = Readonly<Partial<Record<'name' | 'entry' | 'description' | Hint | (typeof LISTS)[number], unknown>>>;

/** Optional: without them a plugin is always loaded. */
type Hint = 'endings' | 'actsUnasked' | 'needsAll';

interface PackageJson {
  readonly name?: string;
  readonly version?: string;
  readonly description?: unknown;
  readonly main?: string;
  readonly exports?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly platen?: (PluginEntry & { readonly kernel?: unknown; readonly plugins?: unknown }) | null;
}

async function readPackage(directory: string): Promise<PackageJson | undefined> {
  const text = await readFile(join(directory, 'package.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    // Every field is optional and read with a default; `readPlugin` checks the fields of plugins.
    return JSON.parse(text) as PackageJson;
  } catch (cause) {
    throw new PlatenError('boot_invalid_plugin', `"${join(directory, 'package.json')}" is not valid JSON: ${String(cause)}`, { cause });
  }
}

export const LISTS = ['requires', 'outputs', 'keys', 'flags'] as const;

/** The plugins of a package, none if it has no plugin. A plugin with an invalid declaration has a `fault`. */
async function readPlugins(directory: string, { optional }: { readonly optional: boolean }): Promise<readonly DiscoveredPlugin[]> {
  // An unreadable dependency does not count as a plugin.
  const manifest = await readPackage(directory).catch((error: unknown) => {
    if (optional) return undefined;
    throw error;
  });
  const { platen } = manifest ?? {};
  if (manifest === undefined || typeof platen !== 'object' || platen === null) return [];
  const { name, plugins } = platen;
  if (plugins === undefined) return typeof name === 'string' ? [readPlugin(platen, { manifest, directory, optional })] : [];
  // Anything but a list of objects is read as one plugin without a name.
  const entries: readonly PluginEntry[] = Array.isArray(plugins)
    ? plugins.map((entry: unknown) => (typeof entry === 'object' && entry !== null ? { ...entry } : {}))
    : [{}];
  const read = entries.map((entry) => readPlugin(entry, { manifest, directory, optional }));
  return read.map((plugin, index) => {
    const isTaken = read.findIndex((other) => other.name === plugin.name) < index;
    return plugin.fault === undefined && isTaken
      ? { ...plugin, fault: `package "${plugin.packageName}" lists two plugins named "${plugin.name}" in "platen.plugins"` }
      : plugin;
  });
}

interface PluginPackage {
  readonly manifest: PackageJson;
  readonly directory: string;
  readonly optional: boolean;
}

/** A plugin without a name is named after its package. */
function readPlugin(declared: PluginEntry, { manifest, directory, optional }: PluginPackage): DiscoveredPlugin {
  const { name: packageName = directory, version = '0.0.0', platen } = manifest;
  const { name, entry = '.', description = manifest.description } = declared;
  const file = typeof entry === 'string' ? targetOf(manifest, entry) : undefined;
  const malformed = LISTS.find((field) => !isListOfStrings(declared[field] ?? []));
  const listed = (field: (typeof LISTS)[number]) => (isListOfStrings(declared[field]) ? declared[field] : []);
  const plugin = `plugin "${String(name)}" of package "${packageName}"`;
  let fault: string | undefined;
  if (typeof name !== 'string') fault = `package "${packageName}" lists a plugin without a "name" in "platen.plugins"`;
  else if (file === undefined) fault = `${plugin}: its "entry" ${JSON.stringify(entry)} is not among the "exports" of the package`;
  else if (malformed) fault = `${plugin}: "platen.${malformed}" in "${join(directory, 'package.json')}" must be a list of strings`;
  return {
    name: typeof name === 'string' ? name : packageName,
    packageName,
    version,
    ...(typeof description === 'string' ? { description } : {}),
    directory,
    entry: join(directory, file ?? ''),
    kernelRange: typeof platen?.kernel === 'string' ? platen.kernel : undefined,
    requires: listed('requires'),
    outputs: listed('outputs'),
    keys: listed('keys'),
    flags: listed('flags'),
    endings: isListOfStrings(declared.endings) ? declared.endings : [],
    actsUnasked: isListOfStrings(declared.actsUnasked) ? declared.actsUnasked : declared.actsUnasked === true,
    needsAll: declared.needsAll === true,
    optional,
    ...(fault === undefined ? {} : { fault }),
  };
}

function isListOfStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** The file that `import` finds at a subpath of a package ("." or "./name"), by its `exports`: https://nodejs.org/api/packages.html#exports */
function targetOf({ exports, main = 'index.js' }: PackageJson, subpath: string): string | undefined {
  const isMap = typeof exports === 'object' && exports !== null && Object.keys(exports).some((key) => key.startsWith('.'));
  const target: unknown = isMap ? Object.entries(exports).find(([key]) => key === subpath)?.[1] : exports;
  if (subpath !== '.') return isMap ? fileOf(target) : undefined;
  return fileOf(target) ?? main;
}

function fileOf(target: unknown): string | undefined {
  if (typeof target === 'string') return target;
  if (typeof target !== 'object' || target === null) return undefined;
  const targets: Readonly<Record<string, unknown>> = { ...target };
  return fileOf(targets['import'] ?? targets['node'] ?? targets['default']);
}
