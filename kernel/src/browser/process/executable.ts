import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { INSTALLATION } from '../../installation.js';
import { runProgram, type RunOptions } from './run-program.js';
import type { BrowserVariant } from './contract.js';
import { NOBODY } from './launch-user.js';

/** How a browser was found, in search order. */
export type BrowserSource = 'flag' | 'environment' | 'puppeteer cache' | 'system' | 'npm';

export interface FoundBrowser {
  readonly variant: BrowserVariant;
  /** The binary itself, not the shell script that a distribution puts in front of it. */
  readonly path: string;
  readonly source: BrowserSource;
  /** Folder of the shared libraries bundled with the browser, added to `LD_LIBRARY_PATH`. */
  readonly libraries?: string;
}

export interface FoundBrowsers {
  readonly shell?: FoundBrowser;
  readonly full?: FoundBrowser;
}

export interface FindOptions {
  /** The operator's `--browser-path`; if set, no other browser is searched for. */
  readonly browserPath?: string;
  /** Folder with `.runtime/chromium/`, the browser installed by npm. Default: the folder of this installation. */
  readonly installation?: string;
  readonly env?: NodeJS.ProcessEnv;
}

const VARIANTS: readonly BrowserVariant[] = ['shell', 'full'];

/** Looks for a headless shell and a full Chromium; each is the first found in the order of `BrowserSource`. */
export async function findBrowsers({
  browserPath,
  installation = INSTALLATION,
  env = process.env,
}: FindOptions = {}): Promise<FoundBrowsers> {
  if (browserPath !== undefined) return named(browserPath, 'flag');
  const fromEnvironment = env['PUPPETEER_EXECUTABLE_PATH'];
  if (fromEnvironment !== undefined && fromEnvironment !== '') return named(fromEnvironment, 'environment');
  const found: { shell?: FoundBrowser; full?: FoundBrowser } = {};
  const places = [
    () => inPuppeteerCache(env['PUPPETEER_CACHE_DIR'] ?? join(homedir(), '.cache', 'puppeteer')),
    () => inSystem(env['PATH'] ?? ''),
    () => fromNpm(join(installation, '.runtime', 'chromium')),
  ];
  for (const place of places) {
    for (const browser of await place()) found[browser.variant] ??= browser;
    if (found.shell && found.full) break;
  }
  return found;
}

/** The browser for a variant: if only one of the two exists, it is used for both. */
export function browserFor(found: FoundBrowsers, variant: BrowserVariant): FoundBrowser | undefined {
  return found[variant] ?? found.shell ?? found.full;
}

const VERSION_MS = 10_000;

/** By the path of the browser. */
const ahead = new Map<string, Promise<string | undefined>>();

/** Reads the version that the next launch needs, in the background. */
export function readVersionAhead(browserPath: string | undefined): void {
  const read = async () => {
    const { shell } = await findBrowsers(browserPath === undefined ? {} : { browserPath });
    if (shell !== undefined)
      ahead.set(
        shell.path,
        askVersion(shell.path, shell.libraries).catch(() => undefined),
      );
  };
  read().catch(() => undefined);
}

/** The version printed by the binary, such as `156.0.8078.79`; undefined if it does not start. */
export function readVersion(path: string, libraries?: string): Promise<string | undefined> {
  const known = ahead.get(path);
  ahead.delete(path);
  return known ?? askVersion(path, libraries);
}

async function askVersion(path: string, libraries: string | undefined): Promise<string | undefined> {
  // Chrome for Windows opens a window instead of printing.
  if (process.platform === 'win32') return undefined;
  // Without the server's settings and secrets, and unprivileged if the unprivileged user can execute the binary, as for rendering.
  const env = { PATH: process.env['PATH'], ...(libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries }) };
  const ask = async (options: Pick<RunOptions, 'identity'>) => {
    const { stdout, late } = await runProgram(path, ['--version'], { env, timeoutMs: VERSION_MS, ...options });
    return { version: /\d+(?:\.\d+){3}/.exec(stdout)?.[0], late };
  };
  const asRoot = process.getuid?.() === 0;
  const { version, late } = await ask(asRoot ? { identity: NOBODY } : {});
  // If the unprivileged user cannot access the binary, root runs it; not if it hangs.
  return version === undefined && asRoot && !late ? (await ask({})).version : version;
}

/** A browser that cannot run. Clients may see everything except the path. */
export interface NamedFault {
  /** The setting that selects the browser. */
  readonly where: string;
  readonly path: string;
  readonly fault: string;
}

/** The problem with the executable set by the operator. Undefined if none is set, or its file is usable. */
export async function faultOfNamed({ browserPath, env = process.env }: FindOptions): Promise<NamedFault | undefined> {
  const [where, path = ''] =
    browserPath === undefined ? ['PUPPETEER_EXECUTABLE_PATH', env['PUPPETEER_EXECUTABLE_PATH']] : ['--browser-path', browserPath];
  if (path === '' || (await isExecutable(path))) return undefined;
  const found = await stat(path).catch(() => undefined);
  const fault = found === undefined ? 'there is no such file' : found.isFile() ? 'it is not executable' : 'it is not a file';
  return { where, path, fault };
}

async function named(path: string, source: BrowserSource): Promise<FoundBrowsers> {
  if (!(await isExecutable(path))) return {};
  const variant = variantOf(path);
  return { [variant]: { variant, path, source } };
}

function variantOf(path: string): BrowserVariant {
  return /headless[-_]shell/i.test(basename(path)) ? 'shell' : 'full';
}

/** `<cache>/chrome/linux-156.0.8078.79/chrome-linux64/chrome`, the layout of puppeteer's installer. */
async function inPuppeteerCache(cache: string): Promise<readonly FoundBrowser[]> {
  const products = { shell: 'chrome-headless-shell', full: 'chrome' } as const;
  const found = await Promise.all(
    VARIANTS.map(async (variant): Promise<FoundBrowser | undefined> => {
      const product = join(cache, products[variant]);
      const versions = (await list(product)).sort(compareNewestFirst);
      for (const version of versions) {
        for (const build of await list(join(product, version))) {
          const path = join(product, version, build, binaryOf(variant));
          if (await isExecutable(path)) return { variant, path, source: 'puppeteer cache' };
        }
      }
      return undefined;
    }),
  );
  return found.filter((browser) => browser !== undefined);
}

function binaryOf(variant: BrowserVariant): string {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  if (variant === 'shell') return `chrome-headless-shell${suffix}`;
  const name = 'Google Chrome for Testing';
  return process.platform === 'darwin' ? join(`${name}.app`, 'Contents', 'MacOS', name) : `chrome${suffix}`;
}

function compareNewestFirst(a: string, b: string): number {
  return b.localeCompare(a, 'en', { numeric: true });
}

/** Install locations of distributions and vendors; the names at the end are looked up in `PATH`. */
const SYSTEM: Readonly<Record<BrowserVariant, readonly string[]>> = {
  shell: [
    '/usr/lib/chromium/chromium-headless-shell',
    '/usr/lib64/chromium-browser/headless_shell',
    '/usr/lib/chromium-browser/headless_shell',
    'chrome-headless-shell',
    'headless_shell',
  ],
  full: [
    '/opt/google/chrome/chrome',
    '/usr/lib/chromium/chromium',
    '/usr/lib64/chromium-browser/chromium-browser',
    '/usr/lib/chromium-browser/chromium-browser',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
    'google-chrome',
    'google-chrome-stable',
    'chromium',
    'chromium-browser',
  ],
};

async function inSystem(searchPath: string): Promise<readonly FoundBrowser[]> {
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '');
  const found = await Promise.all(
    VARIANTS.map(async (variant): Promise<FoundBrowser | undefined> => {
      const paths = SYSTEM[variant].flatMap((path) => (/[\\/]/.test(path) ? [path] : folders.map((folder) => join(folder, path))));
      for (const path of paths) if (await isExecutable(path)) return { variant, path, source: 'system' };
      return undefined;
    }),
  );
  return found.filter((browser) => browser !== undefined);
}

/** The headless shell that the setup unpacked from an npm package, with the shared libraries that a bare system lacks. */
async function fromNpm(folder: string): Promise<readonly FoundBrowser[]> {
  const path = join(folder, 'chromium');
  if (!(await isExecutable(path))) return [];
  const libraries = join(folder, 'lib');
  const bundled = await isFolder(libraries);
  return [{ variant: 'shell', path, source: 'npm', ...(bundled ? { libraries } : {}) }];
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

async function list(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** Whether the path is a file that this process may run. */
export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
