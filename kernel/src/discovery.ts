import { access, readFile, readdir, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { nearest } from '@platen/schema';
import { PlatenError } from './errors.js';

/** A plugin package as described by its package.json, without running its code. */
export interface DiscoveredPlugin {
  readonly name: string;
  readonly packageName: string;
  readonly version: string;
  /** The package's one-sentence description. */
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
  /** Known, but not in this build. */
  readonly leftOut?: boolean;
  /** Found among the operator's dependencies, but not enabled explicitly: Platen starts without it if it cannot be loaded. */
  readonly optional?: boolean;
  /** The reason why it cannot be loaded. */
  readonly fault?: string;
}

export interface DiscoveryOptions {
  /** The folder with `plugins/<family>/<name>/`; in an npm installation, the folder with Platen's packages. */
  readonly installation: string;
  /** The operator's folder, whose package.json's direct dependencies are searched for plugins. */
  readonly operatorDir: string;
  /** Packages or paths named by `--plugin`. */
  readonly extra?: readonly string[];
}

/** Finds every plugin there is by reading package.json files. */
export async function discoverPlugins({ installation, operatorDir, extra = [] }: DiscoveryOptions): Promise<readonly DiscoveredPlugin[]> {
  const [own, dependencies, named] = await Promise.all([
    installedDirectories(installation).then(resolveLinks),
    dependencyDirectories(operatorDir).then(resolveLinks),
    Promise.all(extra.map((name) => namedDirectory(name, operatorDir))).then(resolveLinks),
  ]);
  const directories = new Set([...own, ...dependencies, ...named]);
  const required = new Set([...own, ...named]);
  const read = await Promise.all([...directories].map((directory) => readPlugin(directory, { optional: !required.has(directory) })));
  return read.filter((plugin) => plugin !== undefined);
}

function resolveLinks(directories: readonly string[]): Promise<readonly string[]> {
  return Promise.all(directories.map((directory) => realpath(directory)));
}

/**
 * Splits the discovered plugins by `--plugins` and `--disable-plugins`. The requirements of an enabled plugin are enabled too. A plugin is
 * not optional if `--plugins` enables it, or if a plugin that is not optional requires it.
 */
export function selectPlugins(
  found: readonly DiscoveredPlugin[],
  { only, without = [] }: { readonly only?: readonly string[] | undefined; readonly without?: readonly string[] | undefined },
): { readonly enabled: readonly DiscoveredPlugin[]; readonly absent: readonly DiscoveredPlugin[] } {
  // The first plugin of each name, which is Platen's own if it exists.
  const byName = new Map(found.toReversed().map((plugin) => [plugin.name, plugin]));
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
  const chosen = withRequired(only ?? byName.keys(), { byName, without });
  const enabled = found.filter(({ name }) => chosen.has(name));
  assertNotTakenAway(enabled, without);
  const needed = withRequired(only ?? enabled.filter(({ optional }) => optional !== true).map(({ name }) => name), { byName });
  return {
    enabled: enabled.map((plugin) =>
      needed.has(plugin.name) && byName.get(plugin.name) === plugin ? { ...plugin, optional: false } : plugin,
    ),
    absent: found.filter(({ name }) => !chosen.has(name)),
  };
}

/** The named plugins and their direct and indirect requirements. */
function withRequired(
  names: Iterable<string>,
  { byName, without = [] }: { readonly byName: ReadonlyMap<string, DiscoveredPlugin>; readonly without?: readonly string[] },
): ReadonlySet<string> {
  const chosen = new Set<string>();
  const choose = (name: string) => {
    if (chosen.has(name) || without.includes(name)) return;
    chosen.add(name);
    byName.get(name)?.requires.forEach(choose);
  };
  for (const name of names) choose(name);
  return chosen;
}

/** `--plugins png --disable-plugins screenshot`: a plugin enabled by one flag requires a plugin disabled by the other. */
function assertNotTakenAway(enabled: readonly DiscoveredPlugin[], without: readonly string[]): void {
  const lacking = enabled.flatMap(({ name, requires }) => {
    const gone = requires.filter((required) => without.includes(required)).map((required) => `"${required}"`);
    return gone.length === 0 ? [] : [`"${name}" requires ${gone.join(' and ')}`];
  });
  if (lacking.length === 0) return;
  throw new PlatenError('boot_missing_requirement', `plugins require others that --disable-plugins takes away: ${lacking.join('; ')}`);
}

/** Disabling a plugin reports all plugins that require it in one error. */
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
  if (manifest.platen?.name === undefined) {
    throw new PlatenError(
      'boot_invalid_plugin',
      `--plugin "${name}" is no Platen plugin: its package.json has no "platen" field with a name`,
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
    // Every field is optional and read with a default; `readPlugin` checks the required fields of plugins.
    return JSON.parse(text) as PackageJson;
  } catch (cause) {
    throw new PlatenError('boot_invalid_plugin', `"${join(directory, 'package.json')}" is not valid JSON: ${String(cause)}`, { cause });
  }
}

export const LISTS = ['requires', 'outputs', 'keys', 'flags'] as const;

async function readPlugin(directory: string, { optional }: { readonly optional: boolean }): Promise<DiscoveredPlugin | undefined> {
  // An unreadable dependency does not count as a plugin.
  const manifest = await readPackage(directory).catch((error: unknown) => {
    if (optional) return undefined;
    throw error;
  });
  const { platen } = manifest ?? {};
  if (manifest === undefined || typeof platen?.name !== 'string') return undefined;
  const malformed = LISTS.filter((field) => !isListOfStrings(platen[field] ?? []));
  const listed = (field: (typeof LISTS)[number]) => (malformed.includes(field) ? [] : (platen[field] ?? []));
  return {
    name: platen.name,
    packageName: manifest.name ?? directory,
    version: manifest.version ?? '0.0.0',
    ...(typeof manifest.description === 'string' ? { description: manifest.description } : {}),
    directory,
    entry: join(directory, entryOf(manifest.exports) ?? manifest.main ?? 'index.js'),
    kernelRange: typeof platen.kernel === 'string' ? platen.kernel : undefined,
    requires: listed('requires'),
    outputs: listed('outputs'),
    keys: listed('keys'),
    flags: listed('flags'),
    optional,
    ...(malformed[0] === undefined
      ? {}
      : { fault: `"platen.${malformed[0]}" in "${join(directory, 'package.json')}" must be a list of strings` }),
  };
}

function isListOfStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** The file of `exports["."]` for `import`. */
function entryOf(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports;
  if (typeof exports !== 'object' || exports === null) return undefined;
  const targets: Readonly<Record<string, unknown>> = { ...exports };
  return entryOf(targets['.'] ?? targets['import'] ?? targets['node'] ?? targets['default']);
}
