import { LRUCache } from 'lru-cache';
import { fetchRobots, type Fetch, type RobotsAnswer } from './fetch-robots.js';

/** Rules by origin. */
export interface RobotsCache {
  /** Never rejects. Concurrent calls for one origin share a fetch. */
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
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** Evicts the least recently used origins first. */
export function createRobotsCache({ ask, now = () => performance.now() }: CacheOptions): RobotsCache {
  const known = new LRUCache<string, Entry>({ max: MAX_ORIGINS, maxSize: MAX_BYTES_KEPT, sizeCalculation: ({ answer }) => answer.size });
  const asked = new Map<string, Promise<RobotsAnswer>>();
  const refresh = async (origin: string, old: Entry | undefined): Promise<RobotsAnswer> => {
    const answer = await fetchRobots(ask, origin);
    // If the rules cannot be refreshed, the old rules stay valid (RFC 9309, 2.4).
    const current = answer.kind === 'unreachable' && old?.answer.kind === 'rules' ? old.answer : answer;
    if (answer.lifetimeMs > 0) known.set(origin, { answer: current, freshUntil: now() + answer.lifetimeMs });
    return current;
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
