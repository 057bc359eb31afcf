import type { EncodeContext, Output } from '@platen/kernel';
import { createWorkerPool } from '@platen/lib-worker';
import type { ContentCapture, ContentImage } from '@platen/plugin-dom';
import { convert, type ConvertInput } from './convert.js';
import { IDLE_MS, MOST_AT_ONCE, MOST_IMAGES_BYTES, YOUNG_MIB } from './limits.js';
import type { MarkdownParams } from './params.js';

const threads = createWorkerPool<ConvertInput, string>(new URL('./convert-worker.js', import.meta.url), {
  idleMs: IDLE_MS,
  youngMiB: YOUNG_MIB,
});

/** RFC 7763 names the type, RFC 7764 the variants. */
const CONTENT_TYPES = {
  common: 'text/markdown; charset=utf-8; variant=CommonMark',
  gfm: 'text/markdown; charset=utf-8; variant=GFM',
} as const;

export async function encodeMarkdown(
  { html, title, images }: ContentCapture,
  { params, signal }: EncodeContext<MarkdownParams>,
): Promise<Output> {
  const format = params.markdown_format ?? 'common';
  const input: ConvertInput = {
    html,
    format,
    title: params.markdown_no_title === true ? undefined : title,
    images: new Map([...images].map(([address, image]) => [address, dataUri(image)])),
    mostEmbedded: Math.ceil((MOST_IMAGES_BYTES * 4) / 3),
  };
  const markdown = html.length <= MOST_AT_ONCE ? convert(input) : await threads.run(input, { signal });
  return { contentType: CONTENT_TYPES[format], extension: 'md', body: Buffer.from(markdown) };
}

/** Parameters of a media type may hold blanks, which end a link's address. */
function dataUri({ contentType, body }: ContentImage): string {
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(contentType)?.[0] ?? 'application/octet-stream';
  return `data:${type};base64,${body.toString('base64')}`;
}
