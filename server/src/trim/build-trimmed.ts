import { chmod, cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DiscoveredPlugin, discoverPlugins, INSTALLATION, KERNEL_VERSION, loadPlugins, selectPlugins } from '@platen/kernel';
import { build, type Metafile } from 'esbuild';
import { assertOutputs, type ExcludedPlugin } from '../boot/catalog.js';
import { readAsked } from '../boot/read-asked.js';
import {
  BUNDLED,
  copyFolders,
  findFolders,
  findWorkers,
  placeInstallation,
  pruneUnused,
  REQUIRE,
  WORKER_FOLDER,
  type WorkerModule,
} from './esbuild-plugins.js';
import { measureTree, type PackageSize, packagesOf, readManifest, type TrimManifest } from './manifest.js';
import { writeLicences } from './licences.js';
import { pruneNativePackages } from './native-packages.js';

const SOURCES = fileURLToPath(new URL('../', import.meta.url));

export interface TrimOptions {
  /** Names of plugins; plugins that they require are added. */
  readonly plugins: readonly string[];
  /** Target folder: new or empty. */
  readonly out: string;
}

/** Bundles the command line with a static list of plugins into one folder that needs nothing but Node and a browser. */
export async function buildTrimmed({ plugins: names, out }: TrimOptions): Promise<TrimManifest> {
  const found = await discoverPlugins({ installation: INSTALLATION, operatorDir: INSTALLATION });
  const chosen = selectPlugins(found, { only: names });
  assertOutputs(chosen);
  const { enabled, absent } = chosen;
  const folder = resolve(out);
  await openFolder(folder);
  const { metafile, native } = await bundle({ enabled, leftOut: absent }, folder);
  // Copied beside the bundle, with their dependencies.
  const beside = [...native, ...(await toolPackages(enabled))];
  const copied = await copyPackages(beside, { from: INSTALLATION, to: folder });
  await writeLicences(
    [...packagesOf(metafile, INSTALLATION).map(({ directory }) => directory), ...copied.map(({ directory }) => directory)],
    folder,
  );
  return await writeManifest({ enabled, leftOut: absent, metafile, copied, beside, folder });
}

async function openFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new TypeError(`--out "${folder}" is not empty`);
}

interface Chosen {
  readonly enabled: readonly DiscoveredPlugin[];
  readonly leftOut: readonly DiscoveredPlugin[];
}

async function bundle(chosen: Chosen, folder: string): Promise<{ readonly metafile: Metafile; readonly native: ReadonlySet<string> }> {
  const native = pruneNativePackages();
  const workers = new Map<string, WorkerModule>();
  const served = new Map<string, string>();
  const { metafile } = await build({
    ...BUNDLED,
    stdin: { contents: await entrySource(chosen), resolveDir: INSTALLATION, sourcefile: 'entry.mjs' },
    outfile: join(folder, 'platen.mjs'),
    banner: { js: `#!/usr/bin/env node\n${REQUIRE}` },
    plugins: [native.plugin, pruneUnused(), placeInstallation(), findWorkers(workers), findFolders(served)],
  });
  await chmod(join(folder, 'platen.mjs'), 0o755);
  await copyFolders(served, folder);
  if (workers.size === 0) return { metafile, native: native.names };
  // Modules that run in worker threads are loaded by their own files.
  const { metafile: besides } = await build({
    ...BUNDLED,
    entryPoints: [...workers.values()].map(({ source, name }) => ({ in: source, out: name })),
    outdir: join(folder, WORKER_FOLDER),
    outExtension: { '.js': '.mjs' },
    banner: { js: REQUIRE },
    plugins: [native.plugin],
  });
  const outputs = { ...metafile.outputs, ...besides.outputs };
  return { metafile: { inputs: { ...metafile.inputs, ...besides.inputs }, outputs }, native: native.names };
}

/**
 * The static registry: each plugin is an import, so that the bundler includes exactly the chosen plugins. Only the names of the others are
 * included, for error texts.
 */
async function entrySource({ enabled, leftOut }: Chosen): Promise<string> {
  const imports = enabled.map(({ entry }, index) => `import plugin${String(index)} from ${JSON.stringify(entry)};`);
  const list = await Promise.all(
    enabled.map(async ({ packageName, version, description, directory }, index) => {
      const asks = [...(await readAsked(directory)).keys()].filter((name) => !name.startsWith('@platen/'));
      return `{ definition: plugin${String(index)}, ...${JSON.stringify({ packageName, version, description, asks })} }`;
    }),
  );
  const others = leftOut.map(({ name, packageName, version, outputs, keys, flags }): ExcludedPlugin => ({
    name,
    packageName,
    version,
    outputs,
    keys,
    flags,
  }));
  return [
    `import { earlySighup } from ${JSON.stringify(join(SOURCES, 'boot/early-sighup.js'))};`,
    `import { createStaticCatalog } from ${JSON.stringify(join(SOURCES, 'boot/catalog.js'))};`,
    `import { runProcess } from ${JSON.stringify(join(SOURCES, 'cli/run-process.js'))};`,
    ...imports,
    `await runProcess(createStaticCatalog([${list.join(', ')}], ${JSON.stringify(others)}), earlySighup);`,
  ].join('\n');
}

/** Packages that plugins declare as tools: they are resolved at run time, so that no bundler finds them. */
export async function toolPackages(enabled: readonly DiscoveredPlugin[]): Promise<readonly string[]> {
  const candidates = (await loadPlugins(enabled)).loaded
    .flatMap(({ definition }) => definition.tools ?? [])
    .flatMap((tool) => tool.candidates);
  return candidates.flatMap((candidate) => ('package' in candidate ? [candidate.package] : []));
}

interface Built extends Chosen {
  readonly metafile: Metafile;
  readonly copied: readonly PackageSize[];
  /** Names of the copied packages that Platen itself imports. */
  readonly beside: readonly string[];
  readonly folder: string;
}

async function writeManifest({ enabled, leftOut, metafile, copied, beside, folder }: Built): Promise<TrimManifest> {
  const dependencies = Object.fromEntries(copied.filter(({ name }) => beside.includes(name)).map(({ name, version }) => [name, version]));
  const start = {
    name: 'platen-trimmed',
    version: KERNEL_VERSION,
    private: true,
    type: 'module',
    bin: { platen: './platen.mjs' },
    dependencies,
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(start, null, 2)}\n`);
  const files = await measureTree(folder);
  const manifest: TrimManifest = {
    platen: KERNEL_VERSION,
    plugins: enabled.map(({ name, version, packageName, outputs, keys }) => ({ name, version, package: packageName, outputs, keys })),
    left_out: leftOut
      .filter(({ name }) => !leftOut.some(({ requires }) => requires.includes(name)))
      .map(({ name, description, outputs, keys, flags }) => ({ name, description: description ?? '', outputs, keys, flags })),
    packages: [...packagesOf(metafile, INSTALLATION), ...copied]
      .map(({ name, version, bytes }) => ({ name, version, bytes }))
      .sort((a, b) => b.bytes - a.bytes),
    files: files.map(({ path, bytes }) => ({ path: relative(folder, path), bytes })),
    total_bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/**
 * Copies packages, with all their dependencies, from one `node_modules` into another; optional packages that are not installed are omitted.
 */
async function copyPackages(
  names: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly PackageSize[]> {
  const copied: PackageSize[] = [];
  for (const name of closureOf(names, from)) {
    const directory = join(from, 'node_modules', name);
    const target = join(to, 'node_modules', name);
    await cp(directory, target, { recursive: true, dereference: true });
    const files = await measureTree(target);
    copied.push({
      name,
      version: readManifest(directory).version ?? '',
      directory,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    });
  }
  return copied;
}

function closureOf(names: readonly string[], root: string): ReadonlySet<string> {
  const closure = new Set<string>();
  const visit = (name: string) => {
    const { version, dependencies = {}, optionalDependencies = {} } = readManifest(join(root, 'node_modules', name));
    if (version === undefined || closure.has(name)) return;
    closure.add(name);
    [...Object.keys(dependencies), ...Object.keys(optionalDependencies)].forEach(visit);
  };
  names.forEach(visit);
  return closure;
}
