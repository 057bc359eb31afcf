import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { createSlots } from '@platen/lib-slots';
import { runInWorker, type Answer } from './run-in-worker.js';
import { createIdleWorkers } from './idle-workers.js';

export interface WorkerPoolOptions {
  /** Milliseconds after which an idle worker ends. */
  readonly idleMs: number;
  /** Maximum number of concurrent workers; by default the host's processors, at most 4. Further runs wait in order. */
  readonly size?: number;
  /** MiB of a worker's young generation (short-lived objects); by default Node's own, 48. A larger one avoids copying most of them. */
  readonly youngMiB?: number;
  /**
   * MiB that a worker may use; by default Node's own limit. A run that exceeds it is rejected, `isOutOfMemory` detects this, and its worker
   * ends.
   */
  readonly oldMiB?: number;
}

export interface RunOptions {
  /** Aborting cancels the run with the signal's reason and ends its worker. */
  readonly signal: AbortSignal;
}

/** Worker threads that all run the same function. They start on demand and do not keep the process alive while idle. */
export interface WorkerPool<I, O> {
  /** Rejects with the error that the function threw, and with a DataCloneError for an input that cannot be cloned. */
  run(input: I, options: RunOptions): Promise<O>;
  /** Ends every worker: rejects the runs in progress and all future ones. */
  close(): Promise<void>;
}

/** A script text instead of a file: works the same from sources, from a build and from a bundle. */
const SCRIPT = `import { parentPort, workerData as url } from 'node:worker_threads';
const loaded = import(url).catch((cause) => Promise.reject(new Error('cannot load ' + url + ': ' + cause)));
loaded.catch(() => undefined);
parentPort.on('message', async (input) => {
  const answer = await loaded.then(({ default: work }) => work(input)).then((output) => ({ output }), (error) => ({ error }));
  parentPort.postMessage(answer);
});
//# sourceURL=worker-pool`;
const SCRIPT_URL = new URL(`data:text/javascript,${encodeURIComponent(SCRIPT)}`);

const MOST_WORKERS = 4;

/**
 * The module's default export is the function: `(input: I) => O | Promise<O>`. Its URL must be written `new URL('./name.js',
 * import.meta.url)` in the calling file: a trimmed build looks for exactly that and bundles the module with the rest.
 */
export function createWorkerPool<I, O>(moduleUrl: URL, { idleMs, size, youngMiB, oldMiB }: WorkerPoolOptions): WorkerPool<I, O> {
  const slots = createSlots(size ?? Math.min(MOST_WORKERS, availableParallelism()));
  const workers = new Set<Worker>();
  const resting = createIdleWorkers(idleMs);
  const resourceLimits = {
    ...(youngMiB === undefined ? {} : { maxYoungGenerationSizeMb: youngMiB }),
    ...(oldMiB === undefined ? {} : { maxOldGenerationSizeMb: oldMiB }),
  };
  let closed = false;

  const start = (): Worker => {
    const worker = new Worker(SCRIPT_URL, { workerData: moduleUrl.href, resourceLimits });
    workers.add(worker);
    worker.once('exit', () => {
      workers.delete(worker);
      resting.remove(worker);
    });
    // An idle worker that fails is removed by its exit handler.
    worker.on('error', () => undefined);
    return worker;
  };

  const runOnce = async (input: I, signal: AbortSignal): Promise<Answer<O>> => {
    // Between the admission and this line no listener could observe an abort.
    signal.throwIfAborted();
    if (closed) throw new Error('the worker pool is closed');
    const worker = resting.take() ?? start();
    try {
      const answer = await runInWorker<O>(worker, input, signal);
      resting.add(worker);
      return answer;
    } catch (error) {
      await worker.terminate();
      throw error;
    }
  };

  return {
    async run(input, { signal }) {
      const answer = await slots.run(() => runOnce(input, signal), signal);
      if ('error' in answer) throw answer.error;
      return answer.output;
    },
    async close() {
      closed = true;
      await Promise.all([...workers].map((worker) => worker.terminate()));
    },
  };
}
