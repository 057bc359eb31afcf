import type { CertificateDatabase } from './certificate-authorities.js';
import type { FoundBrowser } from './executable.js';
import { watchHealth } from './health.js';
import { Host, type HostOptions } from './host.js';
import { launchBrowser } from './launch.js';

export interface HostLaunch extends Omit<HostOptions, 'process' | 'beginFrames'> {
  readonly browser: FoundBrowser;
  readonly switches: readonly string[];
  readonly noSandbox: boolean;
  readonly certificates: CertificateDatabase | undefined;
  readonly heartbeatMs: number;
  readonly memoryMark: number;
  /** Ends a launch under way. */
  readonly signal: AbortSignal;
  /** The process ended without having been told to: it crashed, hung, or was killed from outside. */
  readonly lost: (host: Host) => void;
  /** The browser has grown past its memory mark. */
  readonly heavy: (host: Host) => void;
}

export interface LaunchedHost {
  readonly host: Host;
  /** Resolves when all of it is gone: process, contexts, folder. */
  readonly closed: Promise<void>;
}

const BEGIN_FRAMES = '--enable-begin-frame-control';

/** Starts a browser, watches over it, and clears up when it ends for whatever reason. */
export async function launchHost(options: HostLaunch): Promise<LaunchedHost> {
  const { browser, switches, signal, log, heartbeatMs, memoryMark } = options;
  const process = await launchBrowser(options);
  if (signal.aborted) {
    await process.close();
    signal.throwIfAborted();
  }
  const { pid, version } = process;
  log.info({ pid, version, variant: browser.variant, source: browser.source }, 'browser started');
  const host = new Host({ ...options, process, beginFrames: switches.includes(BEGIN_FRAMES) });
  const unwatch = watchHealth({
    process,
    intervalMs: heartbeatMs,
    memoryMark,
    hung() {
      log.error({ pid }, 'the browser hangs and is killed');
      process.kill();
    },
    heavy(bytes) {
      log.info({ pid, bytes }, 'the browser has grown past its memory mark');
      options.heavy(host);
    },
  });
  const closed = process.exited.then((exit) => {
    unwatch();
    if (!host.closing) {
      log.error({ pid, exit }, 'the browser ended by itself');
      options.lost(host);
    }
    return host.close();
  });
  return { host, closed };
}
