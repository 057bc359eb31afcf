import { callOnAbort, reasonOf } from '../../deadline.js';
import { isPlatenError, PlatenError } from '../../errors.js';
import type { BrowserContext } from '../page/browser-context.js';
import type { Tab } from '../page/tab.js';
import type { BrowserInstance } from './browser-instance.js';

/** A turn of the pool, and how long the render waited for it. */
export interface Slot {
  readonly release: () => void;
  readonly queuedMs: number;
}

export interface LeaseParts {
  readonly instance: BrowserInstance;
  readonly context: BrowserContext;
  readonly signal: AbortSignal;
  readonly slot: Slot;
  readonly giveBack: () => void;
}

/** The browser context of one render, with its slot: both are returned by disposing it. */
export class Lease implements AsyncDisposable {
  readonly context: BrowserContext;
  /** Returns the slot before the lease ends: pages of the render are loaded with other slots from then on. */
  readonly releaseSlot: () => void;
  readonly #parts: LeaseParts;
  readonly #unfollow: () => void;
  #lost: boolean | undefined;

  constructor(parts: LeaseParts) {
    const { context, signal } = parts;
    this.context = context;
    this.releaseSlot = parts.slot.release;
    this.#parts = parts;
    this.#unfollow = callOnAbort(signal, () => {
      const reason = reasonOf(signal);
      // A page whose time is up stays open until it is returned: its recorders are still read.
      if (isPlatenError(reason) && reason.code === 'render_timeout') context.interrupt(reason);
      else context.end(reason);
    });
  }

  /** The tab of the render itself. */
  get tab(): Tab {
    return this.context.tab;
  }

  /** Milliseconds that the render waited for its turn. */
  get queuedMs(): number {
    return this.#parts.slot.queuedMs;
  }

  /**
   * True once the browser process behind the page, or its network service, is gone: the page may be incomplete. A browser that ends after
   * it was returned, such as a dedicated one, was not lost to the render.
   */
  get browserGone(): boolean {
    return this.#lost ?? this.#parts.instance.process.gone;
  }

  /** Returns immediately: the browser cleans up in the background, and the pool's `close` waits for it. */
  [Symbol.asyncDispose](): Promise<void> {
    if (this.#lost !== undefined) return Promise.resolve();
    this.#lost = this.browserGone;
    this.#unfollow();
    this.context.end(new PlatenError('internal', 'the page is closed'));
    this.releaseSlot();
    this.#parts.giveBack();
    return Promise.resolve();
  }
}
