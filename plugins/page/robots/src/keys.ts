import { contextKey } from '@platen/kernel';
import type { RobotsResult } from './check-url.js';

/** What walks ask of robots.txt; under the key of a render that does not skip it. */
export interface Robots {
  /** Judges a URL by the rules of its origin, which are fetched where they are not known. Never rejects. */
  check(url: URL): Promise<RobotsResult>;
}

/** Set for the whole of a render with an http or https target, unless it says `skip_robots_txt`. */
export const robots = contextKey<Robots>('robots');

export type { RobotsResult };
