import { PlatenError } from '@platen/kernel';
import type { JobQueue } from './queue.js';

const RETRY_AFTER_S = 5;

/** Adds a job unless too many are queued. @throws PlatenError `too_many_requests` */
export type AddWithinLimit = (add: () => Promise<void>) => Promise<void>;

/** `limit`: queued jobs of all fronts; undefined: none. */
export function limitQueue(queue: Pick<JobQueue, 'depth'>, limit: number | undefined): AddWithinLimit {
  let adding = 0;
  return async (add) => {
    if (limit === undefined) {
      await add();
      return;
    }
    const { queued } = await queue.depth();
    // Requests of the same moment have read the same depth.
    if (queued + adding >= limit) throw tooMany(limit);
    adding += 1;
    try {
      await add();
    } finally {
      adding -= 1;
    }
  };
}

function tooMany(limit: number): PlatenError {
  return new PlatenError('too_many_requests', `${String(limit)} renders are queued, which is the limit of this cluster`, {
    retryable: true,
    retry_after: RETRY_AFTER_S,
  });
}
