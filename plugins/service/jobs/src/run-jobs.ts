import {
  createAssetId,
  drainingError,
  isDiskFull,
  isPlatenError,
  type Logger,
  PlatenError,
  type RenderPlan,
  type ServerApi,
} from '@platen/kernel';
import type { DeferrableCall } from '@platen/server';
import { hasEnded, type JobProgress, type JobRecord, type JobResult, type JobState, type JobWebhook } from './job.js';
import type { JobStore } from './job-store.js';
import { storeAssets, storeResult } from './store-result.js';

export interface JobRunnerParts {
  readonly server: Pick<ServerApi, 'assets' | 'kernel' | 'render' | 'status' | 'toProblem'>;
  readonly store: JobStore;
  readonly log: Logger;
  /** Called with each job that has ended. */
  onEnded(job: JobRecord): void;
}

/** Of requests in logs and metrics. */
const ENDPOINT = 'job';
/** Queued and running jobs. */
export const MAX_UNFINISHED = 1000;
/** Ended ones included: the oldest ended ones are removed first. */
const MAX_JOBS = 10_000;
const MAX_PARAM_BYTES = 1024 ** 3;
/** A job that has ended the process so often is not started again. */
const MAX_STARTS = 3;
const RETRY_MS = 1_000;
/** Phases in which a render has not sent anything to its target. */
const BEFORE_NAVIGATION: ReadonlySet<string> = new Set(['queue', 'open']);

interface RunningJob {
  readonly controller: AbortController;
  progress: JobProgress;
  /** Whether its page may have been requested. */
  hasBegun: boolean;
  plan?: RenderPlan;
  /** Resolves once its render has ended, and the outcome is stored. */
  over?: Promise<void>;
}

/** Starts queued jobs, as many concurrently as the server has room for besides the renders that clients wait for. */
export class JobRunner {
  readonly #parts: JobRunnerParts;
  readonly #waiting: string[] = [];
  readonly #running = new Map<string, RunningJob>();
  #isStopping = false;
  #pausedUntil = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: JobRunnerParts) {
    this.#parts = parts;
  }

  get queued(): number {
    return this.#waiting.length;
  }

  progressOf(id: string): JobProgress | undefined {
    return this.#running.get(id)?.progress;
  }

  /**
   * Resolves once the job is stored.
   *
   * @throws PlatenError `too_many_requests` or `overloaded` if there is no room for it
   */
  async submit({ id: requestId, source, raw, trace, identity }: DeferrableCall, webhook: JobWebhook | undefined): Promise<JobRecord> {
    const { store } = this.#parts;
    makeRoom(store);
    const optional = { ...(trace && { trace }), ...(identity !== undefined && { identity }), ...(webhook && { webhook }) };
    const job: JobRecord = { id: createAssetId(), requestId, source, ...optional, state: 'queued', createdAt: Date.now(), starts: 0 };
    await store.create(job, raw).catch((cause: unknown) => {
      throw isDiskFull(cause) ? new PlatenError('overloaded', 'the disk for jobs is full', { cause, retryable: true }) : cause;
    });
    this.#waiting.push(job.id);
    // After the response.
    setImmediate(() => {
      this.pump();
    });
    return job;
  }

  /** Resolves with whether the job had not ended yet. Its render is aborted immediately. */
  async cancel(id: string): Promise<boolean> {
    const job = this.#parts.store.jobs.get(id);
    if (job === undefined || hasEnded(job)) return false;
    const at = this.#waiting.indexOf(id);
    if (at >= 0) this.#waiting.splice(at, 1);
    const ended = this.#end(id, 'canceled');
    this.#running.get(id)?.controller.abort(new PlatenError('client_closed', 'the job was canceled'));
    await ended;
    return true;
  }

  /** Continues the jobs of an earlier process, and reports those that had ended. */
  async resume(): Promise<void> {
    const { store, server, log, onEnded } = this.#parts;
    for (const job of [...store.jobs.values()]) {
      if (hasEnded(job)) onEnded(job);
      else if (job.state === 'queued' || (await mayRepeat(job, this.#parts))) {
        await store.update(job.id, { state: 'queued' });
        this.#waiting.push(job.id);
      } else await this.#end(job.id, 'failed', { problem: server.toProblem(interrupted(), job.requestId) });
    }
    if (this.#waiting.length > 0) log.info({ jobs: this.#waiting.length }, 'jobs of an earlier start continue');
    // The server does not listen yet.
    this.#pumpLater();
  }

  /** Starts jobs if there is room for them. */
  pump(): void {
    const { store } = this.#parts;
    while (this.#waiting.length > 0 && this.#hasRoom()) {
      const job = store.jobs.get(this.#waiting.shift() ?? '');
      // It may have been canceled while it was on its way back into the queue.
      if (job?.state !== 'queued') continue;
      const run: RunningJob = { controller: new AbortController(), progress: {}, hasBegun: false };
      const over = this.#attempt(job, run).finally(() => {
        this.#running.delete(job.id);
        this.pump();
      });
      this.#running.set(job.id, Object.assign(run, { over }));
    }
    this.#pumpLater();
  }

  /** Interrupts running jobs, so that the next start continues them. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    const runs = [...this.#running.values()];
    for (const { controller } of runs) controller.abort(drainingError());
    for (const { over } of runs) await over;
  }

  #pumpLater(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.length === 0 || this.#isStopping) return;
    this.#timer = setTimeout(() => {
      this.pump();
    }, RETRY_MS).unref();
  }

  #hasRoom(): boolean {
    if (this.#isStopping || Date.now() < this.#pausedUntil) return false;
    const { status, in_flight, max_concurrency } = this.#parts.server.status();
    if (status !== 'ok') return false;
    // One job may always wait for its turn, so that busy clients do not stop all jobs.
    return this.#running.size === 0 || (this.#running.size < max_concurrency && in_flight < max_concurrency);
  }

  async #attempt(job: JobRecord, run: RunningJob): Promise<void> {
    const { server, store } = this.#parts;
    const { id, requestId, source, trace, identity } = job;
    const { signal } = run.controller;
    try {
      await store.update(id, { state: 'running', startedAt: Date.now(), starts: job.starts + 1 });
      const raw = await store.readParams(id);
      const render = await server.render({
        id: requestId,
        endpoint: ENDPOINT,
        source,
        raw,
        signal,
        ...(trace === undefined ? {} : { trace }),
        ...(identity === undefined ? {} : { identity }),
        onPlanned: (plan) => void (run.plan = plan),
        onPhase(phase) {
          run.hasBegun ||= !BEFORE_NAVIGATION.has(phase);
          run.progress = { ...run.progress, phase };
        },
        onProgress: ({ done, queued, failed }) => void (run.progress = { ...run.progress, done, queued, failed }),
      });
      await this.#end(id, 'done', await storeResult(server.assets, render, signal));
    } catch (error) {
      await this.#settle(job, run, error);
    }
  }

  /** Decides about a job whose render has failed: to start it again, now or with the next process, or to end it. */
  async #settle(
    { id, starts, requestId }: JobRecord,
    { hasBegun, plan, controller: { signal } }: RunningJob,
    error: unknown,
  ): Promise<void> {
    const { server, store } = this.#parts;
    // Canceled meanwhile.
    if (signal.aborted && !this.#isStopping) return;
    if (this.#isStopping || codeOf(error) === 'draining') {
      // If it has begun, the next start decides by the plan.
      await store.update(id, { starts, ...(hasBegun ? {} : { state: 'queued' }) });
    } else if (!hasBegun && isRefused(error)) {
      this.#pausedUntil = Date.now() + (isPlatenError(error) ? (error.details.retry_after ?? 1) : 1) * 1000;
      await store.update(id, { state: 'queued', starts });
      this.#waiting.unshift(id);
    } else {
      const assets = await storeAssets(server.assets, plan, error).catch(() => ({}));
      await this.#end(id, 'failed', { ...assets, problem: server.toProblem(error, requestId) });
    }
  }

  async #end(id: string, state: JobState, result: JobResult = {}): Promise<void> {
    const { store, onEnded } = this.#parts;
    const before = store.jobs.get(id);
    // It may have been canceled meanwhile.
    if (before === undefined || hasEnded(before)) return;
    await store.update(id, { ...result, state, endedAt: Date.now() });
    const job = store.jobs.get(id);
    if (job !== undefined) onEnded(job);
  }
}

/** Whether a job that was interrupted may be started again. */
async function mayRepeat(job: JobRecord, { server: { kernel }, store }: Pick<JobRunnerParts, 'server' | 'store'>): Promise<boolean> {
  if (job.starts >= MAX_STARTS) return false;
  try {
    return kernel.plan(kernel.validate(await store.readParams(job.id), job.source)).retryable;
  } catch {
    return false;
  }
}

function interrupted(): PlatenError {
  const text =
    'the server stopped during the render, which is not started again: it may have side effects, or it was interrupted too often';
  return new PlatenError('browser_lost', text, { retryable: false });
}

/** Limits unfinished jobs, and removes the oldest ended ones. */
function makeRoom(store: JobStore): void {
  const jobs = [...store.jobs.values()];
  const unfinished = jobs.filter((job) => !hasEnded(job)).length;
  if (unfinished >= MAX_UNFINISHED || store.paramBytes >= MAX_PARAM_BYTES) {
    const text = `${String(unfinished)} jobs are queued or running, which is the limit of this server`;
    throw new PlatenError('too_many_requests', text, { retryable: true, retry_after: 10 });
  }
  const oldest = jobs.length < MAX_JOBS ? undefined : jobs.find(hasEnded);
  if (oldest !== undefined) void store.remove(oldest.id);
}

/** The server had no room for the render, no browser, or no queue of its cluster: what a client would send again. */
const REFUSALS: ReadonlySet<string> = new Set(['too_many_requests', 'overloaded', 'browser_unavailable']);

function isRefused(error: unknown): boolean {
  if (!isPlatenError(error)) return false;
  const { code, details } = error;
  return REFUSALS.has(code) || (code === 'render_timeout' && details.phase === 'queue');
}

function codeOf(error: unknown): string | undefined {
  return isPlatenError(error) ? error.code : undefined;
}
