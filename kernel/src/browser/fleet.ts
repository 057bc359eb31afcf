import type { Egress } from '../egress/index.js';
import { PlatenError } from '../errors.js';
import type { Logger } from '../logger.js';
import type { BrowserNeeds, BrowserVariant } from './contract.js';
import { browserFor, type FoundBrowser, type FoundBrowsers } from './executable.js';
import { watchHealth } from './health.js';
import { createHost, type Host } from './host.js';
import { sweepPrivateFolders } from './private-folder.js';
import { launchBrowser } from './process.js';
import { createWorkLog } from './work-log.js';

/** All browsers of one pool: one for each binary that all renders share, and those of single renders. */
export interface Fleet {
  readonly browsers: number;
  readonly warm: number;
  /** How many browsers were replaced because they crashed or hung. */
  readonly restarts: number;
  /** The shared browser that serves the variant, started where there is none. */
  shared(variant: BrowserVariant): Promise<Host>;
  /** A browser for one render, closed by retiring it. */
  exclusive(needs: BrowserNeeds): Promise<Host>;
  /** Replaces a shared browser: the old one serves until the new one stands. */
  renew(host: Host): void;
  close(reason: Error): Promise<void>;
}

export interface FleetOptions {
  readonly find: () => Promise<FoundBrowsers>;
  readonly egress: Egress;
  readonly log: Logger;
  readonly noSandbox: boolean;
  readonly warm: number;
  readonly mayWarm: () => boolean;
  readonly recycleMemoryBytes: number;
  readonly heartbeatMs: number;
}

const BEGIN_FRAMES = '--enable-begin-frame-control';
/** After a failed renewal the old browser serves on for this long before the next try. */
const RENEWAL_PAUSE_MS = 60_000;
/** Browsers that end while a render is on its way to them are replaced this many times for it. */
const MAX_STARTS = 3;

export function createFleet(options: FleetOptions): Fleet {
  const { log } = options;
  /** By the binary's path; the promise is there from the start of the launch on. */
  const standing = new Map<string, Promise<Host>>();
  const sharedBy = new Map<Host, FoundBrowser>();
  const hosts = new Set<Host>();
  const work = createWorkLog();
  const closed = new AbortController();
  let found: Promise<FoundBrowsers> | undefined;
  let plainPath: string | undefined;
  let renewableAt = 0;
  let restarts = 0;

  const find = async (variant: BrowserVariant): Promise<FoundBrowser> => {
    found ??= work.track(sweepPrivateFolders()).then(options.find);
    const browser = browserFor(await found, variant);
    plainPath = browserFor(await found, 'shell')?.path;
    if (browser) return browser;
    found = undefined;
    throw new PlatenError('browser_unavailable', 'no browser was found: install Chromium or its headless shell, or name one with --browser-path', { retry_after: 60 });
  };

  const launch = async (browser: FoundBrowser, switches: readonly string[], warm: number): Promise<Host> => {
    closed.signal.throwIfAborted();
    const process = await launchBrowser({ browser, noSandbox: options.noSandbox, switches, signal: closed.signal, log });
    const { pid, version } = process;
    log.info({ pid, version, variant: browser.variant, source: browser.source }, 'browser started');
    const host: Host = createHost({
      ...{ process, egress: options.egress, log, warm, mayWarm: options.mayWarm, beginFrames: switches.includes(BEGIN_FRAMES) },
      lost: (exit) => {
        log.error({ pid, exit }, 'the browser ended by itself');
        restarts += 1;
        replace(host);
      },
    });
    hosts.add(host);
    const unwatch = watchHealth({
      ...{ process, intervalMs: options.heartbeatMs, memoryMark: options.recycleMemoryBytes },
      hung: () => {
        log.error({ pid }, 'the browser hangs and is killed');
        process.kill();
      },
      heavy: (bytes) => {
        log.info({ pid, bytes }, 'the browser has grown past its memory mark');
        renew(host);
      },
    });
    const gone = (): void => {
      unwatch();
      hosts.delete(host);
      sharedBy.delete(host);
    };
    void work.track(host.closed.finally(gone));
    return host;
  };

  /** Pages are opened ahead where plain renders will look for them. */
  const launchShared = (browser: FoundBrowser): Promise<Host> =>
    work.track(
      launch(browser, [], browser.path === plainPath ? options.warm : 0).then((host) => {
        sharedBy.set(host, browser);
        return host;
      }),
    );
  const place = (browser: FoundBrowser): Promise<Host> => {
    const launched = launchShared(browser);
    standing.set(browser.path, launched);
    launched.catch(() => {
      if (standing.get(browser.path) === launched) standing.delete(browser.path);
    });
    return launched;
  };
  /** One that ended before it served anything is not replaced: the next render asks, and hears why. */
  const replace = (host: Host): void => {
    const browser = sharedBy.get(host);
    if (!browser || host.taken === 0 || closed.signal.aborted) return;
    place(browser).then(
      (fresh) => { fresh.refill(); },
      (error: unknown) => { log.error({ err: error }, 'the browser could not be started again'); },
    );
  };
  const renew = (host: Host): void => {
    const browser = sharedBy.get(host);
    if (!browser || !host.usable || Date.now() < renewableAt) return;
    renewableAt = Infinity;
    launchShared(browser).then(
      (fresh) => {
        renewableAt = 0;
        const previous = standing.get(browser.path);
        standing.set(browser.path, Promise.resolve(fresh));
        previous?.then((old) => { old.retire(); }).catch(() => undefined);
        host.retire();
        fresh.refill();
      },
      (error: unknown) => {
        renewableAt = Date.now() + RENEWAL_PAUSE_MS;
        log.warn({ err: error }, 'the browser could not be renewed and serves on');
      },
    );
  };

  return {
    get browsers() {
      return hosts.size;
    },
    get warm() {
      return [...hosts].reduce((total, host) => total + host.warm, 0);
    },
    get restarts() {
      return restarts;
    },
    async shared(variant) {
      const browser = await find(variant);
      for (let start = 1; start <= MAX_STARTS; start++) {
        const promise = standing.get(browser.path) ?? place(browser);
        const host = await promise;
        if (host.usable) return host;
        if (standing.get(browser.path) === promise) standing.delete(browser.path);
      }
      throw new PlatenError('browser_unavailable', 'the browser ends as soon as it has started', { retryable: true, retry_after: 5 });
    },
    exclusive: async ({ variant, switches }) => work.track(launch(await find(variant), switches, 0)),
    renew,
    async close(reason) {
      closed.abort(reason);
      await Promise.all([...hosts].map((host) => host.close()));
      await work.idle();
    },
  };
}
