// Chooses the slow tests of `.ci/run`: those that the change since the last landed commit can break. Prints them as a JSON array, or
// nothing for all of them; what was chosen and why goes to stderr. In doubt, all are.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
/** The last landed commit. */
const LANDED = 'origin/main';

/** Below these a change can break any slow test, unless it is one of prose. */
const EVERYTHING = ['schema/', 'kernel/', 'server/', 'plugin-template/', 'test/helpers/', 'test/fixtures/', '.ci/', '.config/'];

const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const lines = (text) => text.split('\n').filter((line) => line !== '');

/** The files that differ from the last landed commit, committed or not; or the reason why that is unknown. */
function listChanges() {
  try {
    git('merge-base', '--is-ancestor', LANDED, 'HEAD');
  } catch {
    return { unknown: `${LANDED} is no ancestor of this commit` };
  }
  const changed = [
    ...lines(git('diff', '--name-only', '--no-renames', LANDED)),
    ...lines(git('ls-files', '--others', '--exclude-standard')),
  ];
  return changed.length === 0 ? { unknown: `nothing differs from ${LANDED}` } : { changed };
}

/** All files of the working tree that git does not ignore. */
function listFiles() {
  const files = lines(git('ls-files', '--cached', '--others', '--exclude-standard'));
  return files.filter((file) => existsSync(join(ROOT, file)));
}

const packageOf = (file) => /^plugins\/[^/]+\/[^/]+(?=\/)/.exec(file)?.[0];
const mirroredPackage = (file) => packageOf(file.replace(/^test\//, ''));

/** The folders of the plugins' packages, each with those of the packages that it depends on, directly or not. */
function readDependencies(files) {
  const manifests = files.filter((file) => /^plugins\/[^/]+\/[^/]+\/package\.json$/.test(file));
  const byFolder = new Map(manifests.map((file) => [dirname(file), JSON.parse(readFileSync(join(ROOT, file), 'utf8'))]));
  const byName = new Map([...byFolder].map(([folder, { name }]) => [name, folder]));
  const needed = ({ dependencies, devDependencies, peerDependencies }) =>
    Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }).flatMap((name) => byName.get(name) ?? []);
  const closureOf = (folder, seen = new Set()) => {
    if (seen.has(folder)) return seen;
    seen.add(folder);
    for (const other of needed(byFolder.get(folder))) closureOf(other, seen);
    return seen;
  };
  return { byName, closures: new Map([...byFolder.keys()].map((folder) => [folder, closureOf(folder)])) };
}

/** The files and packages that a test imports or names by `new URL`, and those that its own modules do. */
function readInputs(test, { byName, closures }) {
  const modules = new Set();
  const packages = new Set([mirroredPackage(test)]);
  const visit = (file) => {
    if (modules.has(file)) return;
    modules.add(file);
    if (!/\.(ts|mjs)$/.test(file)) return;
    const text = readFileSync(join(ROOT, file), 'utf8');
    for (const [, specifier] of text.matchAll(/(?:from|import|import\(|new URL\()\s*['"`]([^'"`]+)['"`]/g)) {
      packages.add(byName.get(/^@platen\/[^/]+/.exec(specifier)?.[0]));
      if (!specifier.startsWith('.')) continue;
      const path = relative(ROOT, resolve(ROOT, dirname(file), specifier));
      const found = [path, path.replace(/\.js$/, '.ts')].find((one) => existsSync(join(ROOT, one)));
      if (packageOf(path) !== undefined) packages.add(packageOf(path));
      else if (found?.startsWith('test/') && !found.endsWith('/')) visit(found);
    }
  };
  visit(test);
  return { modules, closure: new Set([...packages].flatMap((folder) => [...(closures.get(folder) ?? [])])) };
}

/** Whether a changed file can break any slow test. */
function concernsAll(file) {
  if (file.endsWith('.md')) return file.startsWith('test/fixtures/');
  if (file.endsWith('package.json') || EVERYTHING.some((folder) => file.startsWith(folder))) return true;
  return !file.startsWith('plugins/') && !file.startsWith('test/');
}

/** The tests that a changed file can break. */
function testsOf(file, { tests, inputs }) {
  if (['README.md', 'server/docs/api/first-request.md'].includes(file)) return tests.filter((test) => test.startsWith('test/readme.'));
  if (file.endsWith('.md')) return [];
  const changed = packageOf(file);
  if (changed !== undefined) return tests.filter((test) => inputs.get(test).closure.has(changed));
  const users = tests.filter((test) => inputs.get(test).modules.has(file));
  // Data beside tests is read by a path that cannot be followed: every test of the folder may do so.
  return /\.(ts|mjs)$/.test(file) ? users : tests.filter((test) => users.includes(test) || test.startsWith(`${folderOfData(file)}/`));
}

function folderOfData(file) {
  const folder = mirroredPackage(file);
  return folder === undefined ? file.split('/').slice(0, 2).join('/') : `test/${folder}`;
}

/** Returns the slow tests that the changed files concern and a line for each reason; without tests, all of them are. */
export function chooseSlowTests(changed, files = listFiles()) {
  const culprit = changed.find(concernsAll);
  if (culprit !== undefined) return { reasons: [`all: ${culprit} changed`] };
  const tests = files.filter((file) => file.endsWith('.slow.test.ts'));
  const dependencies = readDependencies(files);
  const inputs = new Map(tests.map((test) => [test, readInputs(test, dependencies)]));
  const chosen = new Map();
  for (const file of changed) {
    for (const test of testsOf(file, { tests, inputs })) if (!chosen.has(test)) chosen.set(test, file);
  }
  const reasons = [`${chosen.size} of ${tests.length}`, ...[...chosen].sort().map(([test, file]) => `  ${test}: ${file} changed`)];
  return { tests: [...chosen.keys()].sort(), reasons };
}

if (process.argv[1] === import.meta.filename) {
  const { changed, unknown } = listChanges();
  const { tests, reasons } = changed === undefined ? { reasons: [`all: ${unknown}`] } : chooseSlowTests(changed);
  console.error(['Slow tests', ...reasons].join('\n').replace('\n', ': '));
  if (tests !== undefined) console.log(JSON.stringify(tests));
}
