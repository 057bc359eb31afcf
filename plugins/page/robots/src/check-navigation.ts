import { contextKey, readUrl, type RenderContext } from '@platen/kernel';
import { refusal, uncheckableHost } from './check-url.js';
import type { Robots } from './keys.js';

/** What was judged last, without its fragment. */
const checked = contextKey<string>('robots.judged');

/** Throws where robots.txt forbids a document that has come already, by default the target; the same URL in succession is judged once. */
export async function checkNavigation(check: Robots['check'], context: RenderContext, visited = context.plan.url): Promise<void> {
  const url = readUrl(visited);
  if (url === undefined) throw uncheckableHost(visited);
  const { origin, pathname, search } = url;
  const address = `${origin}${pathname}${search}`;
  if (context.get(checked) === address) return;
  const first = await check(url);
  // The browser has a connection: an answer without one may be of an asking that another render had begun before.
  const result = first.unconnected ? await check(url) : first;
  if (!result.allowed) throw refusal(result, url);
  context.set(checked, address);
}
