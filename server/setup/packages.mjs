import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { adviceIfNotWritable } from './not-writable.mjs';
import { lastLines, runCommand } from './run-command.mjs';
import { SetupError } from './setup-error.mjs';

const NPM_CI_MS = 15 * 60_000;

/**
 * Checks whether node_modules matches package-lock.json: npm's own record of the installation agrees with the lockfile, every package has
 * its manifest, and none was built for another platform. The packages' entry files are not checked: some packages name an entry that does
 * not exist.
 * @returns {string | undefined} the first difference
 */
export function findPackageDrift(root) {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages;
  if (wanted === undefined)
    throw new SetupError('package-lock.json is missing or unreadable', 'Restore it: git checkout package-lock.json');
  const installed = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (installed === undefined) return 'node_modules is missing';
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '') continue;
    const there = installed[path];
    if (there === undefined) {
      if (entry.optional || entry.devOptional || entry.peer) continue;
      return `${path} is not installed`;
    }
    if (there.version !== entry.version || there.integrity !== entry.integrity) return `${path} does not have the version in the lockfile`;
    if (!isForThisPlatform(there) || !existsSync(join(root, path, 'package.json'))) return `${path} is missing`;
  }
  const extra = Object.keys(installed).find((path) => wanted[path] === undefined);
  return extra === undefined ? undefined : `${extra} is not in the lockfile`;
}

/** Installs exactly the lockfile. */
export async function installPackages(root, env = process.env) {
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-timeout=60000', '--fetch-retries=2'];
  const { ok, output, problem } = await runNpm(args, { cwd: root, env, timeoutMs: NPM_CI_MS });
  if (ok) return;
  throw new SetupError(
    `"npm ci" failed: ${problem}\n${lastLines(output)}`,
    adviceIfNotWritable(output, root) ??
      'Check the connection to the npm registry ("npm ping") and the free disk space, then start again. If you changed package.json by hand, run "npm install" first.',
  );
}

/** Runs npm: the npm that started this process, if any, else the npm in PATH. */
export function runNpm(args, settings) {
  const options = { ...settings, endsWithUs: true };
  const cli = process.env.npm_execpath;
  const known = cli !== undefined && /npm-cli\.c?js$/.test(cli) && existsSync(cli);
  return known ? runCommand(process.execPath, [cli, ...args], options) : runCommand('npm', args, options);
}

function isForThisPlatform({ os, cpu }) {
  const allows = (list, value) =>
    list === undefined || list.includes(value) || (list.some((name) => name.startsWith('!')) && !list.includes(`!${value}`));
  return allows(os, process.platform) && allows(cpu, process.arch);
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
