import type { Kind } from './page/read-items.js';

/** Reports missing parts of a storage file and the reasons to the client: origins, kinds and counts, but neither names nor values. */
export interface OmittedItems {
  /** Items of this kind, or of all kinds, may not have been read. */
  unread(origin: string, kind?: Kind): void;
  /** `what`: the description from an `N` line, in JSON. */
  cannotBeKept(origin: string, what: string): void;
  /** `leftOut`: the number of items omitted because of the limit. Returns undefined if nothing is missing. */
  describe(leftOut: number): string | undefined;
}

/** Limited because the text is sent in a header. */
const MOST_TOLD = 8;

export function createOmittedItems(): OmittedItems {
  const counts = new Map<string, number>();
  const add = (text: string) => void counts.set(text, (counts.get(text) ?? 0) + 1);
  return {
    unread(origin, kind) {
      add(`${kind ?? 'the storage'} of ${origin} could not be read to its end`);
    },
    cannotBeKept(origin, what) {
      add(`of ${origin} ${String(JSON.parse(what))} cannot be kept`);
    },
    describe(leftOut) {
      const told = [...counts].map(([text, count]) => (count === 1 ? text : `${text} (${String(count)} times)`));
      const more = told.length - MOST_TOLD;
      const all = [
        ...(leftOut === 0 ? [] : [`items left out for storage_limit: ${String(leftOut)}`]),
        ...told.slice(0, MOST_TOLD),
        ...(more > 0 ? [`${String(more)} more of this sort`] : []),
      ];
      return all.length === 0 ? undefined : all.join('; ');
    },
  };
}
