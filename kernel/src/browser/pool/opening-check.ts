/** Milliseconds until a page is tried after a failure: doubled with each further one, up to the longest. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Checks whether pages can be opened. After a failure it retries by itself until a page opens: a server removed from a load balancer gets
 * no renders that could show its recovery.
 */
export class OpeningCheck {
  readonly #open: () => Promise<void>;
  #degraded = false;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** `open` opens a page and closes it, in a browser that any render could use. */
  constructor(open: () => Promise<void>) {
    this.#open = open;
  }

  /** True while no browser can open a page. */
  get degraded(): boolean {
    return this.#degraded;
  }

  /** A page did not open. `isCertain`: no other browser could open a page either. */
  failed(isCertain: boolean): void {
    if (this.#closed) return;
    if (isCertain) this.#degraded = true;
    if (this.#timer) return;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS);
    this.#timer = setTimeout(() => void this.#try(), pauseMs);
    // The timer does not keep the process alive.
    this.#timer.unref();
  }

  /** A page was opened. */
  succeeded(): void {
    this.#degraded = false;
    this.#failures = 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #try(): Promise<void> {
    const timer = this.#timer;
    try {
      await this.#open();
      this.succeeded();
    } catch {
      // A render has opened a page meanwhile.
      if (this.#timer !== timer) return;
      this.#failures += 1;
      this.#timer = undefined;
      this.failed(true);
    }
  }
}
