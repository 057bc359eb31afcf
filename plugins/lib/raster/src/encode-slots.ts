import { availableParallelism } from 'node:os';
import { createSlots } from '@platen/lib-slots';

/**
 * Number of images that are processed concurrently. Each one occupies a thread of libuv's pool, which files and DNS look-ups need too: one
 * thread stays free.
 */
function slotsOfHost(): number {
  const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
  return Math.max(1, Math.min(availableParallelism(), (Number.isInteger(threads) ? threads : 4) - 1));
}

/** One set for the process: encoding and decoding share the same threads. */
export const encodeSlots = createSlots(slotsOfHost());
