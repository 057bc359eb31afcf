import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { recall, remember } from './cache.mjs';
import { adviceIfNotWritable } from './not-writable.mjs';
import { lastLines, runCommand } from './run-command.mjs';
import { SetupError } from './setup-error.mjs';

const BUILD_MS = 5 * 60_000;

/** Stores the inputs of the last build: asking the compiler itself takes longer than all other checks together. */
const STAMP = 'build.json';

/** Replaces some of the compiler's outputs. */
const BUNDLER = '.config/bundle-in-page.mjs';

/** Bundles the command line from the outputs, for a fast start. */
const PROGRAM_BUNDLER = 'server/dist/trim/build-bundle.js';

/** @returns {string | undefined} the reason for a build; undefined if no source changed and every output exists */
export function findStaleness(root) {
  const sources = listSources(root);
  const outputs = [join(root, 'bundle', 'current'), ...sources.map((source) => outputOf(root, source))];
  if (outputs.some((output) => !existsSync(output))) return 'outputs are missing';
  const last = recall(root, STAMP);
  if (last?.fingerprint !== fingerprint(root, sources)) return 'the sources are newer';
  return brokenWorkspaces(root, sources, last.outputs).length === 0 ? undefined : 'outputs were changed after the build';
}

export async function build(root) {
  const sources = listSources(root);
  const before = fingerprint(root, sources);
  const compiler = join(root, 'node_modules', '@typescript', 'native', 'bin', 'tsc');
  // The compiler treats its build info as proof of the outputs: with it, the compiler would build nothing.
  for (const workspace of distrusted(root, sources, before)) rmSync(join(root, workspace, 'dist', '.tsbuildinfo'), { force: true });
  // An interrupted build may leave truncated outputs.
  remember(root, STAMP, {});
  await runStep(root, [compiler, '-b']);
  await runStep(root, [join(root, BUNDLER)]);
  await runStep(root, [join(root, PROGRAM_BUNDLER)]);
  remember(root, STAMP, { fingerprint: before, outputs: sizesOf(root, sources) });
}

async function runStep(root, args) {
  const { ok, output, problem } = await runCommand(process.execPath, args, { cwd: root, timeoutMs: BUILD_MS, endsWithUs: true });
  if (!ok)
    throw new SetupError(
      `the build ("npm run build") failed: ${problem}\n${lastLines(output)}`,
      adviceIfNotWritable(output, root) ?? 'Fix the compiler errors, then start again.',
    );
}

/** The workspaces whose outputs are missing, or possibly incomplete: after a crash, or on a full disk. */
function distrusted(root, sources, fingerprintNow) {
  const last = recall(root, STAMP);
  if (last?.outputs === undefined) return listWorkspaces(root);
  const lacking = sources.filter((source) => !existsSync(outputOf(root, source))).map(workspaceOf);
  // If the sources have changed, a developer may have built them by hand meanwhile.
  const broken = last.fingerprint === fingerprintNow ? brokenWorkspaces(root, sources, last.outputs) : [];
  return new Set([...lacking, ...broken]);
}

/** Workspaces with an output whose size differs from the build's. */
function brokenWorkspaces(root, sources, before = {}) {
  const now = sizesOf(root, sources);
  return Object.keys(now).filter((workspace) => now[workspace] !== before[workspace]);
}

/** The sizes of all outputs, as one value for each workspace. */
function sizesOf(root, sources) {
  const hashes = {};
  for (const source of sources) {
    const size = statSync(outputOf(root, source), { throwIfNoEntry: false })?.size ?? -1;
    (hashes[workspaceOf(source)] ??= createHash('sha256')).update(`${source}\0${size}\n`);
  }
  return Object.fromEntries(Object.entries(hashes).map(([workspace, hash]) => [workspace, hash.digest('hex')]));
}

/** All workspaces of the clone that contain TypeScript, relative to it. */
function listWorkspaces(root) {
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  return references.map(({ path }) => path);
}

function listSources(root) {
  return listWorkspaces(root).flatMap((workspace) => {
    const folder = join(workspace, 'src');
    if (!existsSync(join(root, folder))) return [];
    return readdirSync(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name));
  });
}

/** Sizes and modification times of the sources and of all compiler configuration. */
function fingerprint(root, sources) {
  const steering = listWorkspaces(root).flatMap((workspace) => [join(workspace, 'tsconfig.json'), join(workspace, 'package.json')]);
  const hash = createHash('sha256');
  for (const file of ['tsconfig.json', '.config/tsconfig.json', BUNDLER, 'package-lock.json', ...steering, ...sources]) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

const SOURCE_FOLDER = /[\\/]src[\\/]/;

const workspaceOf = (source) => source.split(SOURCE_FOLDER, 1)[0];

function outputOf(root, source) {
  if (source.endsWith('.d.ts')) return join(root, source);
  const [workspace, ...path] = source.split(SOURCE_FOLDER);
  return join(root, workspace, 'dist', path.join('/src/').replace(/\.ts$/, '.js'));
}
