/** Runs tasks one after another: a task waits until the previous one has ended. */
export interface SerialQueue {
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
