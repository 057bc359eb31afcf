import type { RenderContext } from '@platen/kernel';
import { networkKey } from '@platen/plugin-network/keys';
import type { WalkSource } from './keys.js';
import type { PageContent } from './visit-page.js';

/** What the page requests by scripts after its load event belongs to its archive. */
const QUIET = { quietMs: 200, maxMs: 5000 } as const;

/** Reads what the page leads to, once its network is quiet, unless the request says when a page is ready. */
export async function readContent(
  context: RenderContext,
  { sources, withMedia }: { readonly sources: readonly WalkSource[]; readonly withMedia: boolean },
): Promise<PageContent> {
  if (context.params.wait_for === undefined) await context.get(networkKey)?.quiet({ ...QUIET, signal: context.signal });
  const [base, media, ...found] = await Promise.all([
    context.page.evaluate(() => document.baseURI),
    withMedia ? context.page.evaluate(listMedia) : [],
    ...sources.map((source) => source.find?.(context) ?? []),
  ]);
  return { base, media, links: found.flat() };
}

/** Runs in the page. */
function listMedia(): string[] {
  const urls = [...document.querySelectorAll<HTMLMediaElement | HTMLSourceElement>('video, audio, video source, audio source')].flatMap(
    (element) => [element.src, element instanceof HTMLVideoElement ? element.poster : ''],
  );
  return [...new Set(urls.filter((url) => url !== ''))];
}
