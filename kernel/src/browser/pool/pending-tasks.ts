/** Tracks background tasks so that closing can wait for them. */
export interface PendingTasks {
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves when all tasks have ended, successfully or not. */
  idle(): Promise<void>;
}

export function createPendingTasks(): PendingTasks {
  const running = new Set<Promise<unknown>>();
  return {
    track(work) {
      const settled: Promise<unknown> = work.then(
        () => running.delete(settled),
        () => running.delete(settled),
      );
      running.add(settled);
      return work;
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
