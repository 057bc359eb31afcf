import type { Worker } from 'node:worker_threads';

/** A worker's message: the function's result, or the error that it threw. */
export type Answer<O> = { readonly output: O } | { readonly error: unknown };

/** Whether a worker crashed because it exceeded its memory limit. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** Rejects if the worker dies without a response, and with the signal's reason if the signal is aborted. */
export function runInWorker<O>(worker: Worker, input: unknown, signal: AbortSignal): Promise<Answer<O>> {
  return new Promise<Answer<O>>((resolve, reject) => {
    const stop = (error: unknown) => {
      forget();
      reject(error instanceof Error ? error : new Error('the worker failed', { cause: error }));
    };
    const aborted = () => {
      stop(signal.reason);
    };
    const ended = () => {
      stop(new Error('the worker ended without an answer'));
    };
    const answered = (answer: Answer<O>) => {
      forget();
      resolve(answer);
    };
    const forget = () => {
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
