interface Waiter {
  grant(): void;
  refuse(reason: Error): void;
}

/** Limits the number of concurrent renders, first come, first served. */
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

  /** Rejects all waiting and future renders. */
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

/** The signal's abort reason as an error. */
export function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error(String(reason));
}
