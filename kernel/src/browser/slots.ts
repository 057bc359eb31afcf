/** Turns for a bounded number of renders at once, first come first served. */
export interface Slots {
  readonly busy: number;
  readonly waiting: number;
  /** Resolves with the function that gives the slot back; rejects with the signal's reason. */
  acquire(signal: AbortSignal): Promise<() => void>;
  /** Rejects all that wait, and all that will come. */
  close(reason: Error): void;
}

interface Waiter {
  grant(): void;
  refuse(reason: Error): void;
}

export function createSlots(capacity: number): Slots {
  const queue = new Set<Waiter>();
  let busy = 0;
  let closed: Error | undefined;

  const take = (): (() => void) => {
    let held = true;
    busy += 1;
    return () => {
      if (!held) return;
      held = false;
      busy -= 1;
      const [next] = queue;
      next?.grant();
    };
  };

  return {
    get busy() {
      return busy;
    },
    get waiting() {
      return queue.size;
    },
    async acquire(signal) {
      if (closed) throw closed;
      signal.throwIfAborted();
      if (busy < capacity) return take();
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          queue.delete(waiter);
          signal.removeEventListener('abort', abort);
        };
        const waiter: Waiter = {
          grant() {
            leave();
            resolve(take());
          },
          refuse(reason) {
            leave();
            reject(reason);
          },
        };
        const abort = (): void => {
          waiter.refuse(reasonOf(signal));
        };
        queue.add(waiter);
        signal.addEventListener('abort', abort, { once: true });
      });
    },
    close(reason) {
      closed = reason;
      for (const waiter of [...queue]) waiter.refuse(reason);
    },
  };
}

/** Why a signal aborted, as an error. */
export function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error(String(reason));
}
