import type { Kind } from './in-page/read-items.js';
import type { Place } from './storage-file.js';

/** The priority of kinds (interface specification, `storage_limit`): items of the last kind are omitted first. */
export const KINDS: readonly Kind[] = ['localStorage', 'sessionStorage', 'indexedDB', 'cacheStorage'];

/**
 * Buffers lines until all origins have been read: origins are read one by one, but the limit is applied kind by kind. The file decides
 * which items fit. Buffers at most twice the limit.
 */
export interface PendingItems {
  /** Maximum size in bytes of the next item of the kind. */
  room(kind: Kind): number;
  add(line: string, place: Place): void;
  /** Number of items removed from the buffer. */
  readonly omittedCount: number;
  /** Sorted by kind, and within each kind in reading order. */
  inOrder(): Generator<readonly [line: string, place: Place]>;
}

interface Waiting {
  readonly line: string;
  readonly place: Place;
  readonly bytes: number;
}

/** `limit`: maximum size of the file in bytes. */
export function createPendingItems(limit: number): PendingItems {
  const lists = new Map(KINDS.map((kind) => [kind, { waiting: [] as Waiting[], bytes: 0 }]));
  let omittedCount = 0;
  const upTo = (last: Kind) => KINDS.slice(0, KINDS.indexOf(last) + 1).reduce((sum, kind) => sum + (lists.get(kind)?.bytes ?? 0), 0);
  const shrink = (): void => {
    for (const kind of KINDS.toReversed()) {
      const list = lists.get(kind);
      while (list && upTo('cacheStorage') > 2 * limit && list.waiting.length > 0) {
        list.bytes -= list.waiting.pop()?.bytes ?? 0;
        omittedCount++;
      }
    }
  };
  return {
    room: (kind) => Math.max(0, limit - upTo(kind)),
    get omittedCount() {
      return omittedCount;
    },
    add(line, place) {
      const list = lists.get(place.kind);
      // The line has a letter and a blank that are not in the file; the file has an additional comma.
      const bytes = Buffer.byteLength(line) - 2;
      // Databases, stores and caches are not removed, because the following lines belong to them.
      const isItem = /^[IRE]/.test(line);
      if (isItem && upTo(place.kind) + bytes > limit) omittedCount++;
      else {
        list?.waiting.push({ line, place, bytes });
        if (list) list.bytes += bytes;
        shrink();
      }
    },
    *inOrder() {
      for (const kind of KINDS) for (const { line, place } of lists.get(kind)?.waiting ?? []) yield [line, place];
    },
  };
}
