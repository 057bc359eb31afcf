import type { RenderContext } from '@platen/kernel';
import type { WalkSource } from './keys.js';
import type { PageContent } from './visit-page.js';

/** Reads what the page leads to. */
export async function readContent(
  context: RenderContext,
  { sources, withMedia }: { readonly sources: readonly WalkSource[]; readonly withMedia: boolean },
): Promise<PageContent> {
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
