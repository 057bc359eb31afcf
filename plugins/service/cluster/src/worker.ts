import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { BroadcastChannel } from 'node:worker_threads';
import { type Logger, type ServerApi, withTimeout } from '@platen/kernel';
import { createWorkerPool } from '@platen/lib-worker';
import type {} from '@platen/server';
import { type Job, WaitingError, Worker } from 'bullmq';
import { carryOut, HandBackError } from './carry-out.js';
import type { RenewalInput } from './lock-renewal-worker.js';
import { CLOSE_MS, type JobData, MAX_ATTEMPTS, openBlocking, PREFIX } from './queue.js';

/** Checks for lost workers per lifetime of a lock: a job is taken again at most half a lifetime after its lock has expired. */
const CHECKS = 3;

export interface WorkerOptions {
  readonly server: Pick<ServerApi, 'render' | 'assets' | 'isGiven'>;
  readonly url: string;
  readonly name: string;
  readonly concurrency: number;
  readonly lockMs: number;
  readonly log: Logger;
  /** Called with the address of the front before each job: pages must not reach it. */
  onFront(replyTo: string): Promise<void>;
}

export interface JobWorker {
  /** Jobs that it renders now. */
  readonly running: ReadonlySet<string>;
  /** Takes no more jobs; those in progress go on. */
  pause(): void;
  /** To be called when no render is in progress. */
  close(): Promise<void>;
}

/** Takes jobs from the queue and renders them. While the queue is unreachable it waits, and jobs in progress go on. */
export function startWorker(options: WorkerOptions): JobWorker {
  const { url, name, concurrency, lockMs, log } = options;
  const locks = startLockRenewal({ url, name, lockMs, log });
  const running = new Set<string>();
  let pausing: Promise<void> | undefined;
  const { connection, disconnect } = openBlocking(url);
  const render = createProcessor({ ...options, locks, running, isPaused: () => pausing !== undefined });
  const worker = new Worker<JobData>(name, render, {
    connection,
    prefix: PREFIX,
    concurrency,
    lockDuration: lockMs,
    // Redis takes whole milliseconds only.
    stalledInterval: Math.floor(lockMs / CHECKS),
    maxStalledCount: MAX_ATTEMPTS - 1,
    skipLockRenewal: true,
    autorun: false,
    // An unreachable queue is asked again soon.
    runRetryDelay: 1_000,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  });
  worker.on('error', (error) => {
    log.debug({ err: error }, 'the queue of the cluster reports an error');
  });
  const begin = async () => {
    await locks.ready;
    if (pausing === undefined) await worker.run();
  };
  begin().catch((error: unknown) => {
    log.error({ err: error }, 'the worker takes no jobs');
  });
  return {
    running,
    pause() {
      pausing ??= worker.pause(true);
    },
    async close() {
      await pausing;
      // While the queue is unreachable it would wait for it.
      await withTimeout(worker.close(), CLOSE_MS);
      disconnect();
      await locks.close();
    },
  };
}

interface ProcessorParts extends Pick<WorkerOptions, 'server' | 'log' | 'onFront'> {
  readonly locks: LockRenewal;
  readonly running: Set<string>;
  isPaused(): boolean;
}

/** Renders one job. A job that it rejects fails: its front reports that to its client. */
function createProcessor({ server, log, onFront, locks, running, isPaused }: ProcessorParts) {
  return async (job: Job<JobData>, token = ''): Promise<void> => {
    const { id = '', data, attemptsStarted: attempt } = job;
    const handBack = async () => {
      await job.moveToWait(token);
      throw new WaitingError();
    };
    if (isPaused()) return await handBack();
    running.add(id);
    locks.add(id, token);
    try {
      await onFront(data.replyTo);
      if (await carryOut({ id, data, attempt }, server)) return;
      const text = 'the front no longer waits for the job, or is another server: its --cluster-address must lead to it';
      log.info({ request: data.requestId, front: data.replyTo }, text);
    } catch (error) {
      if (error instanceof HandBackError) return await handBack();
      log.warn({ request: data.requestId, err: error }, 'a job was not carried out');
      throw error;
    } finally {
      locks.delete(id);
      running.delete(id);
    }
  };
}

const RESTART_MS = 1_000;

type LockRenewalOptions = Pick<RenewalInput, 'url' | 'name' | 'lockMs'> & { readonly log: Logger };

/** Keeps the locks of running jobs. */
interface LockRenewal {
  /** Resolves when the thread runs: a job that began earlier could lose its lock. */
  readonly ready: Promise<void>;
  add(id: string, token: string): void;
  delete(id: string): void;
  close(): Promise<void>;
}

/** A thread does the work, so that a long task of the event loop loses no job to another worker. */
export function startLockRenewal({ log, ...options }: LockRenewalOptions): LockRenewal {
  const pool = createWorkerPool<RenewalInput, never>(new URL('./lock-renewal-worker.js', import.meta.url), { idleMs: 0, size: 1 });
  const channel = new BroadcastChannel(`platen-locks-${randomUUID()}`);
  const locks = new Map<string, string>();
  const closing = new AbortController();
  const { signal } = closing;
  const isClosed = () => signal.aborted;
  const run = async (): Promise<void> => {
    await pool.run({ ...options, channel: channel.name }, { signal }).catch(async (error: unknown) => {
      if (isClosed()) return;
      log.error({ err: error }, 'the thread that renews the locks of jobs has ended: it starts again');
      await delay(RESTART_MS, undefined, { ref: false });
      if (!isClosed()) await run();
    });
  };
  const tell = () => {
    channel.postMessage(Object.fromEntries(locks));
  };
  const ready = new Promise<void>((resolve) => {
    channel.onmessage = () => {
      tell();
      resolve();
    };
  });
  channel.unref();
  void run();
  return {
    ready,
    add(id, token) {
      locks.set(id, token);
      tell();
    },
    delete(id) {
      locks.delete(id);
      tell();
    },
    async close() {
      closing.abort();
      channel.close();
      await pool.close();
    },
  };
}
