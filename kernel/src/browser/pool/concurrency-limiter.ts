import { reasonOf } from '../../deadline.js';

interface Waiter {
  grant(): void;
  refuse(reason: Error): void;
}

/** Limits the number of concurrent tasks, first come, first served. */
export class ConcurrencyLimiter {
  readonly #capacity: number;
  readonly #queue = new Set<Waiter>();
  #busy = 0;
  #closed: Error | undefined;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get busy(): number {
    return this.#busy;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** Resolves with a function that releases the slot; rejects with the signal's reason. */
  async acquire(signal: AbortSignal): Promise<() => void> {
    if (this.#closed) throw this.#closed;
    signal.throwIfAborted();
    return this.#busy < this.#capacity ? this.#take() : this.#wait(signal);
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

  #take(): () => void {
    let held = true;
    this.#busy += 1;
    return () => {
      if (!held) return;
      held = false;
      this.#busy -= 1;
      const [next] = this.#queue;
      next?.grant();
    };
  }

  #wait(signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#queue.delete(waiter);
        signal.removeEventListener('abort', abort);
      };
      const waiter: Waiter = {
        grant: () => {
          leave();
          resolve(this.#take());
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
