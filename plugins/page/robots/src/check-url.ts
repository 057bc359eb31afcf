import { PlatenError } from '@platen/kernel';
import { LRUCache } from 'lru-cache';
import { fetchRobots, type Fetch, type RobotsAnswer } from './fetch-robots.js';

/** The robots.txt result for one URL. */
export interface RobotsResult {
  readonly allowed: boolean;
  /** The line that disallows the URL, or the reason why the rules are unknown. For the client. */
  readonly reason: string | undefined;
  /** No connection with the origin could be established to fetch its rules. */
  readonly unconnected: boolean;
  /** Seconds until a retry, if the rules are only temporarily unavailable. */
  readonly retryAfter: number | undefined;
  /** Crawl-delay: seconds between two requests. */
  readonly crawlDelay: number | undefined;
  /** As written in the file; resolve them against the origin. */
  readonly sitemaps: readonly string[];
}

const NO_RULES = { unconnected: false, retryAfter: undefined, crawlDelay: undefined, sitemaps: [] } as const;

/** No rules apply. */
export const ALLOWED: RobotsResult = { ...NO_RULES, allowed: true, reason: undefined };

/** Checks an http or https URL. Other URLs have no origin with rules and are allowed. */
export async function checkUrl(cache: RobotsCache, url: URL): Promise<RobotsResult> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return ALLOWED;
  const answer = await cache.answerOf(url.origin);
  if (answer.kind === 'unreachable') {
    const reason = `${answer.why}, and without its robots.txt the whole site counts as disallowed`;
    const retryAfter = answer.passing ? Math.max(1, Math.ceil(answer.lifetimeMs / 1000)) : undefined;
    return { ...NO_RULES, allowed: false, reason, unconnected: answer.unconnected, retryAfter };
  }
  const { crawlDelay, sitemaps } = answer.rules;
  const rule = answer.rules.ruleFor(url);
  const allowed = rule?.kind !== 'disallow';
  const reason = allowed ? undefined : `line ${String(rule.line)} of ${url.origin}/robots.txt disallows it: "${rule.text.slice(0, 200)}"`;
  return { ...NO_RULES, allowed, reason, crawlDelay, sitemaps };
}

/** The error for a disallowed target. */
export function refusal({ reason = '', retryAfter }: RobotsResult, url: URL): PlatenError {
  const { origin, pathname, search } = url;
  return new PlatenError('robots_disallowed', `${reason}; "skip_robots_txt=true" renders it anyway`, {
    target: { url: `${origin}${pathname}${search}` },
    ...(retryAfter === undefined ? {} : { retryable: true, retry_after: retryAfter }),
  });
}

/** The error for a document whose host is invalid for Platen, so its rules cannot be fetched. Browsers accept more host names. */
export function uncheckableHost(url: string): PlatenError {
  const why = 'its host has no valid name, and without its robots.txt the whole site counts as disallowed';
  return new PlatenError('robots_disallowed', `${why}; "skip_robots_txt=true" renders it anyway`, { target: { url } });
}

/** Rules by origin. */
interface RobotsCache {
  /** Never rejects. Concurrent calls for one origin share a fetch. */
  answerOf(origin: string): Promise<RobotsAnswer>;
}

interface Entry {
  readonly answer: RobotsAnswer;
  readonly freshUntil: number;
}

const MAX_ORIGINS = 10_000;
const MAX_BYTES_KEPT = 64 * 1024 * 1024;

interface CacheOptions {
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
