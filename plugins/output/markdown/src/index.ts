import { definePlugin, type EncodeContext, type Output, PlatenError, Stage } from '@platen/kernel';
import { createWorkerPool, isOutOfMemory } from '@platen/lib-worker';
import { contentRequest } from '@platen/plugin-dom/keys';
import type { ContentCapture, ContentImage, ContentRequest } from '@platen/plugin-dom';
import type { ConvertInput } from './convert.js';
import {
  IDLE_MS,
  MARKDOWN_PARAMS,
  type MarkdownParams,
  MOST_AT_ONCE,
  MOST_IMAGE_BYTES,
  MOST_IMAGES_BYTES,
  OLD_MIB,
  YOUNG_MIB,
} from './params.js';

export default definePlugin({
  name: 'markdown',
  requires: ['dom'],
  outputs: [{ type: 'markdown', from: 'content', contentType: 'text/markdown; charset=utf-8', extension: 'md' }],
  params: MARKDOWN_PARAMS,
  apply({ hooks }) {
    hooks.capture.for('content').tap({ name: 'markdown', stage: Stage.early, for: { output: 'markdown' } }, (context) => {
      context.set(contentRequest, askForContent(context.params));
      return undefined;
    });
    hooks.encode.for('markdown').tapPromise('markdown', encodeMarkdown);
  },
});

function askForContent({ markdown_selector: css, markdown_embed_content: embed }: MarkdownParams): ContentRequest {
  return {
    ...(css === undefined ? {} : { selector: { css, parameter: 'markdown_selector' } }),
    ...(embed === true ? { images: { maxBytesEach: MOST_IMAGE_BYTES, maxBytesTotal: MOST_IMAGES_BYTES } } : {}),
  };
}

const NESTED = new Set(['ul', 'ol', 'dl', 'blockquote']);

/** Cost of an element in characters of text, in addition to its tags. */
const OF_ELEMENT = 16;

const threads = createWorkerPool<ConvertInput, string>(new URL('./convert-worker.js', import.meta.url), {
  idleMs: IDLE_MS,
  youngMiB: YOUNG_MIB,
  oldMiB: OLD_MIB,
});

/** RFC 7763 defines the media type, RFC 7764 the variants. */
const CONTENT_TYPES = {
  common: 'text/markdown; charset=utf-8; variant=CommonMark',
  gfm: 'text/markdown; charset=utf-8; variant=GFM',
} as const;

async function encodeMarkdown({ html, title, images }: ContentCapture, { params, signal }: EncodeContext<MarkdownParams>): Promise<Output> {
  const format = params.markdown_format ?? 'common';
  const input: ConvertInput = {
    html,
    format,
    title: params.markdown_no_title === true ? undefined : title,
    images: new Map([...images].map(([address, image]) => [address, dataUri(image)])),
    mostEmbedded: Math.ceil((MOST_IMAGES_BYTES * 4) / 3),
  };
  const markdown = isShort(html) ? await convertHere(input) : await convertInThread(input, signal);
  return { contentType: CONTENT_TYPES[format], extension: 'md', body: Buffer.from(markdown) };
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

/** Parameters of a media type may contain spaces, which end a link's destination. */
function dataUri({ contentType, body }: ContentImage): string {
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(contentType)?.[0] ?? 'application/octet-stream';
  return `data:${type};base64,${body.toString('base64')}`;
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
