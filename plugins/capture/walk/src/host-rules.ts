import type { RenderContext } from '@platen/kernel';
import type { Frontier } from '@platen/lib-frontier';
import { robots } from '@platen/plugin-robots/keys';
import type { FirstPage } from './visit-page.js';

/** The steps before the first page of an origin. */
export interface HostRules {
  /** Sets the origin's delay, and archives its robots.txt; once for each origin. */
  prepareOrigin(url: string): Promise<void>;
}

export interface HostRulesOptions {
  readonly context: RenderContext;
  readonly frontier: Pick<Frontier, 'asked' | 'setDelay'>;
  /** Its hosts were asked already. */
  readonly first: Pick<FirstPage, 'page' | 'finalUrl'>;
  readonly delayMs: number;
  /** Fetches a file and archives it. */
  archive(url: string): Promise<void>;
}

export function createHostRules({ context, frontier, first: { page, finalUrl }, delayMs, archive }: HostRulesOptions): HostRules {
  for (const url of [page.url, finalUrl]) frontier.asked(new URL(url).host, page.startedAt.getTime());
  const known = new Map<string, Promise<void>>();
  const prepare = async (url: string, { origin, host }: URL): Promise<void> => {
    // Absent with `skip_robots_txt`.
    const result = await context.get(robots)?.check(new URL(url));
    if (result === undefined) return;
    frontier.setDelay(host, Math.max(delayMs, (result.crawlDelay ?? 0) * 1000));
    try {
      await archive(`${origin}/robots.txt`);
    } catch (error) {
      context.signal.throwIfAborted();
      context.log.debug({ err: error, url: `${origin}/robots.txt` }, 'the robots.txt is not in the archive');
    }
  };
  return {
    prepareOrigin(url) {
      const target = new URL(url);
      const prepared = known.get(target.origin) ?? prepare(url, target);
      known.set(target.origin, prepared);
      return prepared;
    },
  };
}
