import { createWorkerPool, isOutOfMemory, type RunOptions } from '@platen/lib-worker';
import type { Compared, CompareInput, Unreadable } from './compare-worker.js';

/** Two at a time: each has parts of two images in memory, decoded. */
const threads = createWorkerPool<CompareInput, Compared | Unreadable>(new URL('./compare-worker.js', import.meta.url), {
  idleMs: 30_000,
  size: 2,
});

/** Compares two images in a thread. */
export async function compareImages(input: CompareInput, options: RunOptions): Promise<Compared | Unreadable> {
  try {
    return await threads.run(input, options);
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
    return { of: 'baseline', problem: 'comparing it needs too much memory' };
  }
}
