/** Work on one thing after another: what is asked for while something is in progress waits for its turn. */
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
