import { setTimeout as delay } from 'node:timers/promises';

/** Wakes page workers that wait for the queue to change. */
export class Changes {
  #count = 0;
  #wakers: (() => void)[] = [];

  /** To be read before the state that may change. */
  get count(): number {
    return this.#count;
  }

  notify(): void {
    this.#count += 1;
    for (const wake of this.#wakers.splice(0)) wake();
  }

  /** Resolves at the next change since the given count, or after so many milliseconds. */
  async since(count: number, ms?: number): Promise<void> {
    if (count !== this.#count) return;
    const timer = new AbortController();
    const woken = new Promise<void>((resolve) => {
      this.#wakers.push(resolve);
    });
    const waited = ms === undefined ? woken : delay(ms, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([woken, waited]);
    timer.abort();
  }
}
