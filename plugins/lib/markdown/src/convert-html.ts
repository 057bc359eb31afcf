import { PlatenError } from '@platen/kernel';
import { createWorkerPool, isOutOfMemory } from '@platen/lib-worker';
import type { ConvertInput } from './convert.js';

/**
 * Characters of HTML (or equivalent cost) that are converted on the event loop; larger documents, which would block it for more than some
 * 20 ms, go to a thread.
 */
export const MOST_AT_ONCE = 32 * 1024;

/** Milliseconds that an idle thread waits for more work. */
const IDLE_MS = 30_000;

/** MiB of a thread: a page of 20 MB of HTML takes 1.1 GB, and a larger one must not crash the server. */
const OLD_MIB = 2048;

/** MiB: the nodes of a page of some 100 KB of HTML, which all live until its end, fit without repeated copying. */
const YOUNG_MIB = 96;

const NESTED = new Set(['ul', 'ol', 'dl', 'blockquote']);

/** Cost of an element in characters of text, in addition to its tags. */
const OF_ELEMENT = 16;

const threads = createWorkerPool<ConvertInput, string>(new URL('./convert-worker.js', import.meta.url), {
  idleMs: IDLE_MS,
  youngMiB: YOUNG_MIB,
  oldMiB: OLD_MIB,
});

/**
 * HTML to Markdown; a large document in another thread.
 *
 * @throws PlatenError `encode_failed` if it requires too much memory
 */
export async function convertHtml(input: ConvertInput, signal: AbortSignal): Promise<string> {
  return isShort(input.html) ? convertHere(input) : convertInThread(input, signal);
}

function isShort(html: string): boolean {
  return html.length <= MOST_AT_ONCE && estimateCost(html) <= MOST_AT_ONCE;
}

async function convertHere(input: ConvertInput): Promise<string> {
  // Imported only here: loading the parser takes time.
  const { convert } = await import('./convert.js');
  return convert(input);
}

async function convertInThread(input: ConvertInput, signal: AbortSignal): Promise<string> {
  try {
    return await threads.run(input, { signal });
  } catch (cause) {
    if (!isOutOfMemory(cause)) throw cause;
    const needed = `the page is too large: its conversion to Markdown requires more than ${String(OLD_MIB)} MiB of memory`;
    throw new PlatenError('encode_failed', `${needed}; use "markdown_selector" to convert a part of it`, { cause });
  }
}

/**
 * The cost of converting the content of a body, in characters of an article: half of its length, its elements, and for each element its
 * enclosing lists and quotations, because every line in them has a prefix for each. Assumes that tags are closed.
 */
export function estimateCost(html: string): number {
  let cost = html.length / 2;
  let depth = 0;
  for (const [, closing, name = ''] of html.matchAll(/<(\/?)([a-z]+)/g)) {
    if (NESTED.has(name)) depth += closing === '' ? 1 : -1;
    if (closing === '') cost += OF_ELEMENT + depth;
  }
  return cost;
}
