import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { INSTALLATION, partialPath } from '@platen/kernel';
import { build, type Metafile, type OutputFile } from 'esbuild';
import { readAsked } from '../boot/read-asked.js';
import { MODULES_FILE } from '../boot/bundle-home.js';
import {
  BUNDLED,
  copyFolders,
  findFolders,
  findWorkers,
  pruneUnused,
  REQUIRE,
  WORKER_FOLDER,
  type WorkerModule,
} from './esbuild-plugins.js';
import { pruneNativePackages } from './native-packages.js';

/** A package of this installation, with the fields of its package.json that a bundle reads. */
export interface Workspace {
  readonly folder: string;
  readonly manifest: {
    readonly name: string;
    readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
    readonly version: string;
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly platen?: PluginHead & { readonly kernel?: string; readonly plugins?: readonly PluginHead[] };
  };
}

/** A plugin in the field `platen`, as far as a bundle reads it. */
interface PluginHead {
  readonly name: string;
  /** Subpath of its package's exports. */
  readonly entry?: string;
}

/** What the bundle exports: the specifier that plugins import, the file of its source, and the name of the bundled file. */
interface Entry {
  readonly specifier: string;
  readonly source: string;
  readonly name: string;
}

/** Functions keep their names, for stack traces and profiles. */
const SETTINGS = {
  ...BUNDLED,
  minify: false,
  minifyWhitespace: true,
  minifySyntax: true,
  // Node prints the line that throws.
  lineLimit: 200,
  write: false as const,
  outExtension: { '.js': '.mjs' },
};

/** Modules that run in browsers, too: they have a file each, and import none of Node. */
const FOR_BROWSERS: readonly string[] = ['platen/client'];

/** Names the folder of the newest bundle. */
const CURRENT = 'current';

/**
 * Bundles the command line with all plugins of this installation, which starts in a third of the time: few files, each loaded only if a plugin
 * that needs it is enabled. Each bundle has a folder of its own in `out`, with its modules and, in `plugins/`, a package.json for each plugin,
 * whose `main` leads to its module. The one before stays for the processes that run it, and load a part of it later.
 */
export async function buildBundle(out: string): Promise<void> {
  const name = Date.now().toString(36);
  await writeBundle(join(out, name));
  const pointer = join(out, CURRENT);
  const before = await readFile(pointer, 'utf8').catch(() => '');
  await writeFile(partialPath(pointer), name);
  await rename(partialPath(pointer), pointer);
  const others = (await readdir(out)).filter((other) => ![CURRENT, name, before].includes(other));
  await Promise.all(others.map((other) => rm(join(out, other), { recursive: true, force: true })));
}

/** What a bundle consists of. */
export interface Bundle {
  /** The bundled file of each module that Platen's packages export, by specifier. */
  readonly files: Readonly<Record<string, string>>;
  readonly metafile: Metafile;
  /** Packages that are imported at run time: they have native code. */
  readonly native: ReadonlySet<string>;
}

/** Writes the modules and `plugins/` into a folder. */
export async function writeBundle(folder: string): Promise<Bundle> {
  const workspaces = await listWorkspaces();
  const entries = workspaces.flatMap(listEntries);
  const { metafile, native } = await bundle(entries, folder);
  for (const workspace of workspaces) await writeManifests(workspace, folder);
  const files = Object.fromEntries(entries.map((entry) => [entry.specifier, `${entry.name}.mjs`]));
  await writeFile(join(folder, MODULES_FILE), `${JSON.stringify(files, null, 1)}\n`);
  return { files, metafile, native };
}

/** All packages that the compiler builds, except the template of plugins. */
export async function listWorkspaces(): Promise<readonly Workspace[]> {
  const { references } = await readJson<{ readonly references: readonly { readonly path: string }[] }>(join(INSTALLATION, 'tsconfig.json'));
  const folders = references.filter(({ path }) => path !== 'plugin-template').map(({ path }) => join(INSTALLATION, path));
  return await Promise.all(folders.map(async (folder) => ({ folder, manifest: await readJson(join(folder, 'package.json')) })));
}

async function readJson<T>(path: string): Promise<T> {
  // Files of this installation: tests hold what is in them.
  return JSON.parse(await readFile(path, 'utf8')) as T;
}

function listEntries({ folder, manifest }: Workspace): readonly Entry[] {
  return Object.entries(manifest.exports).map(([subpath, { default: file }]) => ({
    specifier: `${manifest.name}${subpath.slice(1)}`,
    source: join(folder, file),
    name: nameOf(manifest.name, subpath),
  }));
}

function nameOf(packageName: string, subpath: string): string {
  return `${packageName}${subpath.slice(1)}`.replace('@platen/', '').replaceAll('/', '--');
}

async function bundle(entries: readonly Entry[], folder: string): Promise<Pick<Bundle, 'metafile' | 'native'>> {
  const native = pruneNativePackages();
  const workers = new Map<string, WorkerModule>();
  const served = new Map<string, string>();
  const forBrowsers = entries.filter(({ specifier }) => FOR_BROWSERS.includes(specifier));
  const forNode = entries.filter((entry) => !forBrowsers.includes(entry));
  const modules = [...forNode, { source: join(INSTALLATION, 'server/dist/cli.js'), name: 'cli' }];
  const { outputFiles: shared, metafile } = await build({
    ...SETTINGS,
    entryPoints: modules.map(toEntryPoint),
    outdir: folder,
    splitting: true,
    chunkNames: 'shared-[hash]',
    plugins: [native.plugin, pruneUnused(), findWorkers(workers), findFolders(served)],
  });
  // Each thread has a module of its own.
  const { outputFiles: threads, metafile: besides } = await build({
    ...SETTINGS,
    entryPoints: [...workers.values()].map(toEntryPoint),
    outdir: join(folder, WORKER_FOLDER),
    plugins: [native.plugin, pruneUnused()],
  });
  const entryPoints = forBrowsers.map(toEntryPoint);
  const { outputFiles: single } = await build({ ...SETTINGS, entryPoints, outdir: folder, platform: 'browser', target: 'es2022' });
  await Promise.all([...shared, ...threads, ...single].map(writeModule));
  await copyFolders(served, folder);
  const whole = { inputs: { ...metafile.inputs, ...besides.inputs }, outputs: { ...metafile.outputs, ...besides.outputs } };
  return { metafile: whole, native: native.names };
}

const toEntryPoint = ({ source, name }: Pick<Entry, 'source' | 'name'>) => ({ in: source, out: name });

/** A `require` costs 0.3 ms of each start: one file of esbuild's own gives it to the others. */
async function writeModule({ path, text }: OutputFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text.includes('typeof require') ? `${REQUIRE}\n${text}` : text);
}

/**
 * Writes a package.json for each plugin of a package. The dependencies are those of all packages that are bundled with it: `platen doctor`
 * looks for them.
 */
async function writeManifests({ folder, manifest }: Workspace, out: string): Promise<void> {
  const { exports: _exports, platen, ...head } = manifest;
  if (platen === undefined) return;
  const { kernel, plugins = [platen] } = platen;
  const asked = [...(await readAsked(folder)).keys()].filter((name) => !name.startsWith('@platen/'));
  const dependencies = Object.fromEntries(asked.map((name) => [name, '*']));
  const family = join(out, relative(INSTALLATION, dirname(folder)));
  for (const { entry = '.', ...plugin } of plugins) {
    const target = plugins.length === 1 ? join(family, basename(folder)) : join(family, plugin.name);
    const main = relative(target, join(out, `${nameOf(manifest.name, entry)}.mjs`)).replaceAll('\\', '/');
    await mkdir(target, { recursive: true });
    const own = { ...head, main, platen: { kernel, ...plugin }, dependencies };
    await writeFile(join(target, 'package.json'), `${JSON.stringify(own, null, 1)}\n`);
  }
}

if (process.argv[1] === import.meta.filename) await buildBundle(join(INSTALLATION, 'bundle'));
