import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { INSTALLATION } from '@platen/kernel';
import { build, type OutputFile } from 'esbuild';
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
interface Workspace {
  readonly folder: string;
  readonly manifest: {
    readonly name: string;
    readonly exports: Readonly<Record<string, { readonly default: string }>>;
    readonly platen?: unknown;
  };
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
  write: false as const,
  outExtension: { '.js': '.mjs' },
};

/** Names the folder of the newest bundle. */
const CURRENT = 'current';

/**
 * Bundles the command line with all plugins of this installation, which starts in a third of the time: few files, each loaded only if a plugin
 * that needs it is enabled. Each bundle has a folder of its own in `out`, with its modules and, in `plugins/`, a package.json for each plugin,
 * whose `exports` lead to them. The one before stays for the processes that run it, and load a part of it later.
 */
export async function buildBundle(out: string): Promise<void> {
  const name = Date.now().toString(36);
  const folder = join(out, name);
  const workspaces = await listWorkspaces();
  const entries = workspaces.flatMap(listEntries);
  await bundle(entries, folder);
  for (const workspace of workspaces) if (workspace.manifest.platen !== undefined) await writeManifest(workspace, folder);
  const files = Object.fromEntries(entries.map((entry) => [entry.specifier, `${entry.name}.mjs`]));
  await writeFile(join(folder, MODULES_FILE), `${JSON.stringify(files, null, 1)}\n`);
  const before = await readFile(join(out, CURRENT), 'utf8').catch(() => '');
  await replaceFile(join(out, CURRENT), name);
  const others = (await readdir(out)).filter((other) => ![CURRENT, name, before].includes(other));
  await Promise.all(others.map((other) => rm(join(out, other), { recursive: true, force: true })));
}

async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.${text}`, text);
  await rename(`${path}.${text}`, path);
}

async function listWorkspaces(): Promise<readonly Workspace[]> {
  const families = await listFolders(join(INSTALLATION, 'plugins'));
  const plugins = await Promise.all(
    families.map(async (family) => (await listFolders(join(INSTALLATION, 'plugins', family))).map((name) => join('plugins', family, name))),
  );
  const read = ['schema', 'kernel', 'server', ...plugins.flat()].map(async (path): Promise<readonly Workspace[]> => {
    const folder = join(INSTALLATION, path);
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
    // A test holds what each package.json of a workspace contains.
    return text === undefined ? [] : [{ folder, manifest: JSON.parse(text) as Workspace['manifest'] }];
  });
  return (await Promise.all(read)).flat();
}

async function listFolders(parent: string): Promise<readonly string[]> {
  return (await readdir(parent, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name);
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

async function bundle(entries: readonly Entry[], folder: string): Promise<void> {
  const native = pruneNativePackages();
  const workers = new Map<string, WorkerModule>();
  const served = new Map<string, string>();
  const modules = [...entries, { source: join(INSTALLATION, 'server/dist/cli.js'), name: 'cli' }];
  const { outputFiles: shared } = await build({
    ...SETTINGS,
    entryPoints: modules.map(({ source, name }) => ({ in: source, out: name })),
    outdir: folder,
    splitting: true,
    chunkNames: 'shared-[hash]',
    plugins: [native.plugin, pruneUnused(), findWorkers(workers), findFolders(served)],
  });
  // Each thread has a module of its own.
  const { outputFiles: threads } = await build({
    ...SETTINGS,
    entryPoints: [...workers.values()].map(({ source, name }) => ({ in: source, out: name })),
    outdir: join(folder, WORKER_FOLDER),
    plugins: [native.plugin, pruneUnused()],
  });
  await Promise.all([...shared, ...threads].map(writeModule));
  await copyFolders(served, folder);
}

/** A `require` costs 0.3 ms of each start: one file of esbuild's own gives it to the others. */
async function writeModule({ path, text }: OutputFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text.includes('typeof require') ? `${REQUIRE}\n${text}` : text);
}

/** Its dependencies are those of all packages that are bundled with it: `platen doctor` looks for them. */
async function writeManifest({ folder, manifest }: Workspace, out: string): Promise<void> {
  const target = join(out, relative(INSTALLATION, folder));
  const asked = [...(await readAsked(folder)).keys()].filter((name) => !name.startsWith('@platen/'));
  const exports = Object.fromEntries(
    Object.keys(manifest.exports).map((subpath) => [
      subpath,
      relative(target, join(out, `${nameOf(manifest.name, subpath)}.mjs`)).replaceAll('\\', '/'),
    ]),
  );
  await mkdir(target, { recursive: true });
  const own = { ...manifest, exports, dependencies: Object.fromEntries(asked.map((name) => [name, '*'])) };
  await writeFile(join(target, 'package.json'), `${JSON.stringify(own, null, 1)}\n`);
}

if (process.argv[1] === import.meta.filename) await buildBundle(join(INSTALLATION, 'bundle'));
