import { PlatenError } from '../../errors.js';
import type { Logger } from '../../logger.js';
import type { BrowserInstance } from './browser-instance.js';

/** After a failed renewal the old browser serves on for this long before the next try. */
const RENEWAL_PAUSE_MS = 60_000;
/** Browsers that end while a render is on its way to them are replaced this many times for it. */
const MAX_STARTS = 3;
/** Maximum number of idle browsers besides the shared browser of scale 1. Browsers in use may exceed it. */
const MAX_IDLE_SCALED = 2;

/** The one browser of a binary that all renders share, through its crashes and renewals. */
export class SharedBrowser {
  readonly #launch: () => Promise<BrowserInstance>;
  readonly #log: Logger;
  /** Set from the start of the launch, so that renders arriving meanwhile wait for the same browser. */
  #current: Promise<BrowserInstance> | undefined;
  #renewableAt = 0;

  constructor(launch: () => Promise<BrowserInstance>, log: Logger) {
    this.#launch = launch;
    this.#log = log;
  }

  /** The current browser, or a new one. */
  async get(): Promise<BrowserInstance> {
    for (let start = 1; start <= MAX_STARTS; start++) {
      const current = (this.#current ??= this.#start());
      const instance = await current;
      if (instance.usable) return instance;
      if (this.#current === current) this.#current = undefined;
    }
    throw new PlatenError('browser_unavailable', 'the browser exits immediately after it starts', { retryable: true, retry_after: 5 });
  }

  /**
   * Starts the next browser if this was the current one, unless it ended before its first render: the next render then starts one and gets
   * the error.
   */
  async replace(instance: BrowserInstance): Promise<void> {
    const current = this.#current;
    const standing = await current?.catch(() => undefined);
    if (standing !== instance || this.#current !== current || instance.taken === 0) return;
    this.#current = this.#start();
    this.#current.then(refill).catch((error: unknown) => {
      this.#log.error({ err: error }, 'the browser could not be restarted');
    });
  }

  /** Starts another browser; the old one is used until the new one is ready. */
  async renew(instance: BrowserInstance): Promise<void> {
    if (!instance.usable || Date.now() < this.#renewableAt) return;
    this.#renewableAt = Infinity;
    try {
      const fresh = await this.#launch();
      this.#renewableAt = 0;
      const previous = this.#current;
      this.#current = Promise.resolve(fresh);
      instance.retire();
      refill(fresh);
      // Another one, if the old one has crashed and been replaced in the meantime.
      (await previous)?.retire();
    } catch (error) {
      this.#renewableAt = Date.now() + RENEWAL_PAUSE_MS;
      this.#log.warn({ err: error }, 'the browser could not be replaced and stays in use');
    }
  }

  #start(): Promise<BrowserInstance> {
    const started = this.#launch();
    started.catch(() => {
      if (this.#current === started) this.#current = undefined;
    });
    return started;
  }
}

function refill(instance: BrowserInstance): void {
  instance.refill();
}

interface ScaledBrowsersOptions {
  readonly log: Logger;
  /** Milliseconds after which an idle browser is ended. */
  readonly idleMs: number;
}

/**
 * Shared browsers whose own scale is not 1, started by the first render that asks for theirs. An emulated scale does not cross processes:
 * cross-site iframes are painted at the browser's own scale, then enlarged.
 */
export class ScaledBrowsers {
  readonly #options: ScaledBrowsersOptions;
  /** By binary and scale. */
  readonly #shared = new Map<string, SharedBrowser>();
  /** Running browsers by key, the most recently used last. */
  readonly #instances = new Map<BrowserInstance, string>();
  readonly #timers = new Map<BrowserInstance, NodeJS.Timeout>();

  constructor(options: ScaledBrowsersOptions) {
    this.#options = options;
  }

  /** The browser of this key, launched if there is none. */
  get(key: string, launch: () => Promise<BrowserInstance>): Promise<BrowserInstance> {
    const known = this.#shared.get(key);
    if (known) return known.get();
    const shared = new SharedBrowser(() => this.#start(key, launch), this.#options.log);
    this.#shared.set(key, shared);
    return shared.get();
  }

  /** The next render of its scale starts another. */
  replace(instance: BrowserInstance): Promise<void> {
    this.#forget(instance);
    return Promise.resolve();
  }

  renew(instance: BrowserInstance): Promise<void> {
    this.#retire(instance);
    return Promise.resolve();
  }

  /** Its last render is over. */
  onIdle(instance: BrowserInstance): void {
    const key = this.#instances.get(instance);
    if (key === undefined) return;
    this.#instances.delete(instance);
    this.#instances.set(instance, key);
    clearTimeout(this.#timers.get(instance));
    const timer = setTimeout(() => {
      if (instance.idle) this.#retire(instance);
    }, this.#options.idleMs);
    // An idle browser must not keep the server process alive.
    timer.unref();
    this.#timers.set(instance, timer);
    this.#trim();
  }

  async #start(key: string, launch: () => Promise<BrowserInstance>): Promise<BrowserInstance> {
    try {
      const instance = await launch();
      this.#instances.set(instance, key);
      this.#trim();
      return instance;
    } catch (error) {
      this.#shared.delete(key);
      throw error;
    }
  }

  /** Runs after callers that just received a browser have opened their pages: until then it looks idle. */
  #trim(): void {
    setImmediate(() => {
      for (const instance of this.#instances.keys()) {
        if (this.#instances.size <= MAX_IDLE_SCALED) return;
        if (instance.idle) this.#retire(instance);
      }
    });
  }

  #retire(instance: BrowserInstance): void {
    this.#forget(instance);
    instance.retire();
  }

  #forget(instance: BrowserInstance): void {
    this.#shared.delete(this.#instances.get(instance) ?? '');
    this.#instances.delete(instance);
    clearTimeout(this.#timers.get(instance));
    this.#timers.delete(instance);
  }
}
