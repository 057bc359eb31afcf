import { createHash } from 'node:crypto';
import type { RenderContext } from '../context.js';
import type { MadeFile, Output } from '../output.js';
import type { AssetStore } from './asset-store.js';

/** An output with its digest, if an asset of the render describes it. */
export interface CompletedOutput {
  readonly output: Output;
  readonly made: MadeFile | undefined;
}

/** Stores a streaming output until the render ends, if an asset describes it: the digest is known before the response begins. */
export async function completeOutput(output: Output, context: RenderContext, store: AssetStore): Promise<CompletedOutput> {
  if (!context.plan.assets.some(({ ofOutput }) => ofOutput === true)) return { output, made: undefined };
  const { contentType, extension, body } = output;
  if (Buffer.isBuffer(body)) {
    return { output, made: { contentType, bytes: body.length, sha256: createHash('sha256').update(body).digest('hex') } };
  }
  const stored = await store.put({ name: 'output', contentType, extension }, body, context.signal);
  context.onRenderEnd(() => store.discard([stored]));
  return { output: { ...output, body: stored.open(), length: stored.bytes }, made: stored };
}
