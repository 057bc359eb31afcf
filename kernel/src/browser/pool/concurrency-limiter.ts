import { reasonOf } from '../../deadline.js';

interface Waiter {
  readonly owner: object;
  grant(): void;
  refuse(reason: Error): void;
}

/**
 * Limits the number of concurrent tasks. A free slot goes to the owner that has the fewest, among equals to the one that came first: an
 * owner of many tasks waits behind others that have one.
 */
export class ConcurrencyLimiter {
  readonly #capacity: number;
  readonly #queue = new Set<Waiter>();
  /** Slots in use, by owner. */
  readonly #held = new Map<object, number>();
  #busy = 0;
  #closed: Error | undefined;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get busy(): number {
    return this.#busy;
  }

  /** Owners that wait and have no slot. */
  get waiting(): number {
    return new Set([...this.#queue].map(({ owner }) => owner).filter((owner) => !this.#held.has(owner))).size;
  }

  /**
   * Resolves with a function that releases the slot; rejects with the signal's reason.
   *
   * @param owner whose slot it is; default: of its own
   */
  async acquire(signal: AbortSignal, owner: object = {}): Promise<() => void> {
    if (this.#closed) throw this.#closed;
    signal.throwIfAborted();
    return this.#busy < this.#capacity ? this.#take(owner) : this.#wait(signal, owner);
  }

  /** Runs the work in a slot. Rejects with the signal's reason if it aborts before; work that has begun is not canceled. */
  async run<T>(work: () => Promise<T>, signal = new AbortController().signal): Promise<T> {
    const release = await this.acquire(signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Rejects all waiting and future tasks. */
  close(reason: Error): void {
    this.#closed = reason;
    for (const waiter of [...this.#queue]) waiter.refuse(reason);
  }

  #heldBy(owner: object): number {
    return this.#held.get(owner) ?? 0;
  }

  #take(owner: object): () => void {
    let held = true;
    this.#busy += 1;
    this.#held.set(owner, this.#heldBy(owner) + 1);
    return () => {
      if (!held) return;
      held = false;
      this.#busy -= 1;
      const left = this.#heldBy(owner) - 1;
      if (left === 0) this.#held.delete(owner);
      else this.#held.set(owner, left);
      this.#next()?.grant();
    };
  }

  #next(): Waiter | undefined {
    let next: Waiter | undefined;
    for (const waiter of this.#queue) {
      if (next === undefined || this.#heldBy(waiter.owner) < this.#heldBy(next.owner)) next = waiter;
    }
    return next;
  }

  #wait(signal: AbortSignal, owner: object): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#queue.delete(waiter);
        signal.removeEventListener('abort', abort);
      };
      const waiter: Waiter = {
        owner,
        grant: () => {
          leave();
          resolve(this.#take(owner));
        },
        refuse(reason) {
          leave();
          reject(reason);
        },
      };
      const abort = (): void => {
        waiter.refuse(reasonOf(signal));
      };
      this.#queue.add(waiter);
      signal.addEventListener('abort', abort, { once: true });
    });
  }
}
