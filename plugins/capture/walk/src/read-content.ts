import { readParam, type RenderContext } from '@platen/kernel';
import { networkKey } from '@platen/plugin-network/keys';
import { waitForParam } from '@platen/plugin-wait/keys';
import type { WalkSource } from './keys.js';
import type { PageContent } from './visit-page.js';

/** Requests of scripts after the load event belong to the archive of the page. */
const IDLE_MS = 100;
const MAX_MS = 5000;
/** Left for reading. */
const READ_MS = 1500;

/**
 * Reads the links and media of the page, once its network is idle, unless the request says when a page is ready. Reading waits for the page's own
 * scripts: if they have sent requests meanwhile, it is read again.
 */
export async function readContent(
  context: RenderContext,
  { sources, withMedia }: { readonly sources: readonly WalkSource[]; readonly withMedia: boolean },
): Promise<PageContent> {
  const network = context.get(networkKey);
  const read = () => readNow(context, { sources, withMedia });
  if (context.isUnready || readParam(context.params, waitForParam) !== undefined || network === undefined) return read();
  for (const end = Math.min(performance.now() + MAX_MS, context.deadlineAt - READ_MS); ;) {
    await network.waitForIdle({ idleMs: IDLE_MS, maxMs: end - performance.now(), signal: context.signal });
    const requests = network.requests();
    const content = await read();
    if (network.requests() === requests || performance.now() >= end) return content;
  }
}

async function readNow(
  context: RenderContext,
  { sources, withMedia }: { readonly sources: readonly WalkSource[]; readonly withMedia: boolean },
): Promise<PageContent> {
  const [base, media, ...found] = await Promise.all([
    context.page.evaluate(() => document.baseURI),
    withMedia ? context.page.evaluate(listMedia) : [],
    ...sources.map((source) => source.find?.(context) ?? []),
  ]);
  return { base, media, links: found.flat(), isReady: !context.isUnready };
}

/** Runs in the page. */
function listMedia(): string[] {
  const urls = [...document.querySelectorAll<HTMLMediaElement | HTMLSourceElement>('video, audio, video source, audio source')].flatMap(
    (element) => [element.src, element instanceof HTMLVideoElement ? element.poster : ''],
  );
  return [...new Set(urls.filter((url) => url !== ''))];
}
