import { isPlatenError, PlatenError } from './errors.js';

export type Phase = 'open' | 'beforeNavigate' | 'navigate' | 'wait' | 'capture' | 'additionalAssets' | 'encode';

/**
 * The most that one phase may take, in milliseconds, whatever the request's timeout is: what depends on the page alone is left to
 * the request, what depends on the browser and on us is bounded here.
 */
const PHASE_LIMITS: Readonly<Partial<Record<Phase, number>>> = {
  beforeNavigate: 30_000,
  additionalAssets: 120_000,
};

/** Timers hold 31 bits; beyond that a timeout means none. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface Deadline extends Disposable {
  /** Aborted by the client or by time; its reason is the error to answer. */
  readonly signal: AbortSignal;
  readonly elapsed: Readonly<Partial<Record<Phase, number>>>;
  /** Runs one phase; rejects as soon as the signal aborts, whether or not the work heeds it. */
  run<T>(phase: Phase, work: () => Promise<T>): Promise<T>;
  /** Names what the present phase waits for. */
  waitingFor(condition: string): void;
}

export interface DeadlineOptions {
  /** Milliseconds for everything; null: none. */
  readonly timeoutMs: number | null;
  readonly signal?: AbortSignal | undefined;
  readonly onPhase?: ((phase: Phase) => void) | undefined;
}

export function createDeadline({ timeoutMs, signal: outer, onPhase }: DeadlineOptions): Deadline {
  const controller = new AbortController();
  const elapsed: Partial<Record<Phase, number>> = {};
  let phase: Phase = 'open';
  let unmet: string | undefined;

  const expire = (limitMs: number) => {
    controller.abort(timeoutError({ limitMs, phase, unmet }));
  };
  const leave = () => {
    controller.abort(clientClosed(outer?.reason));
  };
  const timer = startTimer(timeoutMs, expire);
  if (outer?.aborted === true) leave();
  else outer?.addEventListener('abort', leave, { once: true });

  return {
    signal: controller.signal,
    elapsed,
    waitingFor(condition) {
      unmet = condition;
    },
    async run(next, work) {
      controller.signal.throwIfAborted();
      phase = next;
      unmet = undefined;
      onPhase?.(next);
      const started = performance.now();
      const phaseTimer = startTimer(PHASE_LIMITS[next] ?? null, expire);
      try {
        return await untilAborted(work(), controller.signal);
      } finally {
        clearTimeout(phaseTimer);
        elapsed[next] = performance.now() - started;
      }
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', leave);
    },
  };
}

/** The promise's outcome, or the signal's reason as soon as it aborts; the promise's later failure is nobody's business then. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => {
      reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
    };
    const settle = () => {
      signal.removeEventListener('abort', abort);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(settle);
  });
}

function startTimer(limitMs: number | null, expire: (limitMs: number) => void): NodeJS.Timeout | undefined {
  if (limitMs === null || limitMs > LONGEST_TIMER_MS) return undefined;
  return setTimeout(expire, limitMs, limitMs);
}

function timeoutError({ limitMs, phase, unmet }: { limitMs: number; phase: Phase; unmet: string | undefined }): PlatenError {
  const seconds = String(limitMs / 1000);
  const waited = unmet === undefined ? '' : `, waiting for ${unmet}`;
  return new PlatenError('render_timeout', `the render did not finish within ${seconds} s: it was in phase "${phase}"${waited}`, {
    phase,
    retryable: true,
    ...(unmet === undefined ? {} : { unmet }),
  });
}

function clientClosed(reason: unknown): PlatenError {
  return isPlatenError(reason) ? reason : new PlatenError('client_closed', 'the client closed the request', { cause: reason });
}
