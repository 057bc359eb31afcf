import { LRUCache } from 'lru-cache';
import { fetchRobots, type Fetch, type RobotsAnswer } from './fetch-robots.js';

/** Rules by origin. */
export interface RobotsCache {
  /** Never rejects; who asks while the origin is being asked shares its answer. */
  answerOf(origin: string): Promise<RobotsAnswer>;
}

interface Entry {
  readonly answer: RobotsAnswer;
  readonly freshUntil: number;
}

const MAX_ORIGINS = 10_000;
const MAX_BYTES_KEPT = 64 * 1024 * 1024;

export interface CacheOptions {
  readonly ask: Fetch;
  /** Milliseconds of a clock that only goes forward. */
  readonly now?: () => number;
}

/** The least recently used origins go where there are too many. */
export function createRobotsCache({ ask, now = () => performance.now() }: CacheOptions): RobotsCache {
  const known = new LRUCache<string, Entry>({ max: MAX_ORIGINS, maxSize: MAX_BYTES_KEPT, sizeCalculation: ({ answer }) => answer.size });
  const asked = new Map<string, Promise<RobotsAnswer>>();
  const refresh = async (origin: string, old: Entry | undefined): Promise<RobotsAnswer> => {
    const answer = await fetchRobots(ask, origin);
    // Old rules stay where there are no new ones to be had (RFC 9309, 2.4).
    const kept = answer.kind === 'unreachable' && old?.answer.kind === 'rules' ? old.answer : answer;
    if (answer.lifetimeMs > 0) known.set(origin, { answer: kept, freshUntil: now() + answer.lifetimeMs });
    return kept;
  };
  return {
    answerOf(origin) {
      const entry = known.get(origin);
      if (entry && entry.freshUntil > now()) return Promise.resolve({ ...entry.answer, lifetimeMs: entry.freshUntil - now() });
      const pending = asked.get(origin);
      if (pending) return pending;
      const asking = refresh(origin, entry).finally(() => asked.delete(origin));
      asked.set(origin, asking);
      return asking;
    },
  };
}
