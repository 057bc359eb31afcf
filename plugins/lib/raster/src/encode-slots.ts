import { availableParallelism } from 'node:os';

/**
 * How many pictures are worked on at once. Each one holds a thread of libuv's pool, which files and name look-ups need too:
 * one thread stays free.
 */
function slotsOfHost(): number {
  const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
  return Math.max(1, Math.min(availableParallelism(), (Number.isInteger(threads) ? threads : 4) - 1));
}

export interface EncodeSlots {
  /** Runs the work once a slot is free, in the order of asking; rejects with the signal's reason when it is aborted before that. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export function createEncodeSlots(size = slotsOfHost()): EncodeSlots {
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

/** The process's one set: encoding and decoding share the same threads. */
export const encodeSlots = createEncodeSlots();
