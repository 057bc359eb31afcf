import { definePlugin, type EncodeContext, type EncodedOutput } from '@platen/kernel';
import { createWorkerPool } from '@platen/lib-worker';
import type { ContentCapture } from '@platen/plugin-dom';

/** UTF-16 code units up to which the conversion, a few milliseconds, costs less than a transfer to another thread and back. */
const INLINE_LENGTH = 2 ** 17;

const IDLE_MS = 30_000;

export default definePlugin({
  name: 'txt',
  requires: ['dom'],
  outputs: [{ type: 'txt', from: 'content', contentType: 'text/plain; charset=utf-8', extension: 'txt' }],
  apply({ hooks }) {
    hooks.encode.for('txt').tapPromise('txt', createTextEncoder());
  },
});

/** An encoder with its own threads for large documents; they start with the first such document. */
function createTextEncoder(): (capture: ContentCapture, context: EncodeContext) => Promise<EncodedOutput> {
  const pool = createWorkerPool<string, string>(new URL('./text-worker.js', import.meta.url), { idleMs: IDLE_MS });
  return async ({ html }, { signal }) => {
    // Loaded by the first text: its tables take longer than the rest of the package.
    const { formatText } = await import('./format-text.js');
    const text = html.length <= INLINE_LENGTH ? formatText(html) : await pool.run(html, { signal });
    return { body: Buffer.from(text) };
  };
}
