import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { lastLines, runCommand } from './run-command.mjs';

const UPDATE_MS = 3 * 60_000;
const DOWNLOAD_MS = 15 * 60_000;
const INSTALL_MS = 10 * 60_000;

const OPTIONS = [
  '-o',
  'DPkg::Lock::Timeout=120',
  '-o',
  'Acquire::Retries=2',
  '-o',
  'Acquire::http::Timeout=30',
  '-o',
  'Acquire::https::Timeout=30',
];
const quietly = (env) => ({ ...env, DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_MODE: 'a', LC_ALL: 'C' });

/** @returns {boolean} true if system packages can be installed: Debian, Ubuntu or a derivative, and this process runs as root */
export function canUseApt() {
  return process.getuid?.() === 0 && isDebianKin() && findOnPath('apt-get') !== undefined;
}

/** @returns {boolean} */
function isDebianKin() {
  try {
    return /^(ID|ID_LIKE)=.*\b(debian|ubuntu)\b/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}

/**
 * Installs those of the packages that the release has. It downloads first and installs then, so that a slow mirror can be abandoned without
 * leaving dpkg half done.
 * @param {readonly string[]} names
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {Promise<{ installed: readonly string[], problem: string }>}
 */
export async function aptInstall(names, environment = process.env) {
  const env = quietly(environment);
  const update = await runCommand('apt-get', [...OPTIONS, 'update'], { env, timeoutMs: UPDATE_MS });
  const available = await listAvailable(names, env);
  if (available.length === 0) {
    const because = update.ok ? '' : ` ("apt-get update": ${update.problem})`;
    return { installed: [], problem: `this release has no package ${names.join(' or ')}${because}` };
  }
  const install = [...OPTIONS, 'install', '-y', '--no-install-recommends'];
  for (const [args, timeoutMs] of [
    [[...install, '--download-only', ...available], DOWNLOAD_MS],
    [[...install, ...available], INSTALL_MS],
  ]) {
    const { ok, output, problem } = await runCommand('apt-get', args, { env, timeoutMs });
    if (!ok) return { installed: [], problem: `"apt-get install ${available.join(' ')}": ${problem}\n${lastLines(output, 8)}` };
  }
  return { installed: available, problem: '' };
}

/** Excludes Ubuntu's packages that only install a snap: a snap's browser cannot be controlled from outside the snap. */
async function listAvailable(names, env) {
  const { output } = await runCommand('apt-cache', ['policy', ...names], { env, timeoutMs: 30_000 });
  const blocks = output.split(/^(?=\S)/m);
  return names.filter((name) => {
    const candidate = /Candidate: (.+)/.exec(blocks.find((block) => block.startsWith(`${name}:`)) ?? '')?.[1];
    return candidate !== undefined && candidate !== '(none)' && !candidate.includes('snap');
  });
}

/** @returns {string | undefined} the first executable of that name in PATH */
export function findOnPath(name, searchPath = process.env.PATH ?? '') {
  for (const folder of searchPath.split(delimiter).filter((entry) => entry !== '')) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}
