import { randomBytes, randomUUID } from 'node:crypto';
import { callOnAbort, LONGEST_TIMER_MS, PlatenError, type RenderResult } from '@platen/kernel';
import type { AdmittedCall } from '@platen/server';

/** One attempt of a worker, while its connection is open. */
export interface Attempt {
  readonly number: number;
  /** Ends the connection: the worker stops rendering. */
  abort(reason: Error): void;
  /** Whether the connection has been silent for so many milliseconds although the front was reading. */
  isSilent(ms: number): boolean;
}

/** A render that a worker carries out, from its request to the last byte of its output. */
export interface FrontJob {
  /** Changes if the queue has lost the job. */
  id: string;
  /** The queue should have it, until it is over. */
  isQueued: boolean;
  readonly secret: string;
  readonly call: AdmittedCall;
  /** The result, as soon as its body begins; or the error. */
  readonly outcome: Promise<RenderResult>;
  /** Number of the latest attempt; 0: no worker has begun. */
  latest: number;
  /** Attempts so far, under all ids. */
  attempts: number;
  attempt: Attempt | undefined;
  /** The body is on its way to the client: from now on no other attempt can replace this one. */
  isDelivering: boolean;
  isOver(): boolean;
  /** Milliseconds since the request was accepted. */
  waitedMs(): number;
  begin(attempt: Attempt): void;
  /** No worker is known to render it: from now on the timeout of the request ends it. */
  awaitWorker(): void;
  resolve(result: RenderResult): void;
  fail(error: PlatenError): void;
}

/** `onOver` is called once, when it failed or its result has begun. */
export function createFrontJob(call: AdmittedCall, onOver: () => void): FrontJob {
  const begunAt = performance.now();
  const waitedMs = () => call.waitedMs + performance.now() - begunAt;
  const { outcome, settle } = createOutcome();
  const timer = createTimer(call.plan.timeoutMs, waitedMs, (error) => fail(error));
  let isOver = false;
  const end = (give: () => void) => {
    if (isOver) return;
    isOver = true;
    timer.clear();
    call.signal.removeEventListener('abort', leave);
    give();
    onOver();
  };
  const fail = (error: PlatenError) => {
    end(() => {
      settle.reject(error);
      job.attempt?.abort(error);
    });
  };
  const leave = () => fail(leftError(call.signal.reason));
  const job: FrontJob = {
    id: randomUUID(),
    isQueued: false,
    secret: randomBytes(32).toString('base64url'),
    call,
    outcome,
    latest: 0,
    attempts: 0,
    attempt: undefined,
    isDelivering: false,
    isOver: () => isOver,
    waitedMs,
    begin(attempt) {
      timer.clear();
      job.latest = attempt.number;
      job.attempts += 1;
      job.attempt = attempt;
    },
    awaitWorker() {
      if (!isOver) timer.restart();
    },
    resolve(result) {
      end(() => settle.resolve(result));
    },
    fail,
  };
  callOnAbort(call.signal, leave);
  return job;
}

/** Ends a request whose time is up while no worker renders it. */
function createTimer(timeoutMs: number | null, waitedMs: () => number, onUp: (error: PlatenError) => void) {
  let timer: NodeJS.Timeout | undefined;
  const clear = () => {
    clearTimeout(timer);
  };
  return {
    clear,
    restart() {
      clear();
      if (timeoutMs === null || timeoutMs > LONGEST_TIMER_MS) return;
      const leftMs = Math.max(0, timeoutMs - waitedMs());
      timer = setTimeout(() => {
        onUp(timeoutError(timeoutMs));
      }, leftMs);
    },
  };
}

interface Outcome {
  resolve(result: RenderResult): void;
  reject(error: PlatenError): void;
}

function createOutcome(): { readonly outcome: Promise<RenderResult>; readonly settle: Outcome } {
  let settle: Outcome = { resolve() {}, reject() {} };
  const outcome = new Promise<RenderResult>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // It may fail before anything waits for it.
  outcome.catch(() => undefined);
  return { outcome, settle };
}

function leftError(reason: unknown): PlatenError {
  return reason instanceof PlatenError ? reason : new PlatenError('client_closed', 'the client closed the request', { cause: reason });
}

function timeoutError(timeoutMs: number): PlatenError {
  const text = `no worker of the cluster has rendered the page within ${String(timeoutMs / 1000)} s: it was in phase "queue"`;
  return new PlatenError('render_timeout', text, { phase: 'queue', retryable: true });
}

/** The worker is lost, and a page whose loading has side effects is not loaded twice. */
export function workerLost(cause?: unknown): PlatenError {
  const text = 'the worker that rendered the page was lost, and the render may have side effects, so that it is not repeated';
  return new PlatenError('browser_lost', text, { retryable: false, ...(cause === undefined ? {} : { cause }) });
}
