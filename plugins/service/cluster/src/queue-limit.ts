import type { JobQueue } from './queue.js';
import { retryLater } from './queue-errors.js';

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
