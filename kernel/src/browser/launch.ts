import { spawn } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import type { Browser } from 'puppeteer-core';
import type { Logger } from '../logger.js';
import { browserUserAgent } from './client-hints.js';
import { type FoundBrowser, readVersion } from './executable.js';
import { launchError } from './network-errors.js';
import { createPrivateFolder } from './private-folder.js';
import { choosePrivileges } from './privileges.js';
import { type BrowserProcess, ownBrowser } from './process.js';
import { listSwitches } from './switches.js';

export interface LaunchOptions {
  readonly browser: FoundBrowser;
  readonly noSandbox: boolean;
  readonly switches: readonly string[];
  /** Ends a launch under way. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

const LAUNCH_MS = 30_000;

/** Starts a browser over a pipe, in a profile folder of its own. Throws `browser_unavailable`. */
export async function launchBrowser(options: LaunchOptions): Promise<BrowserProcess> {
  const { browser, noSandbox, signal } = options;
  const [privileges, version] = await Promise.all([
    choosePrivileges(browser.path, { noSandbox }),
    readVersion(browser.path, browser.libraries),
  ]);
  signal.throwIfAborted();
  const folder = await createPrivateFolder(privileges.owner);
  try {
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
    const launched = await start({ command, args, env, signal });
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
  readonly signal: AbortSignal;
}

async function start({ command, args, env, signal }: Command): Promise<Browser> {
  const { default: puppeteer } = await import('puppeteer-core');
  const controller = new AbortController();
  const abort = () => {
    controller.abort();
  };
  const timer = setTimeout(abort, LAUNCH_MS);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await puppeteer.launch({
      executablePath: command,
      args: [...args],
      ignoreDefaultArgs: true,
      env,
      pipe: true,
      waitForInitialPage: false,
      protocolTimeout: LAUNCH_MS,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      signal: controller.signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw launchError(await printedBy({ command, args, env, signal }), error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** Starts the same command once more without the pipe, to read what it prints before it gives up. */
async function printedBy({ command, args, env, signal }: Command): Promise<string> {
  const plain = args.filter((arg) => arg !== '--remote-debugging-pipe' && arg !== '--no-startup-window');
  const child = spawn(command, [...plain, '--dump-dom', 'about:blank'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 5000,
    killSignal: 'SIGKILL',
    signal,
  });
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-16_384);
  });
  await new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  return printed;
}

/** What the browser needs to know of the host, and nothing of the server's own settings and secrets. */
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
