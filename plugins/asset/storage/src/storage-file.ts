import type { Kind } from './in-page/read-items.js';
import type { StateCookie } from './state.js';

/** Number of characters per chunk. */
const PIECE = 65_536;

/** A storage state under construction with a size limit: items that would exceed the limit are omitted. */
export interface StorageFile {
  /** Remaining bytes. */
  readonly room: number;
  /** Number of items omitted because of the limit. */
  readonly omittedCount: number;
  addCookie(cookie: StateCookie): void;
  /** Adds a line of in-page/read-items.ts. Records belong to the preceding store, entries to the preceding cache. */
  addLine(line: string, place: Place): void;
  /** The file, in chunks. */
  pieces(): Generator<Buffer>;
}

export interface Place {
  readonly origin: string;
  readonly kind: Kind;
}

/** Throws a RangeError if the limit is smaller than an empty state. */
export function createStorageFile(limit: number): StorageFile {
  const cookies = groupOf('{"cookies":[', ']');
  const origins = groupOf(',"origins":[', ']}');
  const budget = createBudget(limit - bytesOf(cookies) - bytesOf(origins));
  const addTo = createOrigins(origins, budget);
  let outer: Group | undefined;
  let inner: Group | undefined;
  const readers: Readonly<Record<string, (text: string, place: Place) => void>> = {
    I: (text, place) => addTo(place, text),
    D: (text, place) => (outer = openGroup(text, 'stores', (group) => addTo(place, group))),
    S: (text) => (inner = openGroup(text, 'records', (group) => budget.add(outer, group))),
    R: (text) => budget.add(inner, text),
    C: (text, place) => (outer = openGroup(text, 'entries', (group) => addTo(place, group))),
    E: (text) => budget.add(outer, text),
    L: () => budget.add(undefined, ''),
  };
  return {
    get room() {
      return budget.room;
    },
    get omittedCount() {
      return budget.omittedCount;
    },
    addCookie(cookie) {
      budget.add(cookies, JSON.stringify(cookie));
    },
    addLine(line, place) {
      readers[line[0] ?? '']?.(line.slice(2), place);
    },
    pieces: () => piecesOf([cookies, origins]),
  };
}

/** Turns an object's JSON text into a group with one more list property. Undefined if it is omitted, together with all its items. */
function openGroup(text: string, name: string, add: (group: Group) => boolean): Group | undefined {
  const group = groupOf(`${text.slice(0, -1)},"${name}":[`, ']}');
  return add(group) ? group : undefined;
}

interface Budget {
  readonly room: number;
  readonly omittedCount: number;
  /** Adds the item if it fits together with `before` bytes of enclosing text. Without a group nothing fits. */
  add(group: Group | undefined, item: string | Group, before?: number): boolean;
}

function createBudget(bytes: number): Budget {
  if (bytes < 0) throw new RangeError('the limit is smaller than an empty storage file');
  let room = bytes;
  let omittedCount = 0;
  return {
    get room() {
      return room;
    },
    get omittedCount() {
      return omittedCount;
    },
    add(group, item, before = 0) {
      const needed = bytesOf(item) + (group?.items.length === 0 ? 0 : 1) + before;
      if (group === undefined || needed > room) {
        omittedCount++;
        return false;
      }
      group.items.push(item);
      room -= needed;
      return true;
    },
  };
}

/** An origin is added together with its first item. */
function createOrigins(origins: Group, budget: Budget): (place: Place, item: string | Group) => boolean {
  const known = new Map<string, Readonly<Record<Kind, Group>>>();
  return ({ origin, kind }, item) => {
    const groups = known.get(origin);
    if (groups !== undefined) return budget.add(groups[kind], item);
    const fresh = {
      localStorage: groupOf('"localStorage":[', ']'),
      sessionStorage: groupOf('"sessionStorage":[', ']'),
      indexedDB: groupOf('"indexedDB":[', ']'),
      cacheStorage: groupOf('"cacheStorage":[', ']'),
    };
    const whole = groupOf(`{"origin":${JSON.stringify(origin)},`, '}', Object.values(fresh));
    const fits = budget.add(fresh[kind], item, bytesOf(whole) + (origins.items.length === 0 ? 0 : 1));
    if (fits) {
      origins.items.push(whole);
      known.set(origin, fresh);
    }
    return fits;
  };
}

/** JSON text under construction: an opening text, items separated by commas, and a closing text. */
interface Group {
  readonly opening: string;
  readonly items: (string | Group)[];
  readonly closing: string;
}

function groupOf(opening: string, closing: string, items: (string | Group)[] = []): Group {
  return { opening, items, closing };
}

function bytesOf(item: string | Group): number {
  if (typeof item === 'string') return Buffer.byteLength(item);
  const { opening, items, closing } = item;
  return items.reduce((sum, one) => sum + bytesOf(one), Buffer.byteLength(opening + closing) + Math.max(0, items.length - 1));
}

/** The concatenated text of the groups, in chunks. */
function* piecesOf(groups: readonly Group[]): Generator<Buffer> {
  let texts: string[] = [];
  let chars = 0;
  for (const group of groups) {
    for (const text of textsOf(group)) {
      texts.push(text);
      chars += text.length;
      if (chars < PIECE) continue;
      yield Buffer.from(texts.join(''));
      texts = [];
      chars = 0;
    }
  }
  yield Buffer.from(texts.join(''));
}

function* textsOf(item: string | Group): Generator<string> {
  if (typeof item === 'string') {
    yield item;
    return;
  }
  yield item.opening;
  for (const [index, one] of item.items.entries()) {
    if (index > 0) yield ',';
    yield* textsOf(one);
  }
  yield item.closing;
}
