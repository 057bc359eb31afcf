import type { Kind } from './page/read-items.js';
import type { Place } from './storage-file.js';

/** The order in which items are left out for the limit (interface specification, `storage_limit`): the last first. */
export const KINDS: readonly Kind[] = ['localStorage', 'sessionStorage', 'indexedDB', 'cacheStorage'];

/**
 * Lines that wait until those of every origin are there: origins are read one after the other, and the limit takes one kind after the
 * other. The file decides what it takes; held is no more than twice what it may have.
 */
export interface PendingItems {
  /** Bytes that a next item of the kind may have. */
  room(kind: Kind): number;
  add(line: string, place: Place): void;
  /** Items that no longer wait. */
  readonly leftOut: number;
  /** By kind, and of each kind as they came. */
  inOrder(): Generator<readonly [line: string, place: Place]>;
}

interface Waiting {
  readonly line: string;
  readonly place: Place;
  readonly bytes: number;
}

/** `limit`: what the file may have, in bytes. */
export function createPendingItems(limit: number): PendingItems {
  const lists = new Map(KINDS.map((kind) => [kind, { waiting: [] as Waiting[], bytes: 0 }]));
  let leftOut = 0;
  const upTo = (last: Kind) => KINDS.slice(0, KINDS.indexOf(last) + 1).reduce((sum, kind) => sum + (lists.get(kind)?.bytes ?? 0), 0);
  const shrink = (): void => {
    for (const kind of KINDS.toReversed()) {
      const list = lists.get(kind);
      while (list && upTo('cacheStorage') > 2 * limit && list.waiting.length > 0) {
        list.bytes -= list.waiting.pop()?.bytes ?? 0;
        leftOut++;
      }
    }
  };
  return {
    room: (kind) => Math.max(0, limit - upTo(kind)),
    get leftOut() {
      return leftOut;
    },
    add(line, place) {
      const list = lists.get(place.kind);
      // What is in the line and not in the file is a letter and a blank; the file has a comma.
      const bytes = Buffer.byteLength(line) - 2;
      // A database, a store and a cache stay: what comes next belongs to them.
      const isItem = /^[IRE]/.test(line);
      if (isItem && upTo(place.kind) + bytes > limit) leftOut++;
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
