import { contextKey, readUrl, type RenderContext } from '@platen/kernel';
import { refusal, uncheckableHost } from './check-url.js';
import type { Robots } from './keys.js';

/** The URL checked last, without its fragment. */
const checked = contextKey<string>('robots.judged');

/** Throws if robots.txt disallows a document that has already loaded, by default the target. Skips a repeated check of the same URL. */
export async function checkNavigation(check: Robots['check'], context: RenderContext, visited = context.plan.url): Promise<void> {
  const url = readUrl(visited);
  if (url === undefined) throw uncheckableHost(visited);
  const { origin, pathname, search } = url;
  const address = `${origin}${pathname}${search}`;
  if (context.get(checked) === address) return;
  const first = await check(url);
  // The browser is connected, so a result without a connection may be from an earlier fetch that another render started.
  const result = first.unconnected ? await check(url) : first;
  if (!result.allowed) throw refusal(result, url);
  context.set(checked, address);
}
