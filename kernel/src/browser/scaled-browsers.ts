import type { Logger } from '../logger.js';
import type { BrowserInstance } from './browser-instance.js';
import { SharedBrowser } from './shared-browser.js';

/** Maximum number of idle browsers besides the shared browser of scale 1. Browsers in use may exceed it. */
const MOST = 2;

export interface ScaledBrowsersOptions {
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
  rested(instance: BrowserInstance): void {
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
        if (this.#instances.size <= MOST) return;
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
