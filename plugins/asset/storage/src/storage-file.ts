import { bytesOf, groupOf, piecesOf, type Group } from './json-group.js';
import type { Kind } from './page/read-items.js';
import type { StateCookie } from './state.js';

/** A storage state in the making, bounded: each item that would pass the limit is left out. */
export interface StorageFile {
  /** Bytes that are left. */
  readonly room: number;
  /** Items that were left out for the limit. */
  readonly leftOut: number;
  addCookie(cookie: StateCookie): void;
  /** Adds what a line of page/read-items.ts says; records belong to the store, entries to the cache, that the lines before named. */
  addLine(line: string, place: Place): void;
  /** The file, in pieces. */
  pieces(): Generator<Buffer>;
}

export interface Place {
  readonly origin: string;
  readonly kind: Kind;
}

/** Throws a range error where not even an empty state has room. */
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
    get leftOut() {
      return budget.leftOut;
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

/** An object's JSON text as a group under one more name of it; undefined where it is left out, and all that would be in it. */
function openGroup(text: string, name: string, add: (group: Group) => boolean): Group | undefined {
  const group = groupOf(`${text.slice(0, -1)},"${name}":[`, ']}');
  return add(group) ? group : undefined;
}

interface Budget {
  readonly room: number;
  readonly leftOut: number;
  /** Adds the item where it fits, with the bytes of what has to come before it; without a group nothing fits. */
  add(group: Group | undefined, item: string | Group, before?: number): boolean;
}

function createBudget(bytes: number): Budget {
  if (bytes < 0) throw new RangeError('the limit is smaller than an empty storage');
  let room = bytes;
  let leftOut = 0;
  return {
    get room() {
      return room;
    },
    get leftOut() {
      return leftOut;
    },
    add(group, item, before = 0) {
      const needed = bytesOf(item) + (group?.items.length === 0 ? 0 : 1) + before;
      if (group === undefined || needed > room) {
        leftOut++;
        return false;
      }
      group.items.push(item);
      room -= needed;
      return true;
    },
  };
}

/** An origin is there once something of it is. */
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
