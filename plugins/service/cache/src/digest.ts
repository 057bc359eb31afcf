import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/** Hashing this much blocks the event loop for a few milliseconds. */
const SLICE_BYTES = 4 * 1024 ** 2;

/** SHA-256 in hex. Large buffers are hashed in slices, yielding to the event loop in between. */
export async function digestOf(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    if (at > 0) await setImmediate();
    hash.update(bytes.subarray(at, at + SLICE_BYTES));
  }
  return hash.digest('hex');
}
