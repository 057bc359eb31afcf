export interface Slots {
  /** Runs the work once a slot is free, in the order of the calls; rejects with the signal's reason when it is aborted before that. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Runs at most as many tasks concurrently as there are slots; the others wait in a queue. */
export function createSlots(size: number): Slots {
  const waiting = new Set<() => void>();
  let free = size;

  const admit = (signal: AbortSignal | undefined): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(enter);
        reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
      };
      const enter = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      waiting.add(enter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  };

  const release = () => {
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  };

  return {
    async run(work, signal) {
      signal?.throwIfAborted();
      await admit(signal);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
