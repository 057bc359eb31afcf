import { PlatenError } from './errors.js';

/** The renders in progress: closing waits for them, and then cancels them. */
export interface RunningRenders {
  count(): number;
  /** Runs a render with a signal that follows the given signal and the kernel's end, until its result is `over`. */
  track<T>(signal: AbortSignal | undefined, render: (signal: AbortSignal) => Promise<T>, over: (result: T) => Promise<void>): Promise<T>;
  /** Refuses new renders, waits for the running ones up to the grace, then aborts them. */
  drain(graceMs: number): Promise<void>;
}

export function createRunningRenders(): RunningRenders {
  const renders = new Map<AbortController, Promise<unknown>>();
  let draining = false;
  return {
    count: () => renders.size,
    async track(signal, render, over) {
      if (draining) throw drainingError();
      // Not AbortSignal.any: sources with the server's lifetime would retain every render's signal.
      const controller = new AbortController();
      const follow = () => {
        controller.abort(signal?.reason);
      };
      if (signal?.aborted === true) follow();
      signal?.addEventListener('abort', follow, { once: true });
      const rendering = render(controller.signal);
      const ended = rendering
        .then(over)
        .catch(() => undefined)
        .finally(() => {
          signal?.removeEventListener('abort', follow);
          renders.delete(controller);
        });
      renders.set(controller, ended);
      return rendering;
    },
    async drain(graceMs) {
      draining = true;
      const timer = setTimeout(() => {
        for (const controller of renders.keys()) controller.abort(drainingError());
      }, graceMs);
      await Promise.allSettled(renders.values());
      clearTimeout(timer);
    },
  };
}

export function drainingError(): PlatenError {
  return new PlatenError('draining', 'the server is shutting down', { retryable: true, retry_after: 5 });
}
