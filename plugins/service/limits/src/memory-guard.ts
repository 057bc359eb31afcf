import { PlatenError } from '@platen/kernel';
import { readMemory, type Memory } from './memory.js';

/** Keeps a part of the memory free: a host that swaps serves nobody. */
export interface MemoryGuard {
  /** Throws `overloaded` (503) while there is less memory than what is to stay free. */
  assertRoom(): Promise<void>;
}

export interface MemoryGuardOptions {
  /** Bytes that stay free; undefined: as `defaultReserve` says; 0: no guard. */
  readonly reserve?: number | undefined;
  read?(): Promise<Memory | undefined>;
  /** Told when it begins to refuse. */
  onLow?(memory: Memory): void;
}

const MIB = 1024 ** 2;
/** The kernel reckons its numbers together at every reading, and a render takes longer than this. */
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
      throw new PlatenError('overloaded', 'the server is short of memory: it takes new renders again when others are done', {
        retryable: true,
        retry_after: RETRY_AFTER_S,
      });
    },
  };
}
