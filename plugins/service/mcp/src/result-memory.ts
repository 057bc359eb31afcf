import { PlatenError } from '@platen/kernel';

const MIB = 1024 * 1024;
/** Bytes of content in all results that are not sent yet. Each takes some five bytes: as bytes, as base64, and as the text of a message. */
const MOST_BYTES = 64 * MIB;
/** Smaller contents are never refused. */
const FREE_BYTES = 64 * 1024;
const RETRY_AFTER_S = 2;

/** The memory that the results of one request hold. */
export interface ResultShare {
  /** Whether there is room for so many bytes more, until the release. */
  reserve(bytes: number): boolean;
  release(): void;
}

/**
 * The memory for the contents of all results: a message of this protocol is one text, which stays in memory until a slow client has read it.
 */
export function createResultMemory(total = MOST_BYTES): { open(): ResultShare } {
  let used = 0;
  return {
    open() {
      let held = 0;
      return {
        reserve(bytes) {
          if (bytes <= FREE_BYTES) return true;
          if (used + bytes > total) return false;
          used += bytes;
          held += bytes;
          return true;
        },
        release() {
          used -= held;
          held = 0;
        },
      };
    },
  };
}

export function noMemory(): PlatenError {
  const text = 'the memory for results is in use: retry when other clients have read theirs';
  return new PlatenError('overloaded', text, { retryable: true, retry_after: RETRY_AFTER_S });
}
