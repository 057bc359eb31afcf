import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { discoverPlugins, INSTALLATION } from '@platen/kernel';
import { listWorkspaces, type Workspace, writeBundle } from './build-bundle.js';
import { toolPackages } from './build-trimmed.js';
import { writeDeclarations } from './declarations.js';
import { writeLicences } from './licences.js';
import { packagesOf } from './manifest.js';

/** The workspace whose exports are the package's. */
const PUBLISHED = 'platen';

/** Where the modules are in the package: two folders below its root, which is then the installation's. */
const MODULES = 'dist/modules';

/** The documentation in the package, and where `npm run docs` has built it. */
const GUIDE = { place: `${MODULES}/files/guide`, built: join(INSTALLATION, 'plugins/service/openapi/guide') };

/** The plugin to copy: its sources, packed, since a package.json inside of a package has another meaning. */
const TEMPLATE = 'plugin-template';

/** The deployment files that need no clone. */
const DEPLOYED = ['platen.service', 'kubernetes.yaml', 'seccomp.json'];

/** A faster decoder that msgpackr uses if it is there: it would need an install script. */
const OMITTED: readonly string[] = ['msgpackr-extract'];

/**
 * Packs Platen with all its plugins as one npm package.
 *
 * @param out folder of the tarball
 * @returns name of the tarball
 */
export async function pack(out: string): Promise<string> {
  const stage = await mkdtemp(join(tmpdir(), 'platen-pack-'));
  try {
    const { files, metafile, native } = await writeBundle(join(stage, MODULES));
    const workspaces = await listWorkspaces();
    const types = await writeTypes(workspaces, join(stage, 'types'));
    const plugins = await discoverPlugins({ installation: INSTALLATION, operatorDir: INSTALLATION });
    const dependencies = rangesOf([...native, ...(await toolPackages(plugins))], workspaces);
    await writeManifest(stage, { workspaces, files, types, dependencies });
    await cp(join(INSTALLATION, 'server/bin/packed.mjs'), join(stage, 'bin/platen.mjs'));
    await cp(join(INSTALLATION, 'server/bin/keep-compiled-code.mjs'), join(stage, 'bin/keep-compiled-code.mjs'));
    for (const name of ['LICENSE', 'CHANGELOG.md']) await cp(join(INSTALLATION, name), join(stage, name));
    await writeReadme(join(stage, 'README.md'));
    for (const name of DEPLOYED) await cp(join(INSTALLATION, 'server/deploy', name), join(stage, 'deploy', name));
    const built = ['dist', 'node_modules'].map((name) => `--exclude=${name}`);
    await promisify(execFile)('tar', ['-czf', join(stage, `${TEMPLATE}.tgz`), ...built, TEMPLATE], { cwd: INSTALLATION });
    await writeLicences(
      packagesOf(metafile, INSTALLATION).map(({ directory }) => directory),
      stage,
    );
    await mkdir(out, { recursive: true });
    const { stdout } = await promisify(execFile)('npm', ['pack', '--silent', '--pack-destination', out], { cwd: stage });
    return stdout.trim();
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** As the documentation has it: its links lead to pages that the package holds. */
async function writeReadme(file: string): Promise<void> {
  const text = await readFile(join(GUIDE.built, 'about.md'), 'utf8');
  await writeFile(file, text.replaceAll(/\]\((?![a-z]+:|#)/g, `](${GUIDE.place}/`));
}

async function writeTypes(workspaces: readonly Workspace[], out: string): Promise<ReadonlyMap<string, string>> {
  const modules = new Map(
    workspaces.flatMap(({ folder, manifest }) =>
      Object.entries(manifest.exports).map(([subpath, { types }]) => [`${manifest.name}${subpath.slice(1)}`, join(folder, types)] as const),
    ),
  );
  const entries = [...modules.keys()].filter((specifier) => specifier === PUBLISHED || specifier.startsWith(`${PUBLISHED}/`));
  return await writeDeclarations({ root: INSTALLATION, modules, entries, out });
}

/** The version range of each package, as the workspace that needs it declares it. */
function rangesOf(names: readonly string[], workspaces: readonly Workspace[]): Readonly<Record<string, string>> {
  const declared = new Map(workspaces.flatMap(({ manifest: { dependencies = {} } }) => Object.entries(dependencies)));
  return Object.fromEntries(
    [...new Set(names)]
      .sort()
      .filter((name) => !OMITTED.includes(name))
      .map((name) => [name, declared.get(name) ?? '*']),
  );
}

interface Contents {
  readonly workspaces: readonly Workspace[];
  readonly files: Readonly<Record<string, string>>;
  readonly types: ReadonlyMap<string, string>;
  readonly dependencies: Readonly<Record<string, string>>;
}

async function writeManifest(stage: string, { workspaces, files, types, dependencies }: Contents): Promise<void> {
  const published = workspaces.find(({ manifest: { name } }) => name === PUBLISHED);
  if (published === undefined) throw new Error(`there is no workspace "${PUBLISHED}"`);
  // Written here: tests hold what is in it.
  const own = JSON.parse(await readFile(join(published.folder, 'package.json'), 'utf8')) as Readonly<Record<string, unknown>>;
  const { private: _private, exports: _exports, dependencies: _dependencies, ...head } = own;
  const exports = Object.fromEntries(
    [...types].map(([specifier, file]) => [
      `.${specifier.slice(PUBLISHED.length)}`,
      { types: `./types/${file}`, default: `./${MODULES}/${files[specifier] ?? ''}` },
    ]),
  );
  const manifest = {
    ...head,
    bin: { platen: './bin/platen.mjs' },
    exports: { ...exports, './package.json': './package.json' },
    files: ['bin', 'dist', 'types', 'deploy', `${TEMPLATE}.tgz`, 'LICENSES.txt', 'CHANGELOG.md'],
    dependencies,
  };
  await writeFile(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

if (process.argv[1] === import.meta.filename) {
  const { out = '.' } = parseArgs({ options: { out: { type: 'string' } } }).values;
  // From where the user called npm.
  const folder = resolve(process.env['INIT_CWD'] ?? '.', out);
  process.stdout.write(`${join(folder, await pack(folder))}\n`);
}
