import { contextKey } from '@platen/kernel';
import type { RobotsResult } from './check-url.js';

/** The robots.txt checks for crawls. Stored in the context of a render that does not skip robots.txt. */
export interface Robots {
  /** Checks a URL against the rules of its origin, which are fetched if they are not cached. Never rejects. */
  check(url: URL): Promise<RobotsResult>;
}

/** Set during every render with an http or https target, unless `skip_robots_txt` is set. */
export const robots = contextKey<Robots>('robots');

/**
 * Whether a document is not loaded from its site, since another plugin supplies it: the rules of the site do not apply to it. To be set in
 * `beforeOpen`, in `Stage.first`.
 */
export const exemptFromRobots = contextKey<(url: URL) => boolean>('robots: exempt');

export type { RobotsResult };
