import { isPlatenError, type RenderContext } from '@platen/kernel';
import type { Article } from '@platen/lib-main-content';
import { evaluateWithoutTimeout } from './frame-world.js';
import type { DomParams } from './params.js';
import { collectText, PIECE } from './pieces.js';

interface CapturedArticle extends Pick<Article, 'url' | 'title' | 'lang' | 'dir'> {
  readonly html: string;
}

/** The article of the page for `main_content`; undefined without the parameter, and for a page that has none. */
export async function captureArticle(context: RenderContext<DomParams>): Promise<CapturedArticle | undefined> {
  const { page, params, log } = context;
  if (params.main_content !== true) return undefined;
  context.setWaitReason('the main content');
  // Loaded by the first render that asks for it.
  const { readArticle } = await import('@platen/lib-main-content');
  const article = await evaluateWithoutTimeout(page, readArticle, PIECE).catch((error: unknown) => {
    context.signal.throwIfAborted();
    // The kernel reads the next document.
    if (isPlatenError(error) && error.code === 'page_unstable') throw error;
    log.info({ err: error }, 'the main content of a page could not be read');
    return null;
  });
  if (article === null) {
    context.setResponseHeader('X-Main-Content', 'not-found');
    return undefined;
  }
  const { text, length, ...described } = article;
  return { ...described, html: await collectText(page, { text, length }) };
}

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
