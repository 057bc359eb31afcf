// `npm run pack:all -- --out DIR`: a tarball of every package that may be published, to be installed by their files.
// They are packed from a copy: with the license, and without what only this repository needs.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const root = resolve(import.meta.dirname, '..');

/** The folder that `--out` names, seen from where the user called npm. */
function readOut() {
  const { out } = parseArgs({ options: { out: { type: 'string' } } }).values;
  if (out === undefined) throw new Error('--out is missing: npm run pack:all -- --out DIR');
  return resolve(process.env.INIT_CWD ?? '.', out);
}

function npm(args, cwd) {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Every public workspace with its folder, its package.json and the files that its package.json names. */
function listPackages() {
  const listed = JSON.parse(npm(['pack', '--workspaces', '--dry-run', '--json', '--silent'], root));
  return listed
    .map(({ name, files }) => {
      const folder = realpathSync(join(root, 'node_modules', name));
      return {
        name,
        folder,
        manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
        files: files.map(({ path }) => path),
      };
    })
    .filter(({ manifest }) => manifest.private !== true);
}

/** The compiler does not remove the outputs of a source that is gone. */
function isStale(folder, path) {
  const [, module] = /^dist\/(.+?)(?:\.d\.ts|\.js)$/.exec(path) ?? [];
  return module !== undefined && !existsSync(join(folder, 'src', `${module}.ts`));
}

/** Copies what is packed. The sources, to which an export condition leads, and what they are built with stay here. */
function stage({ name, folder, manifest, files }, base) {
  const target = join(base, name);
  for (const path of files) if (!isStale(folder, path)) cpSync(join(folder, path), join(target, path));
  cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
  delete manifest.devDependencies;
  for (const targets of Object.values(manifest.exports)) delete targets['platen-source'];
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return `./${name}`;
}

const out = readOut();
const base = mkdtempSync(join(tmpdir(), 'platen-pack-'));
try {
  const staged = listPackages().map((one) => stage(one, base));
  mkdirSync(out, { recursive: true });
  npm(['pack', '--silent', '--pack-destination', out, ...staged], base);
  process.stdout.write(`${staged.length} tarballs in ${out}\n`);
} finally {
  rmSync(base, { recursive: true });
}
