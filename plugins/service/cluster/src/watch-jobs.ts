import type { Logger, PlatenError } from '@platen/kernel';
import type { FrontJob } from './front-job.js';
import { type JobQueue, MAX_ATTEMPTS } from './queue.js';
import { retryLater } from './queue-errors.js';

/** Checks per lifetime of a lock: with the checks of workers, a front learns within 1.5 lifetimes that its job has failed. */
const CHECKS = 6;

export interface WatchOptions {
  readonly queue: Pick<JobQueue, 'findMissing' | 'isWaiting' | 'onReturn'>;
  readonly log: Logger;
  readonly lockMs: number;
  /** Queues a job again that the queue no longer has. */
  requeue(job: FrontJob): Promise<void>;
}

/**
 * Finds the jobs that have ended in the queue, or wait there again, without a word from their worker. A worker that is heard proves that its
 * job goes on: only jobs without one are looked for. BullMQ's events say the same, but each front would have to read those of all jobs.
 */
export function watchJobs(jobs: ReadonlyMap<string, FrontJob>, { queue, log, lockMs, requeue }: WatchOptions): { close(): void } {
  /** How often the queue has come back, and how many of these times its losses were looked for. */
  let [returns, handled] = [0, 0];
  let running: number | undefined;
  const isUnheard = (job: FrontJob) => job.isQueued && !job.isOver() && job.attempt?.isSilent(lockMs) !== false;
  const check = async (at: number) => {
    const unheard = [...jobs.values()].filter(isUnheard);
    const missing = new Set(unheard.length === 0 ? [] : await queue.findMissing(unheard.map(({ id }) => id)));
    // It came back meanwhile, so that this reply may be about its losses: another check has begun.
    if (at !== returns) return;
    const mayHaveLost = at > handled;
    handled = at;
    for (const job of unheard.filter(isUnheard)) {
      if (missing.has(job.id) && (mayHaveLost || isCutOff(job))) await handleLost(job, requeue);
      else if (missing.has(job.id)) job.fail(noWorker(job));
      else if (job.attempt !== undefined && (await queue.isWaiting(job.id))) job.awaitWorker();
    }
  };
  const start = () => {
    const at = returns;
    if (running === at) return;
    running = at;
    check(at)
      .catch((error: unknown) => {
        log.debug({ err: error }, 'jobs could not be looked for in the queue');
      })
      .finally(() => {
        if (running === at) running = undefined;
      });
  };
  queue.onReturn(() => {
    returns += 1;
    start();
  });
  const timer = setInterval(start, lockMs / CHECKS).unref();
  return {
    close() {
      clearInterval(timer);
    },
  };
}

/** Only the connection to its worker was lost: the worker has ended the job, for which it does not know that the front still waits. */
function isCutOff({ attempt, attempts }: FrontJob): boolean {
  return attempt === undefined && attempts > 0 && attempts < MAX_ATTEMPTS;
}

/** Redis may lose the last second before a crash. */
async function handleLost(job: FrontJob, requeue: WatchOptions['requeue']): Promise<void> {
  if (job.attempt === undefined) await requeue(job);
  // The worker has lost nothing, and may deliver.
  else job.isQueued = false;
}

function noWorker({ attempts }: FrontJob): PlatenError {
  const what =
    attempts === 0
      ? 'no worker of the cluster has reached this server, to which its --cluster-address must lead'
      : 'the workers of the cluster could not carry out the render';
  return retryLater('browser_unavailable', `${what}: their logs contain the cause, under the same request id`);
}
