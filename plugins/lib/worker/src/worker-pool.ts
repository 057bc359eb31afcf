import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { createSlots } from '@platen/lib-slots';
import { runInWorker, type Answer } from './run-in-worker.js';
import { createIdleWorkers } from './idle-workers.js';

export interface WorkerPoolOptions {
  /** Milliseconds after which a worker without work ends. */
  readonly idleMs: number;
  /** How many work at once; by default as many as the host has processors, at most 4. Further runs wait, in the order of asking. */
  readonly size?: number;
  /** MiB for what a worker makes and soon drops; by default Node's own, 48. With more of it, much of that is never copied. */
  readonly youngMiB?: number;
  /** MiB that a worker may hold; by default Node's own bound. A run that needs more is rejected, as `isOutOfMemory` tells, and its worker ends. */
  readonly oldMiB?: number;
}

export interface RunOptions {
  /** Aborted: the run is given up with the signal's reason, and its worker ends. */
  readonly signal: AbortSignal;
}

/** Worker threads that all run one function. They start when there is work, and without any they keep no process alive. */
export interface WorkerPool<I, O> {
  /** Rejects with what the function threw, and with a DataCloneError for an input that threads cannot hand over. */
  run(input: I, options: RunOptions): Promise<O>;
  /** Ends every worker: runs in progress are rejected, and so are those to come. */
  close(): Promise<void>;
}

/** Text, not a file: the same from sources, from a build and from a bundle. */
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
 * The module's default export is the function: `(input: I) => O | Promise<O>`. Its URL is written `new URL('./name.js', import.meta.url)`
 * in the file that calls this: a trimmed build looks for just that, and bundles the module beside the rest.
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
    // What fails at rest is taken out by its exit.
    worker.on('error', () => undefined);
    return worker;
  };

  const runOnce = async (input: I, signal: AbortSignal): Promise<Answer<O>> => {
    // Nobody was there to hear of an abort between the admission and this.
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
