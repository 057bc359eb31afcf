import { spawn } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import type { Browser } from 'puppeteer';
import { PlatenError } from '../errors.js';
import type { Logger } from '../logger.js';
import { browserUserAgent } from './client-hints.js';
import { type FoundBrowser, readVersion } from './executable.js';
import { launchError } from './network-errors.js';
import { createPrivateFolder } from './private-folder.js';
import { choosePrivileges } from './privileges.js';
import { createSessionKeeper, type ManagedSession, type SessionKeeper } from './protocol-session.js';
import { listSwitches } from './switches.js';
import { createTargetRouter, type TargetRouter } from './target-router.js';

export interface LaunchOptions {
  readonly browser: FoundBrowser;
  readonly noSandbox: boolean;
  readonly switches: readonly string[];
  /** Ends a launch under way. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** One running browser. */
export interface BrowserProcess {
  readonly pid: number;
  /** The user agent of its pages, without any word of being headless. */
  readonly userAgent: string;
  /** `156.0.8078.79` */
  readonly version: string;
  /** The one session on the browser itself. */
  readonly root: ManagedSession;
  readonly router: TargetRouter;
  readonly sessions: SessionKeeper;
  /** True from the moment in which the process, or the pipe to it, is gone. */
  readonly gone: boolean;
  /** Resolves when the process has exited, with its exit code or signal. */
  readonly exited: Promise<number | string>;
  /** SIGKILL to the browser and all its processes. */
  kill(): void;
  /** Ends it: asked, then told, then killed. Afterwards no process and no folder of it is left. */
  close(): Promise<void>;
}

const LAUNCH_MS = 30_000;
/** How long each stage of closing may take before the next, harder one. */
const CLOSE_STAGE_MS = 1000;

/** Starts a browser over a pipe, in a profile folder of its own. Throws `browser_unavailable`. */
export async function launchBrowser(options: LaunchOptions): Promise<BrowserProcess> {
  const { browser, noSandbox, signal } = options;
  const [privileges, version] = await Promise.all([choosePrivileges(browser.path, noSandbox), readVersion(browser.path, browser.libraries)]);
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
    return await adopt(launched, folder.remove, options);
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
  const { default: puppeteer } = await import('puppeteer');
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
  const child = spawn(command, [...plain, '--dump-dom', 'about:blank'], { env, stdio: ['ignore', 'ignore', 'pipe'], timeout: 5000, killSignal: 'SIGKILL', signal });
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-16_384);
  });
  await new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  return printed;
}

async function adopt(browser: Browser, removeFolder: () => Promise<void>, { log }: LaunchOptions): Promise<BrowserProcess> {
  const child = browser.process();
  const pid = child?.pid;
  if (!child || pid === undefined) throw new PlatenError('browser_unavailable', 'the browser ended as it started');
  const exited = new Promise<number | string>((resolve) => {
    const done = () => {
      resolve(child.exitCode ?? child.signalCode ?? 'unknown');
    };
    if (child.exitCode !== null || child.signalCode !== null) done();
    else child.once('exit', done);
  });
  const kill = () => {
    killGroup(pid);
  };
  try {
    const rawRoot = await browser.target().createCDPSession();
    const connection = rawRoot.connection();
    if (!connection) throw browserGone();
    const sessions = createSessionKeeper(connection, log);
    browser.once('disconnected', () => {
      sessions.endAll(browserGone());
      // Without its pipe it ends by itself; if it does not, it hangs.
      void settlesWithin(exited, CLOSE_STAGE_MS).then((ended) => {
        if (!ended) kill();
      });
    });
    const root = sessions.keep(rawRoot, browserGone);
    // Puppeteer's own target manager would resume shared workers and popups before they are configured: it is put to sleep.
    await connection.send('Target.setAutoAttach', { autoAttach: false, waitForDebuggerOnStart: false, flatten: true });
    await connection.send('Target.setDiscoverTargets', { discover: false });
    const router = await createTargetRouter(rawRoot, connection);
    const { product } = await root.send('Browser.getVersion');
    const version = /\d+(?:\.\d+)*/.exec(product)?.[0] ?? '0';
    let closing: Promise<void> | undefined;
    return {
      pid,
      version,
      userAgent: browserUserAgent(version),
      root,
      router,
      sessions,
      get gone() {
        return !browser.connected || child.exitCode !== null || child.signalCode !== null;
      },
      exited,
      kill,
      close: () => (closing ??= end({ root, exited, pid }).finally(removeFolder)),
    };
  } catch (error) {
    kill();
    await exited;
    throw error;
  }
}

function browserGone(): PlatenError {
  return new PlatenError('browser_unavailable', 'the browser is gone', { retryable: true, retry_after: 1 });
}

async function end({ root, exited, pid }: { readonly root: ManagedSession; readonly exited: Promise<unknown>; readonly pid: number }): Promise<void> {
  root.send('Browser.close', undefined, { timeoutMs: CLOSE_STAGE_MS }).catch(() => undefined);
  if (!(await settlesWithin(exited, CLOSE_STAGE_MS * 2))) {
    signalProcess(pid, 'SIGTERM');
    await settlesWithin(exited, CLOSE_STAGE_MS);
  }
  // Also after an orderly exit: a renderer that was stopped does not notice that its browser is gone.
  killGroup(pid);
  await exited;
}

async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Puppeteer makes the browser the leader of a process group of its own. */
function killGroup(pid: number): void {
  signalProcess(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
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
