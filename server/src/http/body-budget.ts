import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { PlatenError } from '@platen/kernel';
import { BODY_LIMIT, LARGEST_BODY } from '../service/body-limit.js';

const MIB = 1024 * 1024;
/** Bytes that every request may use without a reservation: requests of this size are never rejected. */
const FREE = 64 * 1024;
/** Reserved for bodies without browser storage; bodies with it cannot use this part. */
const FOR_PLAIN = 64 * MIB;
const MOST = 1024 * MIB;
const RETRY_AFTER_S = 5;
/**
 * Bytes of memory for each counted byte: a body exists as bytes, as text and as values. If its values take more, more bytes are counted.
 */
export const MEMORY_PER_BYTE = 8;

/** The memory that one request holds until its response has ended. */
export interface Share {
  /** Reserves more bytes. Throws `overloaded` if there is no room now, `payload_too_large` if there never is. */
  grow(bytes: number): void;
  /** Releases the whole reservation for good: later calls of `grow` reserve nothing. May be called again. */
  release(): void;
}

/** The memory for the inflated bodies of all requests together. Without authentication, any client can send them. */
export interface BodyBudget {
  open(): Share;
}

export function createBodyBudget(total = memoryForBodies()): BodyBudget {
  let used = 0;
  return {
    open() {
      let held = 0;
      let isOver = false;
      return {
        grow(bytes) {
          if (isOver) return;
          const charged = beyondFree(held + bytes) - beyondFree(held);
          const room = held + bytes > BODY_LIMIT ? total - FOR_PLAIN : total;
          if (beyondFree(held + bytes) > room) {
            throw new PlatenError('payload_too_large', 'the values of the body need more memory than the server has for request bodies');
          }
          if (charged > 0 && used + charged > room) {
            throw new PlatenError('overloaded', 'the memory for request bodies is in use: retry when other requests have finished', {
              retry_after: RETRY_AFTER_S,
            });
          }
          used += charged;
          held += bytes;
        },
        release() {
          used -= beyondFree(held);
          held = 0;
          isOver = true;
        },
      };
    },
  };
}

const beyondFree = (bytes: number): number => Math.max(0, bytes - FREE);

/** An eighth of the memory, but at least enough for two of the largest bodies. */
function memoryForBodies(): number {
  const memory = Math.min(getHeapStatistics().heap_size_limit, process.constrainedMemory() || Infinity, totalmem());
  return Math.max(2 * LARGEST_BODY + FOR_PLAIN, Math.min(MOST, memory / MEMORY_PER_BYTE));
}
