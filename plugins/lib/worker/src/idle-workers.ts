import type { Worker } from 'node:worker_threads';

/** Workers without work. They keep no process alive, and end when nobody has asked for one in time. */
export interface IdleWorkers {
  /** Undefined where none rests. */
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
