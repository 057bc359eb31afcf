import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { aptInstall, canUseApt, findOnPath } from './apt.mjs';
import { findWorkingBrowser, FONT_PACKAGES, installBrowser, THREE_WAYS } from './browser.mjs';
import { build, findStaleness } from './build.mjs';
import { checkersStep } from './checkers.mjs';
import { findFfmpeg, installFfmpeg, needsFfmpeg } from './ffmpeg.mjs';
import { takeLock } from './lock.mjs';
import { findPackageDrift, installPackages } from './packages.mjs';
import { SetupError } from './setup-error.mjs';

const LOCK_MS = 45 * 60_000;

/**
 * Result of a step's check: `missing` is the work to do. If nothing is missing, `found` or a `detail` may explain why. A `warning` is
 * printed even if only problems are printed.
 * @typedef {{ found?: string, missing?: string, detail?: string, warning?: string }} Finding
 */

/**
 * Runs the steps in order. If nothing is missing, it returns. Otherwise it takes the lock, checks again, since another setup may have done
 * the work meanwhile, and does the rest.
 * @param {string} root the clone
 * @param {import('./options.mjs').SetupOptions} options
 */
export async function setUp(root, options) {
  const say = (text) => void process.stderr.write(`setup: ${text}\n`);
  const setup = { root, ...options, act: say, warn: say, note: options.quiet ? () => undefined : say };
  const steps = [packagesStep, buildStep, browserStep, certutilStep, ffmpegStep, fontsStep, checkersStep].map((open) => open(setup));
  if (options.dryRun) return reportPlan(steps, setup);
  if (await isAllThere(steps, setup)) return;
  const release = await takeLock(root, { timeoutMs: LOCK_MS, onWait: () => say('waiting for another setup of this clone') });
  try {
    for (const step of steps) await perform(step, setup);
  } finally {
    await release();
  }
}

async function isAllThere(steps, setup) {
  const findings = [];
  for (const step of steps) {
    const finding = await step.look();
    if (finding.missing !== undefined) return false;
    findings.push(finding);
  }
  for (const finding of findings) reportFound(finding, setup);
  return true;
}

function reportFound({ found, detail, warning }, { note, warn }) {
  for (const line of [found, detail]) if (line !== undefined) note(line);
  if (warning !== undefined) warn(warning);
}

async function perform(step, setup) {
  const finding = await step.look();
  if (finding.missing === undefined) {
    reportFound(finding, setup);
    return;
  }
  await step.fix(finding.missing);
  const after = await step.look();
  if (after.missing !== undefined) throw new SetupError(`${after.missing}, even after the setup tried to fix it`, step.advice);
  reportFound(after, setup);
}

async function reportPlan(steps, { act }) {
  for (const step of steps) {
    const { found, missing, detail, warning } = await step
      .look()
      .catch((error) => ({ missing: `${step.name}: unknown until the previous steps are done (${error.code ?? error.message})` }));
    if (missing !== undefined) act(`would fix: ${missing}`);
    for (const line of [found, detail, warning]) if (line !== undefined) act(line);
  }
}

function packagesStep({ root, act }) {
  return {
    name: 'packages',
    advice: 'Run "npm ci" by hand and read its output.',
    async look() {
      const drift = findPackageDrift(root);
      return drift === undefined ? { found: 'packages: as in package-lock.json' } : { missing: `packages: ${drift}` };
    },
    async fix(missing) {
      act(`${missing}: installing with "npm ci"`);
      await installPackages(root);
    },
  };
}

function buildStep({ root, act }) {
  return {
    name: 'build',
    advice: 'Run "npm run build" by hand and read its output.',
    async look() {
      const staleness = findStaleness(root);
      return staleness === undefined ? { found: 'build: up to date' } : { missing: `build: ${staleness}` };
    },
    async fix(missing) {
      act(`${missing}: building`);
      await build(root);
    },
  };
}

function browserStep(setup) {
  const { root, embedded, warn, act } = setup;
  return {
    name: 'browser',
    advice: THREE_WAYS,
    async look() {
      if (embedded && !existsSync(join(root, '.runtime', 'chromium', 'chromium')))
        return { missing: 'browser: the one of the npm package is not installed' };
      const { path, version, source, problem } = await findWorkingBrowser(root);
      if (problem !== undefined) return { missing: `browser: ${problem}` };
      return { found: `browser: ${version}, ${path} (${source})` };
    },
    async fix(missing) {
      if (process.env.PUPPETEER_EXECUTABLE_PATH && !embedded)
        throw new SetupError(missing, 'Set PUPPETEER_EXECUTABLE_PATH to a browser, or unset it.');
      act(missing);
      await installBrowser(setup);
      const closed = findClosedFolder(join(root, '.runtime', 'chromium', 'chromium'));
      if (closed !== undefined)
        warn(
          `started by root, Platen runs the browser as an unprivileged user, who cannot enter ${closed}: run "chmod o+x" on it, or move the clone`,
        );
    },
  };
}

/** The topmost folder above a file that other users cannot enter; only checked if this process runs as root. */
function findClosedFolder(file) {
  if (process.getuid?.() !== 0 || !existsSync(file)) return undefined;
  const folders = [];
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) folders.unshift(folder);
  return folders.find((folder) => (statSync(folder).mode & 0o001) === 0);
}

/**
 * Whether a flag after `--then` or the environment names private certificate authorities. The config file is read by the server only, which
 * reports a missing tool.
 */
function certutilStep({ rest, apt, act }) {
  const asked = Boolean(process.env.PLATEN_BROWSER_CA_FILE) || rest.some((arg) => /^--browser-ca-file(?:=|$)/.test(arg));
  const advice = 'Install the package libnss3-tools, or its equivalent on your system, so that certutil is found in PATH.';
  return {
    name: 'certutil',
    advice,
    look: async () =>
      asked && findOnPath('certutil') === undefined ? { missing: 'certutil: not found, but --browser-ca-file requires it' } : {},
    async fix(missing) {
      if (!apt || !canUseApt()) throw new SetupError(missing, advice);
      act(`${missing}: installing libnss3-tools`);
      const { problem } = await aptInstall(['libnss3-tools']);
      if (problem !== '') throw new SetupError(`certutil: ${problem}`, advice);
    },
  };
}

function ffmpegStep(setup) {
  const { root, ffmpeg } = setup;
  return {
    name: 'ffmpeg',
    advice: 'Install ffmpeg so that it is found in PATH.',
    async look() {
      const path = findFfmpeg(root);
      if (path !== undefined) return { found: `ffmpeg: ${path}` };
      if (ffmpeg || needsFfmpeg(root)) return { missing: 'ffmpeg: not found' };
      return { detail: 'ffmpeg: not found; no plugin requires it ("npm run setup -- --with-ffmpeg" installs it)' };
    },
    async fix(missing) {
      setup.act(missing);
      await installFfmpeg(setup);
    },
  };
}

/** Only on request: 91 MB that most machines do not need. */
function fontsStep({ fonts, act }) {
  let done = false;
  return {
    name: 'fonts',
    advice: 'Install fonts by hand, then check with "fc-list".',
    look: async () => (fonts && !done ? { missing: 'fonts: requested' } : {}),
    async fix(missing) {
      if (!canUseApt())
        throw new SetupError(
          `${missing}, but only root on Debian or Ubuntu can install them`,
          `Install ${FONT_PACKAGES.join(', ')}, or their equivalents on your system.`,
        );
      act(`${missing}: installing ${FONT_PACKAGES.join(', ')}`);
      const { problem } = await aptInstall(FONT_PACKAGES);
      if (problem !== '')
        throw new SetupError(`fonts: ${problem}`, `Run "apt-get install ${FONT_PACKAGES.join(' ')}" by hand and read its output.`);
      done = true;
    },
  };
}
