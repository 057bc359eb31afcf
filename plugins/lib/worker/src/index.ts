/**
 * Runs work off the event loop: a function in a worker thread, called like any other.
 *
 * The module's default export is the function; input and output are copied. Write the URL exactly as `new URL('./text-worker.js',
 * import.meta.url)`, with a name that ends in `-worker.js`: a trimmed build looks for such URLs. Threads start when there is work, at most
 * 4, and end after `idleMs`. An aborted run ends its thread, a crashed one rejects. `oldMiB` limits memory (`isOutOfMemory`), `youngMiB`
 * saves garbage collection: 96 for work that builds and discards a tree.
 *
 * @packageDocumentation
 */

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { ConcurrencyLimiter } from '@platen/kernel';

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
  /** Milliseconds for the function itself, once a worker has loaded it: then the run is canceled with a `TimeoutError`. */
  readonly timeoutMs?: number;
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
  const reply = await loaded.then(({ default: work }) => (parentPort.postMessage('begun'), work(input))).then((output) => ({ output }), (error) => ({ error }));
  parentPort.postMessage(reply);
});
//# sourceURL=worker-pool`;
const SCRIPT_URL = new URL(`data:text/javascript,${encodeURIComponent(SCRIPT)}`);

const MAX_WORKERS = 4;

/**
 * The module's default export is the function: `(input: I) => O | Promise<O>`. Its URL must be written `new URL('./name.js',
 * import.meta.url)` in the calling file: a trimmed build looks for exactly that and bundles the module with the rest.
 */
export function createWorkerPool<I, O>(moduleUrl: URL, { idleMs, size, youngMiB, oldMiB }: WorkerPoolOptions): WorkerPool<I, O> {
  const slots = new ConcurrencyLimiter(size ?? Math.min(MAX_WORKERS, availableParallelism()));
  const workers = new Set<Worker>();
  const idle = createIdleWorkers(idleMs);
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
      idle.remove(worker);
    });
    // An idle worker that fails is removed by its exit handler.
    worker.on('error', () => undefined);
    return worker;
  };

  const runOnce = async (input: I, options: RunOptions): Promise<WorkerReply<O>> => {
    // Between the admission and this line no listener could observe an abort.
    options.signal.throwIfAborted();
    if (closed) throw new Error('the worker pool is closed');
    const worker = idle.take() ?? start();
    try {
      const reply = await runInWorker<O>(worker, input, options);
      idle.add(worker);
      return reply;
    } catch (error) {
      await worker.terminate();
      throw error;
    }
  };

  return {
    async run(input, options) {
      const reply = await slots.run(() => runOnce(input, options), options.signal);
      if ('error' in reply) throw reply.error;
      return reply.output;
    },
    async close() {
      closed = true;
      await Promise.all([...workers].map((worker) => worker.terminate()));
    },
  };
}

/** Idle workers. They do not keep the process alive, and end after a time without work. */
interface IdleWorkers {
  /** Undefined if none is idle. */
  take(): Worker | undefined;
  add(worker: Worker): void;
  remove(worker: Worker): void;
}

function createIdleWorkers(idleMs: number): IdleWorkers {
  const idle = new Map<Worker, NodeJS.Timeout>();
  const remove = (worker: Worker) => {
    clearTimeout(idle.get(worker));
    idle.delete(worker);
  };
  return {
    take() {
      const [worker] = [...idle.keys()].slice(-1);
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
      idle.set(worker, setTimeout(end, idleMs).unref());
    },
    remove,
  };
}

/** A worker's message: the function's result, or the error that it threw. */
type WorkerReply<O> = { readonly output: O } | { readonly error: unknown };

/** Whether a worker crashed because it exceeded its memory limit. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** Rejects if the worker dies without a response, and with the signal's reason if the signal is aborted. */
function runInWorker<O>(worker: Worker, input: unknown, { signal, timeoutMs }: RunOptions): Promise<WorkerReply<O>> {
  return new Promise<WorkerReply<O>>((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const stop = (error: unknown) => {
      forget();
      reject(error instanceof Error ? error : new Error('the worker failed', { cause: error }));
    };
    const aborted = () => {
      stop(signal.reason);
    };
    const ended = () => {
      stop(new Error('the worker exited without a result'));
    };
    const answered = (reply: WorkerReply<O> | 'begun') => {
      if (reply !== 'begun') {
        forget();
        resolve(reply);
      } else if (timeoutMs !== undefined) {
        timer = setTimeout(() => {
          stop(new DOMException(`the worker took longer than ${String(timeoutMs)} ms`, 'TimeoutError'));
        }, timeoutMs);
      }
    };
    const forget = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
      worker.off('error', stop).off('messageerror', stop).off('exit', ended).off('message', answered);
    };
    signal.addEventListener('abort', aborted, { once: true });
    worker.on('error', stop).on('messageerror', stop).on('exit', ended).on('message', answered);
    try {
      worker.postMessage(input);
    } catch (error) {
      stop(error);
    }
  });
}
