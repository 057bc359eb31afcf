import { PlatenError } from '@platen/kernel';
import type { RobotsCache } from './robots-cache.js';

/** What robots.txt says of one URL. */
export interface RobotsResult {
  readonly allowed: boolean;
  /** Which line forbids it, or why it is not known what does. For the client. */
  readonly reason: string | undefined;
  /** There was no connection with the origin to ask for its rules. */
  readonly unconnected: boolean;
  /** Seconds until another try makes sense, where no rule forbids it and its rules may be had then. */
  readonly retryAfter: number | undefined;
  /** Seconds that the origin wants between two requests. */
  readonly crawlDelay: number | undefined;
  /** As they are written; to be resolved against the origin. */
  readonly sitemaps: readonly string[];
}

const NO_RULES = { unconnected: false, retryAfter: undefined, crawlDelay: undefined, sitemaps: [] } as const;

/** Judges an http or https URL; what has no origin to ask is allowed. */
export async function checkUrl(cache: RobotsCache, url: URL): Promise<RobotsResult> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { ...NO_RULES, allowed: true, reason: undefined };
  const answer = await cache.answerOf(url.origin);
  if (answer.kind === 'unreachable') {
    const reason = `${answer.why}, and without its robots.txt the whole site counts as disallowed`;
    const retryAfter = answer.passing ? Math.max(1, Math.ceil(answer.lifetimeMs / 1000)) : undefined;
    return { ...NO_RULES, allowed: false, reason, unconnected: answer.unconnected, retryAfter };
  }
  const { crawlDelay, sitemaps } = answer.rules;
  const rule = answer.rules.ruleFor(url);
  const allowed = rule?.kind !== 'disallow';
  const reason = allowed ? undefined : `line ${String(rule.line)} of ${url.origin}/robots.txt forbids it: "${rule.text.slice(0, 200)}"`;
  return { ...NO_RULES, allowed, reason, crawlDelay, sitemaps };
}

/** The refusal of a target, for a verdict that forbids it. */
export function refusal({ reason = '', retryAfter }: RobotsResult, url: URL): PlatenError {
  const { origin, pathname, search } = url;
  return new PlatenError('robots_disallowed', `${reason}; "skip_robots_txt=true" renders it all the same`, {
    target: { url: `${origin}${pathname}${search}` },
    ...(retryAfter === undefined ? {} : { retryable: true, retry_after: retryAfter }),
  });
}

/** The refusal of a document whose host has no name that can be asked for rules: browsers take more than Platen does. */
export function uncheckableHost(url: string): PlatenError {
  const why = 'its host has no valid name, and without its robots.txt the whole site counts as disallowed';
  return new PlatenError('robots_disallowed', `${why}; "skip_robots_txt=true" renders it all the same`, { target: { url } });
}
