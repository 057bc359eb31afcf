import { type ChildProcess, spawn } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { Readable, Writable } from 'node:stream';
import { limitSignal } from '../../deadline.js';
import type { Logger } from '../../logger.js';
import { browserUserAgent } from '../emulation/client-hints.js';
import { launchError } from '../protocol/network-errors.js';
import { createPipeTransport } from '../protocol/pipe-transport.js';
import { runProgram } from './run-program.js';
import type { CertificateDatabase } from './certificate-authorities.js';
import { type FoundBrowser, readVersion } from './executable.js';
import { killBrowser } from './system-processes.js';
import { createPrivateFolder } from './private-folder.js';
import { resolveLaunchUser } from './launch-user.js';
import { type BrowserProcess, type LaunchedBrowser, ownBrowser } from './browser-process.js';
import { listSwitches } from './switches.js';

export interface LaunchOptions {
  readonly browser: FoundBrowser;
  readonly noSandbox: boolean;
  readonly switches: readonly string[];
  /** Undefined: only the browser's own authorities are trusted. */
  readonly certificates?: CertificateDatabase | undefined;
  /** Cancels a launch in progress. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Together less than a render's default timeout, so that the error can say why no browser started. */
const LAUNCH_MS = 20_000;
const PRINTING_MS = 5_000;

/** Starts a browser over a pipe, with its own profile folder. Throws `browser_unavailable`. */
export async function launchBrowser(options: LaunchOptions): Promise<BrowserProcess> {
  const { browser, noSandbox, signal } = options;
  const [privileges, version] = await Promise.all([
    resolveLaunchUser(browser.path, { noSandbox }),
    readVersion(browser.path, browser.libraries),
  ]);
  signal.throwIfAborted();
  const folder = await createPrivateFolder(privileges.owner);
  try {
    await options.certificates?.install(folder);
    const switches = listSwitches({
      variant: browser.variant,
      profileFolder: folder.path,
      userAgent: version === undefined ? undefined : browserUserAgent(version),
      sandbox: privileges.sandbox,
      sharedMemory: await sharedMemory(),
      extra: options.switches,
    });
    const [command = browser.path, ...args] = [...privileges.prefix, browser.path, ...switches];
    const env = environment(folder.path, browser.libraries);
    const launched = await start({ command, args, env, folder: folder.path, signal }, options.log);
    return await ownBrowser(launched, { folder, log: options.log });
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  /** The profile's. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Its output is discarded: it includes the consoles of pages. */
async function start({ command, args, env, folder, signal }: Command, log: Logger): Promise<LaunchedBrowser> {
  const child = spawn(command, args, {
    env,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  endWithUs(child, folder);
  const kill = () => {
    killBrowser(child.pid, folder);
  };
  using limit = limitSignal(signal, LAUNCH_MS);
  const late = limit.signal;
  late.addEventListener('abort', kill, { once: true });
  try {
    const failed = new Promise<never>((_resolve, reject) => child.once('error', reject));
    // Without file descriptors left there are none, whatever the type says, and the error follows.
    const pipes: readonly unknown[] = Array.isArray(child.stdio) ? child.stdio : [];
    if (pipes.length === 0) return await failed;
    const [, , , write, read] = pipes;
    if (!(write instanceof Writable) || !(read instanceof Readable)) throw new Error('the browser has no pipes');
    const transport = createPipeTransport({
      ...{ write, read },
      refused: (event, bytes) => {
        log.warn({ bytes, event }, 'a message from the browser is too long and is dropped');
      },
    });
    // Loaded while the browser starts.
    const connected = import('puppeteer-core').then(({ default: puppeteer }) =>
      puppeteer.connect({ transport, protocolTimeout: LAUNCH_MS, defaultViewport: null }),
    );
    return { browser: await Promise.race([connected, failed]), child };
  } catch (error) {
    kill();
    signal.throwIfAborted();
    const cause = late.aborted ? new Error(`the browser did not respond within ${String(LAUNCH_MS / 1000)} s`) : error;
    const printed = await printedBy({ command, args, env, signal });
    signal.throwIfAborted();
    throw launchError(printed, cause);
  } finally {
    late.removeEventListener('abort', kill);
  }
}

/** With their profile folders. */
const children = new Map<ChildProcess, string>();

function killAll(): void {
  for (const [{ pid }, folder] of children) killBrowser(pid, folder);
}

/** Browsers end with this process; if it is killed, they end because their pipes close. */
function endWithUs(child: ChildProcess, folder: string): void {
  if (children.size === 0) process.once('exit', killAll);
  children.set(child, folder);
  const forget = () => {
    children.delete(child);
    if (children.size === 0) process.off('exit', killAll);
  };
  child.once('exit', forget).once('error', forget);
}

/** Starts the same command again without the pipe, to read its output before it fails. */
async function printedBy({ command, args, env, signal }: Omit<Command, 'folder'>): Promise<string> {
  const plain = args.filter((arg) => arg !== '--remote-debugging-pipe' && arg !== '--no-startup-window');
  return (await runProgram(command, [...plain, '--dump-dom', 'about:blank'], { env, timeoutMs: PRINTING_MS, signal })).stderr;
}

/** The environment variables the browser needs, without the server's settings and secrets. */
function environment(folder: string, libraries: string | undefined): Record<string, string> {
  const passed = ['PATH', 'TZ', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH', 'LD_LIBRARY_PATH', 'SystemRoot'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const own = { HOME: folder, TMPDIR: folder, TEMP: folder, TMP: folder, LANG: 'C.UTF-8', DBUS_SESSION_BUS_ADDRESS: 'disabled:' };
  return { ...Object.fromEntries(passed), ...own, ...(libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries }) };
}

async function sharedMemory(): Promise<number | undefined> {
  const facts = await statfs('/dev/shm').catch(() => undefined);
  return facts && facts.bavail * facts.bsize;
}
