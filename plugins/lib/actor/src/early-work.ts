import { withTimeout, type Page } from '@platen/kernel';
import type { Prepare, Settled } from './action.js';

/** Milliseconds for work that is not wanted any more to end: the next one would meet it in the page. */
const END_MS = 1_000;

/** Work on a page that begins before it is certain that the page is at rest. */
export class EarlyWork<T> {
  readonly #prepare: Prepare<T>;
  readonly #page: () => Page;
  readonly #settled: Promise<boolean>;
  #settle: (isWanted: boolean) => void = () => undefined;
  #begun: { readonly page: Page; readonly at: number; readonly result: Promise<T> } | undefined;
  #isWanted = false;

  /** `page`: the current one. */
  constructor(prepare: Prepare<T>, page: () => Page) {
    this.#prepare = prepare;
    this.#page = page;
    this.#settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Only the first call counts. */
  begin(): void {
    if (this.#begun !== undefined) return;
    this.#begun = { page: this.#page(), at: performance.now(), result: this.#prepare(this.#settled) };
    this.#begun.result.catch(() => undefined);
  }

  /** The page is at rest, since the given time of `performance.now()`. */
  end(idleSince: number): void {
    const { page, at = -Infinity } = this.#begun ?? {};
    this.#isWanted = at >= idleSince && page === this.#page();
    this.#settle(this.#isWanted);
  }

  /** The result; undefined if the page has changed since the work began. */
  async take(): Promise<Settled<T>> {
    const { page, result } = this.#begun ?? {};
    if (this.#isWanted && page === this.#page()) return { prepared: result };
    if (result !== undefined)
      await withTimeout(
        result.catch(() => undefined),
        END_MS,
      );
    return { prepared: undefined };
  }
}
