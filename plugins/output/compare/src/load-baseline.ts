import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { type BaseRenderContext, isPlatenError, type Outbound } from '@platen/kernel';
import { loadRequestSource } from '@platen/lib-sources';
import { COMPARE_PARAMS, type CompareParams } from './params.js';

export interface BaselineOptions {
  readonly outbound: Outbound;
  readonly maxBytes: number;
}

/**
 * The image that `compare` names.
 *
 * @throws PlatenError as `loadRequestSource`
 */
export async function loadBaseline(context: BaseRenderContext<CompareParams>, options: BaselineOptions): Promise<Buffer> {
  const source = await loadRequestSource(context.params.compare ?? '', { ...context, ...options, key: 'compare' });
  try {
    return await readFile(source.file);
  } finally {
    await source.remove();
  }
}

/** The baseline has none of the keys of a comparison. A document that replaces `url` does not replace it. */
const NOT_OF_BASELINE = Object.fromEntries([...Object.keys(COMPARE_PARAMS), 'html'].map((key) => [key, undefined]));

/**
 * The image of the page that `compare_url` names.
 *
 * @throws PlatenError as a render of that page, saying so
 */
export async function renderBaseline(context: BaseRenderContext<CompareParams>): Promise<Buffer> {
  const { compare_url: url = '' } = context.params;
  context.setWaitReason('the page of "compare_url"');
  try {
    const { body } = await context.renderOther('png', { ...NOT_OF_BASELINE, url });
    return Buffer.isBuffer(body) ? body : await buffer(body);
  } catch (error) {
    context.signal.throwIfAborted();
    throw isPlatenError(error) ? error.withDetail('this is about the page of "compare_url"') : error;
  }
}
