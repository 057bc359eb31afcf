import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type CollectedAssets, findBrowsers, isPlatenError, NO_ASSETS } from '@platen/kernel';
import type { PlaywrightTestConfig } from '@playwright/test';
import { openModelServer } from '../../../helpers/model-server.js';
import { navigatorScript, type Turn } from '../../../helpers/navigator-script.js';
import type { NavigatorHost } from '../navigate/open-host.js';

const MODULES = fileURLToPath(new URL('../../../../node_modules', import.meta.url));

export interface Recorded {
  readonly playwright: string;
  readonly puppeteer: string;
  /** Code of the render's error. */
  readonly error: string | undefined;
}

/** Navigates by these turns, and returns the scripts. */
export async function recordScripts(
  host: Pick<NavigatorHost, 'render'>,
  turns: readonly Turn[],
  params: Readonly<Record<string, unknown>>,
): Promise<Recorded> {
  const { script } = navigatorScript(turns);
  await using server = await openModelServer('openai', script);
  const navigator = { navigate: 'Reach the goal.', navigator_type: [server.connection({ key: 'sk-test-key' })] };
  const asked = { with_navigator_playwright: true, with_navigator_puppeteer: true };
  let assets: CollectedAssets = NO_ASSETS;
  let error: string | undefined;
  try {
    ({ assets } = await host.render({ ...navigator, ...asked, ...params }));
  } catch (failure) {
    if (!isPlatenError(failure)) throw failure;
    ({ assets = NO_ASSETS } = failure);
    error = `${failure.code}: ${failure.message}`;
  }
  const read = async (name: string) => {
    const asset = assets.kept.find((one) => one.name === name);
    return asset === undefined ? '' : (await buffer(asset.open())).toString();
  };
  return { playwright: await read('navigator-playwright'), puppeteer: await read('navigator-puppeteer'), error };
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Beside the script, in `files`. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface Ran {
  readonly code: number;
  readonly output: string;
}

/** Runs a script in a browser of its own. */
export async function runScript(form: 'playwright' | 'puppeteer', source: string, { env = {}, files = {} }: RunOptions = {}): Promise<Ran> {
  const { shell, full } = await findBrowsers();
  const executablePath = (shell ?? full)?.path ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'platen-scripts-'));
  try {
    await symlink(MODULES, join(folder, 'node_modules'));
    await mkdir(join(folder, 'files'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'files', name), text);
    const file = form === 'playwright' ? 'replay.spec.ts' : 'replay.mjs';
    await writeFile(join(folder, file), source);
    // As root there is no sandbox to be had for a browser that is started so.
    const launchOptions = { executablePath, args: ['--no-sandbox'] };
    const config: PlaywrightTestConfig = { testDir: '.', workers: 1, reporter: 'line', use: { launchOptions } };
    await writeFile(join(folder, 'playwright.config.mjs'), `export default ${JSON.stringify(config)};`);
    const args = form === 'playwright' ? [createRequire(import.meta.url).resolve('@playwright/test/cli'), 'test'] : [file];
    const own = { PUPPETEER_EXECUTABLE_PATH: executablePath, PUPPETEER_DANGEROUS_NO_SANDBOX: 'true', FORCE_COLOR: '0' };
    return await new Promise((resolve) => {
      execFile(
        process.execPath,
        args,
        { cwd: folder, env: { ...process.env, ...own, ...env }, timeout: 120_000 },
        (error, stdout, stderr) => {
          resolve({ code: error === null ? 0 : 1, output: stdout + stderr });
        },
      );
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
