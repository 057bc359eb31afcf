/** Runs tasks one after another: a task waits until the previous one has ended. */
interface SerialQueue {
  take<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createSerialQueue(): SerialQueue {
  const last = new Map<string, Promise<unknown>>();
  return {
    async take(key, work) {
      const before = last.get(key) ?? Promise.resolve();
      const turn = before.then(work, work);
      last.set(key, turn);
      try {
        return await turn;
      } finally {
        if (last.get(key) === turn) last.delete(key);
      }
    },
  };
}

/** Requests a run of the work. All requests made during a run share one further run. The work does not reject. */
export function coalesceRuns(work: () => Promise<void>): () => void {
  let asked = 0;
  const run = async (): Promise<void> => {
    for (; asked > 0; asked = Math.min(asked - 1, 1)) await work();
  };
  return () => {
    if (++asked === 1) void run();
  };
}
