import type { Logger } from '../logger.js';
import type { Host } from './host.js';
import { SharedBrowser } from './shared-browser.js';

/** So many stand beside the shared browser of scale 1, more only while renders use them. */
const MOST = 2;

export interface ScaledBrowsersOptions {
  readonly log: Logger;
  /** Milliseconds after which one that nobody uses is ended. */
  readonly idleMs: number;
}

/**
 * Shared browsers whose own scale is not 1, started by the first render that asks for theirs. An emulated scale ends at the border of a
 * process: frames of other sites are painted at the browser's own, and enlarged.
 */
export class ScaledBrowsers {
  readonly #options: ScaledBrowsersOptions;
  /** By binary and scale. */
  readonly #shared = new Map<string, SharedBrowser>();
  /** Those that run, each with its key, the one used last at the end. */
  readonly #hosts = new Map<Host, string>();
  readonly #timers = new Map<Host, NodeJS.Timeout>();

  constructor(options: ScaledBrowsersOptions) {
    this.#options = options;
  }

  /** The browser of this key, launched where there is none. */
  get(key: string, launch: () => Promise<Host>): Promise<Host> {
    const known = this.#shared.get(key);
    if (known) return known.get();
    const shared = new SharedBrowser(() => this.#start(key, launch), this.#options.log);
    this.#shared.set(key, shared);
    return shared.get();
  }

  /** The next render of its scale starts another. */
  replace(host: Host): Promise<void> {
    this.#forget(host);
    return Promise.resolve();
  }

  renew(host: Host): Promise<void> {
    this.#retire(host);
    return Promise.resolve();
  }

  /** Its last render is over. */
  rested(host: Host): void {
    const key = this.#hosts.get(host);
    if (key === undefined) return;
    this.#hosts.delete(host);
    this.#hosts.set(host, key);
    clearTimeout(this.#timers.get(host));
    const timer = setTimeout(() => {
      if (host.idle) this.#retire(host);
    }, this.#options.idleMs);
    // An idle browser is no reason for the server to live on.
    timer.unref();
    this.#timers.set(host, timer);
    this.#trim();
  }

  async #start(key: string, launch: () => Promise<Host>): Promise<Host> {
    try {
      const host = await launch();
      this.#hosts.set(host, key);
      this.#trim();
      return host;
    } catch (error) {
      this.#shared.delete(key);
      throw error;
    }
  }

  /** Once those have taken their pages to whom a browser was just given: until then it looks idle. */
  #trim(): void {
    setImmediate(() => {
      for (const host of this.#hosts.keys()) {
        if (this.#hosts.size <= MOST) return;
        if (host.idle) this.#retire(host);
      }
    });
  }

  #retire(host: Host): void {
    this.#forget(host);
    host.retire();
  }

  #forget(host: Host): void {
    this.#shared.delete(this.#hosts.get(host) ?? '');
    this.#hosts.delete(host);
    clearTimeout(this.#timers.get(host));
    this.#timers.delete(host);
  }
}
