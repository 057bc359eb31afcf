import { randomUUID } from 'node:crypto';
import { isPlatenError, type Logger, PlatenError, type RenderResult } from '@platen/kernel';
import type { AdmittedCall } from '@platen/server';
import { type Attempt, createFrontJob, type FrontJob, workerLost } from './front-job.js';
import type { JobQueue } from './queue.js';
import { retryLater } from './queue-errors.js';
import { watchJobs } from './watch-jobs.js';

/** Endpoint of the renders that workers carry out: they are not queued again. */
export const ENDPOINT = 'cluster';

export interface FrontOptions {
  readonly queue: JobQueue;
  readonly log: Logger;
  /** Queued jobs of all fronts beyond which requests are refused; undefined: none. */
  readonly limit: number | undefined;
  /** The time after which a lost worker's job is taken by another. */
  readonly lockMs: number;
  /** Flags that workers must have too. */
  readonly protections: readonly string[];
  /** Where workers reach this front. */
  replyTo(): string;
}

/** Has workers carry out renders, and takes their results. */
export interface Front {
  /** Undefined for renders that this process carries out itself. */
  execute(call: AdmittedCall): Promise<RenderResult | undefined>;
  /** The job with this id, until it is over. */
  find(id: string): FrontJob | undefined;
  /** Whether this attempt may begin; an earlier one ends. */
  begin(job: FrontJob, attempt: Attempt): boolean;
  /** The attempt has ended without a result: the job waits for the next one, if it may be repeated. */
  lose(job: FrontJob, attempt: Attempt, cause: unknown): void;
  /** The whole result was taken, or no one reads it any more. */
  end(job: FrontJob): void;
  counts(): FrontCounts;
  close(): void;
}

export interface FrontCounts {
  /** Jobs that workers are rendering. */
  readonly out: readonly string[];
  /** Jobs of this front that wait for a worker. */
  readonly waiting: number;
  readonly attempts: number;
  readonly lost: number;
}

export function createFront(options: FrontOptions): Front {
  const { queue, log, lockMs } = options;
  const addWithinLimit = limitQueue(queue, options.limit);
  const jobs = new Map<string, FrontJob>();
  let [attempts, lost] = [0, 0];
  const watch = watchJobs(jobs, { queue, log, lockMs, requeue: (job) => requeue(job, jobs, options) });
  return {
    async execute(call) {
      if (call.endpoint === ENDPOINT || staysHere(call)) return undefined;
      return await openJob(call, jobs, { ...options, addWithinLimit }).outcome;
    },
    find: (id) => jobs.get(id),
    begin(job, attempt) {
      const { attempt: earlier } = job;
      if (!mayBegin(job, attempt, lockMs)) return false;
      if (earlier !== undefined) lost += 1;
      attempts += 1;
      job.begin(attempt);
      earlier?.abort(new Error('another worker has begun the job'));
      return true;
    },
    lose(job, attempt, cause) {
      if (job.attempt !== attempt) return;
      job.attempt = undefined;
      lost += 1;
      log.warn({ request: job.call.id, attempt: attempt.number, err: cause }, 'a worker was lost while it rendered');
      if (job.call.plan.retryable) job.awaitWorker();
      else job.fail(workerLost(cause));
    },
    end(job) {
      job.isDelivering = false;
      job.attempt = undefined;
      jobs.delete(job.id);
    },
    counts() {
      const all = [...jobs.values()];
      const out = all.filter(({ attempt }) => attempt !== undefined).map(({ id }) => id);
      return { out, waiting: all.length - out.length, attempts, lost };
    },
    close: watch.close,
  };
}

/** Characters of a request that the queue takes in a moment. An archive in a request may have a hundred million, which end in `REPLY_MS`. */
const MOST_QUEUED = 32 * 1024 ** 2;

/** Assets that the request or its output names are in the store of this server, and a large request stays where it is. */
function staysHere({ plan: { params, namesAssets } }: AdmittedCall): boolean {
  const namesAsset = Object.values(params).some((value) => typeof value === 'string' && value.startsWith('asset:'));
  return namesAssets === true || namesAsset || countCharacters(params) > MOST_QUEUED;
}

function countCharacters(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + countCharacters(inner), 0);
}

interface OpenOptions extends FrontOptions {
  readonly addWithinLimit: AddWithinLimit;
}

function openJob(call: AdmittedCall, jobs: Map<string, FrontJob>, options: OpenOptions): FrontJob {
  const { queue, addWithinLimit } = options;
  const job: FrontJob = createFrontJob(call, () => {
    if (job.isDelivering) return;
    jobs.delete(job.id);
    if (job.attempt === undefined) queue.remove(job.id).catch(() => undefined);
  });
  const priority = 1 + countQueued(jobs, call.identity);
  jobs.set(job.id, job);
  job.awaitWorker();
  addWithinLimit(() => enqueue(job, priority, options)).catch((error: unknown) => {
    job.fail(isPlatenError(error) ? error : new PlatenError('internal', 'the job was not queued', { cause: error }));
  });
  return job;
}

/** An attempt that is late, or that would repeat what must not be repeated, is refused. */
function mayBegin(job: FrontJob, attempt: Attempt, lockMs: number): boolean {
  const { attempt: earlier, latest, isDelivering, isOver, call } = job;
  if (attempt.number <= latest) return false;
  if (isDelivering) {
    // The client has read a part of the body: nothing can replace it. A worker that only lost its lock goes on sending.
    if (earlier?.isSilent(lockMs) === true) earlier.abort(workerLost());
    return false;
  }
  if (isOver()) return false;
  if (latest === 0 || call.plan.retryable) return true;
  job.fail(workerLost());
  return false;
}

/** Adds a job unless too many are queued. @throws PlatenError `too_many_requests` */
type AddWithinLimit = (add: () => Promise<void>) => Promise<void>;

/** `limit`: queued jobs of all fronts; undefined: none. */
function limitQueue(queue: Pick<JobQueue, 'depth'>, limit: number | undefined): AddWithinLimit {
  if (limit === undefined) return (add) => add();
  let adding = 0;
  return async (add) => {
    const { queued } = await queue.depth();
    // Requests of the same moment have read the same depth.
    if (queued + adding >= limit) {
      throw retryLater('too_many_requests', `${String(limit)} renders are queued, which is the limit of this cluster`);
    }
    adding += 1;
    try {
      await add();
    } finally {
      adding -= 1;
    }
  };
}

/** Of one client, of this front. */
function countQueued(jobs: ReadonlyMap<string, FrontJob>, identity: string | undefined): number {
  return [...jobs.values()].filter(({ latest, call }) => latest === 0 && call.identity === identity).length;
}

/**
 * Adds the job. Its priority falls with the number of queued jobs of the same client: a client with one job does not wait for all jobs of
 * another.
 */
async function enqueue(job: FrontJob, priority: number, { queue, replyTo, protections }: FrontOptions): Promise<void> {
  if (job.isOver()) return;
  const { id, secret, call } = job;
  const { params, cacheKey } = call.plan;
  job.isQueued = false;
  await queue.add(id, { params, requestId: call.id, replyTo: replyTo(), secret, cacheKey, protections }, priority);
  job.isQueued = true;
  // The client may have left meanwhile.
  if (job.isOver() && job.latest === 0) await queue.remove(id);
}

/** The job gets another id, so that the first one is refused if it appears again. */
async function requeue(job: FrontJob, jobs: Map<string, FrontJob>, options: FrontOptions): Promise<void> {
  const { log } = options;
  if (job.latest > 0 && !job.call.plan.retryable) {
    job.fail(workerLost());
    return;
  }
  jobs.delete(job.id);
  job.id = randomUUID();
  job.latest = 0;
  jobs.set(job.id, job);
  log.info({ request: job.call.id }, 'a job is queued again: the queue has lost it, or its worker has lost the connection');
  await enqueue(job, 1, options).catch((error: unknown) => {
    log.warn({ request: job.call.id, err: error }, 'a job could not be queued again');
    // The queue will be asked for it once more when it comes back.
    job.isQueued = true;
  });
}
