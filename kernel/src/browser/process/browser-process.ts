import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { withTimeout } from '../../deadline.js';
import { PlatenError } from '../../errors.js';
import type { Logger } from '../../logger.js';
import { killBrowser, listZygotes, readCommand, signalProcess, type WatchedProcess, watchProcess } from './system-processes.js';
import { browserUserAgent } from '../emulation/client-hints.js';
import type { PrivateFolder } from './private-folder.js';
import { createSessionRegistry, type ClosableSession, type SessionRegistry } from '../protocol/protocol-session.js';
import type { RawBrowser } from '../protocol/raw-session.js';
import { createTargetRouter, type TargetRouter } from '../protocol/target-router.js';

/** One running browser. */
export interface BrowserProcess {
  readonly pid: number;
  /** The user agent of its pages, without any word of being headless. */
  readonly userAgent: string;
  /** `156.0.8078.79` */
  readonly version: string;
  /** Its profile folder, which is removed with it. */
  readonly folder: PrivateFolder;
  /** The one session on the browser itself. */
  readonly root: ClosableSession;
  readonly router: TargetRouter;
  readonly sessions: SessionRegistry;
  readonly network: NetworkService;
  /** True once the process, its pipe, its network service or a zygote has ended; the browser is then killed. */
  readonly gone: boolean;
  /** Resolves when the process has exited, with its exit code or signal. */
  readonly exited: Promise<number | string>;
  /** SIGKILL to the browser and all its processes. */
  kill(): void;
  /** Ends the browser: close request, then termination, then kill. Afterwards none of its processes and folders remain. */
  close(): Promise<void>;
}

/** How long each stage of closing may take before the next, more forceful one. */
const CLOSE_STAGE_MS = 1000;

export interface OwnOptions {
  readonly folder: PrivateFolder;
  readonly log: Logger;
}

export interface LaunchedBrowser {
  readonly browser: RawBrowser;
  /** The leader of its own process group. */
  readonly child: ChildProcess;
}

/** Attaches to a newly started browser; puppeteer only transports messages. */
export async function ownBrowser({ browser, child }: LaunchedBrowser, { folder, log }: OwnOptions): Promise<BrowserProcess> {
  const { pid } = child;
  if (pid === undefined) throw browserDisconnectedError();
  const exited = exitOf(child);
  const kill = () => {
    killBrowser(pid, folder.path);
  };
  try {
    const { root, router, sessions } = await takeOver(browser, log);
    browser.once('disconnected', () => {
      sessions.endAll(browserDisconnectedError());
      // Without its pipe it ends by itself; if it does not, it hangs.
      void withTimeout(exited, CLOSE_STAGE_MS).then((exit) => {
        if (exit === undefined) kill();
      });
    });
    const { product } = await root.send('Browser.getVersion');
    const version = /\d+(?:\.\d+)*/.exec(product)?.[0] ?? '0';
    const network = followNetworkService(root, log);
    // Without them no page can be opened: every page crashes as it starts.
    const zygotes = listZygotes(pid).flatMap((zygote) => watchProcess(zygote) ?? []);
    let closing: Promise<void> | undefined;
    return {
      ...{ pid, folder, version, userAgent: browserUserAgent(version), root, router, sessions, network, exited, kill },
      get gone() {
        if (!browser.connected || hasExited(child)) return true;
        if (closing !== undefined || !(network.ended || zygotes.some(({ ended }) => ended))) return false;
        kill();
        return true;
      },
      close: () => (closing ??= end({ root, exited, pid, folder })),
    };
  } catch (error) {
    kill();
    await exited;
    throw error;
  }
}

async function takeOver(browser: RawBrowser, log: Logger): Promise<Pick<BrowserProcess, 'root' | 'router' | 'sessions'>> {
  const raw = await browser.target().createCDPSession();
  const connection = raw.connection();
  if (!connection) throw browserDisconnectedError();
  // Puppeteer's own target manager would resume shared workers and popups before they are configured, so it is disabled.
  await connection.send('Target.setAutoAttach', { autoAttach: false, waitForDebuggerOnStart: false, flatten: true });
  await connection.send('Target.setDiscoverTargets', { discover: false });
  const sessions = createSessionRegistry(connection, log);
  const root = sessions.keep(raw, browserDisconnectedError);
  return { root, sessions, router: await createTargetRouter(raw, connection) };
}

function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function exitOf(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve) => {
    const done = () => {
      resolve(child.exitCode ?? child.signalCode ?? 'unknown');
    };
    if (hasExited(child)) done();
    else child.once('exit', done);
  });
}

/** The error of calls to a browser that has exited. */
export function browserDisconnectedError(): PlatenError {
  return new PlatenError('browser_unavailable', 'the browser is gone', { retryable: true, retry_after: 1 });
}

type Ending = Pick<BrowserProcess, 'root' | 'exited' | 'pid' | 'folder'>;

async function end({ root, exited, pid, folder }: Ending): Promise<void> {
  root.send('Browser.close', undefined, { timeoutMs: CLOSE_STAGE_MS }).catch(() => undefined);
  if ((await withTimeout(exited, CLOSE_STAGE_MS * 2)) === undefined) {
    signalProcess(pid, 'SIGTERM');
    await withTimeout(exited, CLOSE_STAGE_MS);
  }
  // Also after an orderly exit: a stopped renderer does not notice that its browser has exited.
  killBrowser(pid, folder.path);
  await exited;
  await folder.remove();
}

/** Chromium's network service: a separate process that all browser contexts share. */
interface NetworkService {
  /** True once it has ended. Chromium starts another, but existing contexts have lost their proxy. */
  readonly ended: boolean;
  /**
   * Finds the process if it is not known yet. It starts soon after a browser context is created, and counts as alive until it is found.
   * Only Linux can identify it; elsewhere it always counts as alive.
   */
  look(): void;
}

/** Milliseconds between looks while the browser is still starting it. */
const LOOKS_AFTER_MS = [50, 100, 200, 400, 800, 1600, 3200];

const ITS_SWITCH = '--utility-sub-type=network.mojom.NetworkService';

export function followNetworkService(root: Pick<ClosableSession, 'send'>, log: Logger): NetworkService {
  let service: WatchedProcess | undefined;
  let isLooking = false;
  return {
    get ended() {
      return service?.ended === true;
    },
    look() {
      if (service !== undefined || isLooking || process.platform !== 'linux') return;
      isLooking = true;
      find(root)
        .then(
          (found) => {
            service = found;
            if (found !== undefined) log.debug({ network_pid: found.pid }, 'the network service is found');
          },
          // The browser has already exited.
          () => undefined,
        )
        .finally(() => (isLooking = false));
    },
  };
}

async function find(root: Pick<ClosableSession, 'send'>): Promise<WatchedProcess | undefined> {
  for (const ms of [0, ...LOOKS_AFTER_MS]) {
    if (ms > 0) await delay(ms, undefined, { ref: false });
    const { processInfo } = await root.send('SystemInfo.getProcessInfo');
    const found = processInfo.map(({ id }) => id).find((id) => readCommand(id).includes(ITS_SWITCH));
    if (found !== undefined) return watchProcess(found);
  }
  return undefined;
}
