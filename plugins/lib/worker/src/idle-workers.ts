import type { Worker } from 'node:worker_threads';

/** Idle workers. They do not keep the process alive, and end after a time without work. */
export interface IdleWorkers {
  /** Undefined if none is idle. */
  take(): Worker | undefined;
  add(worker: Worker): void;
  remove(worker: Worker): void;
}

export function createIdleWorkers(idleMs: number): IdleWorkers {
  const resting = new Map<Worker, NodeJS.Timeout>();
  const remove = (worker: Worker) => {
    clearTimeout(resting.get(worker));
    resting.delete(worker);
  };
  return {
    take() {
      const [worker] = [...resting.keys()].slice(-1);
      if (worker === undefined) return undefined;
      remove(worker);
      worker.ref();
      return worker;
    },
    add(worker) {
      worker.unref();
      const end = () => {
        remove(worker);
        void worker.terminate();
      };
      resting.set(worker, setTimeout(end, idleMs).unref());
    },
    remove,
  };
}
