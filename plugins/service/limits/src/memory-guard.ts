import { PlatenError } from '@platen/kernel';
import { readMemory, type Memory } from './memory.js';

/** Keeps a part of the memory free, so that the host does not swap. */
export interface MemoryGuard {
  /** @throws PlatenError `overloaded` (503) while less than the reserve is available. */
  assertRoom(): Promise<void>;
}

export interface MemoryGuardOptions {
  /** Bytes to keep free; undefined: `defaultReserve`; 0: no guard. */
  readonly reserve?: number | undefined;
  read?(): Promise<Memory | undefined>;
  /** Called when the guard starts to refuse renders. */
  onLow?(memory: Memory): void;
}

const MIB = 1024 ** 2;
/** Milliseconds that a reading is reused: the kernel computes the numbers at each read, and renders take longer than this. */
const GOOD_FOR_MS = 1_000;
const RETRY_AFTER_S = 5;

/** A twentieth of all memory, at most 512 MiB. */
export function defaultReserve(total: number): number {
  return Math.min(512 * MIB, total / 20);
}

export function createMemoryGuard({ reserve, read = readMemory, onLow }: MemoryGuardOptions): MemoryGuard {
  let readAt = -Infinity;
  let latest: Promise<Memory | undefined> = Promise.resolve(undefined);
  let isLow = false;
  return {
    async assertRoom() {
      if (reserve === 0) return;
      const now = performance.now();
      if (now - readAt >= GOOD_FOR_MS) {
        readAt = now;
        latest = read();
      }
      const memory = await latest;
      if (memory === undefined) return;
      const wasLow = isLow;
      isLow = memory.available < (reserve ?? defaultReserve(memory.total));
      if (!isLow) return;
      if (!wasLow) onLow?.(memory);
      throw new PlatenError('overloaded', 'the server is low on memory: retry when other renders have finished', {
        retryable: true,
        retry_after: RETRY_AFTER_S,
      });
    },
  };
}
