import type { CertificateDatabase } from './certificate-authorities.js';
import type { FoundBrowser } from './executable.js';
import { watchHealth } from './health.js';
import { BrowserInstance, type BrowserInstanceOptions } from './browser-instance.js';
import { launchBrowser } from './launch.js';

export interface InstanceLaunch extends Omit<BrowserInstanceOptions, 'process' | 'beginFrames'> {
  readonly browser: FoundBrowser;
  readonly switches: readonly string[];
  readonly noSandbox: boolean;
  readonly certificates: CertificateDatabase | undefined;
  readonly heartbeatMs: number;
  readonly memoryLimit: number;
  /** Cancels a launch in progress. */
  readonly signal: AbortSignal;
  /** The process exited unexpectedly: it crashed, hung, or was killed externally. */
  readonly onLost: (instance: BrowserInstance) => void;
  /** The browser has exceeded its memory limit. */
  readonly onMemoryLimit: (instance: BrowserInstance) => void;
}

export interface LaunchedInstance {
  readonly instance: BrowserInstance;
  /** Resolves when its process, contexts and folder are gone. */
  readonly closed: Promise<void>;
}

const BEGIN_FRAMES = '--enable-begin-frame-control';

/** Starts a browser, watches over it, and clears up when it ends for whatever reason. */
export async function launchInstance(options: InstanceLaunch): Promise<LaunchedInstance> {
  const { browser, switches, signal, log, heartbeatMs, memoryLimit } = options;
  const process = await launchBrowser(options);
  if (signal.aborted) {
    await process.close();
    signal.throwIfAborted();
  }
  const { pid, version } = process;
  log.info({ pid, version, variant: browser.variant, source: browser.source }, 'browser started');
  const instance = new BrowserInstance({ ...options, process, beginFrames: switches.includes(BEGIN_FRAMES) });
  const unwatch = watchHealth({
    process,
    intervalMs: heartbeatMs,
    memoryLimit,
    onHang() {
      log.error({ pid }, 'the browser hangs and is killed');
      process.kill();
    },
    onMemoryLimit(bytes) {
      log.info({ pid, bytes }, 'the browser has grown past its memory mark');
      options.onMemoryLimit(instance);
    },
  });
  const closed = process.exited.then((exit) => {
    unwatch();
    if (!instance.closing) {
      log.error({ pid, exit }, 'the browser ended by itself');
      options.onLost(instance);
    }
    return instance.close();
  });
  return { instance, closed };
}
