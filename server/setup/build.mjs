import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { recall, remember } from './cache.mjs';
import { adviceIfNotWritable } from './not-writable.mjs';
import { lastLines, runCommand } from './run-command.mjs';
import { SetupError } from './setup-error.mjs';

const BUILD_MS = 5 * 60_000;

/** What the last build was made of lies here: asking the compiler itself takes longer than everything else together. */
const STAMP = 'build.json';

/** @returns {string | undefined} why there is something to build; undefined where every source is as it was and has its output */
export function findStaleness(root) {
  const sources = listSources(root);
  if (sources.some((source) => !existsSync(outputOf(root, source)))) return 'outputs are missing';
  return recall(root, STAMP)?.fingerprint === fingerprint(root, sources) ? undefined : 'the sources are newer';
}

export async function build(root) {
  const sources = listSources(root);
  const before = fingerprint(root, sources);
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const lacking = sources.filter((source) => !existsSync(outputOf(root, source)));
  // The compiler takes its own record for the outputs: with it, it would build nothing.
  for (const workspace of new Set(lacking.map(workspaceOf))) rmSync(join(root, workspace, 'dist', '.tsbuildinfo'), { force: true });
  const { ok, output, problem } = await runCommand(process.execPath, [compiler, '-b'], {
    cwd: root,
    timeoutMs: BUILD_MS,
    endsWithUs: true,
  });
  if (!ok)
    throw new SetupError(
      `the build ("npm run build") failed: ${problem}\n${lastLines(output)}`,
      adviceIfNotWritable(output, root) ?? 'Mend what the compiler names, then start again.',
    );
  remember(root, STAMP, { fingerprint: before });
}

/** All workspaces of the clone that hold TypeScript, relative to it. */
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

/** Sizes and times of the sources and of everything that steers the compiler. */
function fingerprint(root, sources) {
  const steering = listWorkspaces(root).flatMap((workspace) => [join(workspace, 'tsconfig.json'), join(workspace, 'package.json')]);
  const hash = createHash('sha256');
  for (const file of ['tsconfig.json', '.config/tsconfig.json', 'package-lock.json', ...steering, ...sources]) {
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
