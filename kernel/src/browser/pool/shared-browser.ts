import { PlatenError } from '../../errors.js';
import type { Logger } from '../../logger.js';
import type { BrowserInstance } from './browser-instance.js';

/** After a failed renewal the old browser serves on for this long before the next try. */
const RENEWAL_PAUSE_MS = 60_000;
/** Browsers that end while a render is on its way to them are replaced this many times for it. */
const MAX_STARTS = 3;

interface SharedBrowserOptions {
  readonly launch: () => Promise<BrowserInstance>;
  /** It is replaced immediately when it ends. Otherwise the next render starts another. */
  readonly isLasting: boolean;
  readonly log: Logger;
}

/** The one browser of a binary and scale that all renders share, through its crashes and renewals. */
export class SharedBrowser {
  readonly isLasting: boolean;
  readonly #launch: () => Promise<BrowserInstance>;
  readonly #log: Logger;
  /** Set from the start of the launch, so that renders arriving meanwhile wait for the same browser. */
  #current: Promise<BrowserInstance> | undefined;
  #ready: BrowserInstance | undefined;
  #renewableAt = 0;

  constructor({ launch, isLasting, log }: SharedBrowserOptions) {
    this.#launch = launch;
    this.isLasting = isLasting;
    this.#log = log;
  }

  /** False while a browser is running or starting. */
  get isEmpty(): boolean {
    return this.#current === undefined || this.#ready?.usable === false;
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
   * The browser has ended. Starts the next one if this was the current one, unless it ended before its first render: the next render then
   * starts one and gets the error.
   */
  async replace(instance: BrowserInstance): Promise<void> {
    const current = this.#current;
    const standing = await current?.catch(() => undefined);
    if (standing !== instance || this.#current !== current || !this.isLasting || instance.taken === 0) return;
    this.#current = this.#start();
    this.#current.then(refill).catch((error: unknown) => {
      this.#log.error({ err: error }, 'the browser could not be restarted');
    });
  }

  /** Starts another browser; the old one is used until the new one is ready. */
  async renew(instance: BrowserInstance): Promise<void> {
    if (!this.isLasting) {
      instance.retire();
      return;
    }
    if (!instance.usable || Date.now() < this.#renewableAt) return;
    this.#renewableAt = Infinity;
    try {
      const fresh = await this.#launch();
      this.#renewableAt = 0;
      const previous = this.#current;
      this.#current = Promise.resolve(fresh);
      this.#ready = fresh;
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
    this.#ready = undefined;
    started.then(
      (instance) => {
        if (this.#current === started) this.#ready = instance;
      },
      () => {
        if (this.#current === started) this.#current = undefined;
      },
    );
    return started;
  }
}

function refill(instance: BrowserInstance): void {
  instance.refill();
}
