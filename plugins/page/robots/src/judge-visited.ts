import { contextKey, readUrl, type RenderContext } from '@platen/kernel';
import { refusal, unasked } from './judge-url.js';
import type { Robots } from './keys.js';

/** What was judged last, without its fragment. */
const judged = contextKey<string>('robots.judged');

/** Throws where robots.txt forbids a document that has come already, by default the target; the same URL in succession is judged once. */
export async function judgeVisited(judge: Robots['judge'], context: RenderContext, visited = context.plan.url): Promise<void> {
  const url = readUrl(visited);
  if (url === undefined) throw unasked(visited);
  const { origin, pathname, search } = url;
  const address = `${origin}${pathname}${search}`;
  if (context.get(judged) === address) return;
  const first = await judge(url);
  // The browser has a connection: an answer without one may be of an asking that another render had begun before.
  const verdict = first.unconnected ? await judge(url) : first;
  if (!verdict.allowed) throw refusal(verdict, url);
  context.set(judged, address);
}
