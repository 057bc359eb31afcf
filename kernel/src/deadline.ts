import { setMaxListeners } from 'node:events';
import { isPlatenError, PlatenError } from './errors.js';

export type Phase = 'open' | 'beforeNavigate' | 'navigate' | 'wait' | 'capture' | 'additionalAssets' | 'encode';

/**
 * Maximum duration of each phase in milliseconds, whatever the request's timeout; null: no separate limit. Phases run one after another, so
 * the request's timeout limits each of them and their sum, and the error names the phase that it ended. Only phases that would be unlimited
 * under `timeout=0` have their own limit: without a timeout the client waits for the page, not for a plugin that hangs.
 */
const PHASE_LIMITS: Readonly<Record<Phase, number | null>> = {
  // Waiting in the queue may take long; the start of a browser has its own limit (`browser/process/launch.ts`).
  open: null,
  // No page is open yet: recorders and emulation are protocol calls that take milliseconds.
  beforeNavigate: 30_000,
  // The target's own time, and the requested wait.
  navigate: null,
  wait: null,
  // A video takes as long as its requested duration; each of its protocol calls has a timeout (`browser/protocol/protocol-session.ts`).
  capture: null,
  // Writes recorded data; the page does not influence how long that takes.
  additionalAssets: 120_000,
  // Encoding takes as long as the video, and uses no browser.
  encode: null,
};

/** Timers have 31 bits, and longer ones end immediately; longer timeouts count as none. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The part of the time that is left after waiting, at most. */
const REST_MS = 5000;

/** The time that an extension adds. */
const EXTENSION_MS = 5000;

export interface Deadline extends Disposable {
  /** Aborted by the client or by the timeout; its reason is the error to return. */
  readonly signal: AbortSignal;
  /** The moment at which the time is up, by performance.now(); Infinity: never. */
  readonly endsAt: number;
  /** The moment at which waiting has to end, so that time is left for the rest. */
  readonly waitEndsAt: number;
  /** Milliseconds per phase, summed if a phase ran several times: assets are collected while the page is open, and settled after encoding. */
  readonly elapsed: Readonly<Partial<Record<Phase, number>>>;
  /** Runs one phase; rejects as soon as the signal aborts, whether or not the work handles it. */
  run<T>(phase: Phase, work: () => Promise<T>): Promise<T>;
  /** Called when the time is up: true extends it by a few seconds. Undefined: the time is not extended. */
  onTimeUp(extend: (() => boolean) | undefined): void;
  /** Names the wait reason of the current phase. */
  setWaitReason(condition: string): void;
  /** Starts a timeout that begins later. No effect otherwise. */
  start(): void;
  /** Removes the timeout and the limits of phases: only the client ends the rest. */
  lift(): void;
  /** All phases are over, but the output is still being streamed. */
  streaming(): void;
}

export interface DeadlineOptions {
  /** Milliseconds for everything; null: none. */
  readonly timeoutMs: number | null;
  /** The time begins with `start`. */
  readonly startsLater?: boolean;
  /** Milliseconds of it that have already elapsed. */
  readonly spentMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onPhase?: ((phase: Phase) => void) | undefined;
}

export function createDeadline({ timeoutMs, startsLater = false, spentMs = 0, signal: outer, onPhase }: DeadlineOptions): Deadline {
  const controller = createController();
  const elapsed: Partial<Record<Phase, number>> = {};
  let [phase, unmet, lifted]: [Phase, string | undefined, boolean] = ['open', undefined, false];
  const expire = (limitMs: number) => {
    controller.abort(timeoutError({ limitMs, phase, unmet }));
  };
  const leave = () => {
    controller.abort(clientClosed(outer?.reason));
  };
  const whole = createTimeout({ timeoutMs, spentMs }, expire);
  if (!startsLater) whole.start();
  const unfollow = outer && callOnAbort(outer, leave);

  return {
    signal: controller.signal,
    get endsAt() {
      return whole.endsAt;
    },
    get waitEndsAt() {
      return whole.endsAt - Math.min(REST_MS, (timeoutMs ?? 0) / 3);
    },
    elapsed,
    start: whole.start,
    onTimeUp: whole.onTimeUp,
    setWaitReason: (condition) => void (unmet = condition),
    lift() {
      lifted = true;
      whole.clear();
    },
    streaming: () => ([phase, unmet] = ['encode', 'the output to be read to its end']),
    async run(next, work) {
      controller.signal.throwIfAborted();
      [phase, unmet] = [next, undefined];
      onPhase?.(next);
      const started = performance.now();
      const phaseTimer = startTimer(lifted ? null : PHASE_LIMITS[next], expire);
      try {
        return await untilAborted(work(), controller.signal);
      } finally {
        clearTimeout(phaseTimer);
        elapsed[next] = (elapsed[next] ?? 0) + (performance.now() - started);
      }
    },
    [Symbol.dispose]() {
      whole.clear();
      unfollow?.();
    },
  };
}

/** The timeout of everything, from its start. */
function createTimeout({ timeoutMs, spentMs }: { timeoutMs: number | null; spentMs: number }, expire: (limitMs: number) => void) {
  const leftMs = timeoutMs === null ? null : Math.max(0, timeoutMs - spentMs);
  let timer: NodeJS.Timeout | undefined;
  let endsAt: number | undefined;
  let extend: (() => boolean) | undefined;
  const startFor = (ms: number | null, limitMs: number) => {
    endsAt = performance.now() + (ms ?? Infinity);
    timer = startTimer(ms, () => {
      if (extend?.() === true) startFor(EXTENSION_MS, limitMs + EXTENSION_MS);
      else expire(limitMs);
    });
  };
  return {
    get endsAt() {
      return endsAt ?? Infinity;
    },
    start() {
      if (endsAt === undefined) startFor(leftMs, timeoutMs ?? Infinity);
    },
    onTimeUp: (listener: (() => boolean) | undefined) => void (extend = listener),
    clear() {
      clearTimeout(timer);
    },
  };
}

/** Whatever is in progress listens to its signal: of a walk each of its workers, of a page the calls to each of its frames. */
export function createController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** The promise's outcome, or the signal's reason as soon as it aborts; a later rejection of the promise is then ignored. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => {
      reject(reasonOf(signal));
    };
    promise.then(resolve, reject).finally(callOnAbort(signal, abort));
  });
}

/** Calls the listener once when the signal aborts: immediately if it has already. Returns what removes the listener. */
export function callOnAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
  return () => {
    signal.removeEventListener('abort', listener);
  };
}

/** The signal's abort reason as an error. */
export function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error(String(reason));
}

/** The promise's outcome, or undefined after that many milliseconds; a later rejection of the promise is then ignored. */
export function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise<T | undefined>((resolve, reject) => {
    const timer = setTimeout(resolve, ms, undefined);
    const settle = () => {
      clearTimeout(timer);
    };
    promise.then(resolve, reject).finally(settle);
  });
}

/** A signal with a limit of time. Its timer ends with it. */
export interface TimeLimit extends Disposable {
  readonly signal: AbortSignal;
  /** The time was up before it was disposed of. */
  readonly isUp: boolean;
}

/**
 * Aborted with the given signal, or after so many milliseconds (Infinity: never). `AbortSignal.any` does not retain an
 * `AbortSignal.timeout`: in Node.js 20 the garbage collector removes it, and the time is never up.
 */
export function limitSignal(signal: AbortSignal, ms: number): TimeLimit {
  const expired = new AbortController();
  const timer = startTimer(ms, () => {
    expired.abort(new DOMException('the time is up', 'TimeoutError'));
  })?.unref();
  return {
    signal: AbortSignal.any([signal, expired.signal]),
    get isUp() {
      return expired.signal.aborted;
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
    },
  };
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
