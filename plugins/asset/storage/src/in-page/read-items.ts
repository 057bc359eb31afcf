import { encode, isPlain, toBase64 } from './encode.js';

export type Kind = 'localStorage' | 'sessionStorage' | 'indexedDB' | 'cacheStorage';

/**
 * The items, one per line: a letter, a blank, JSON. `I` item of localStorage or sessionStorage; `D` database, `S` store, `R` record; `C`
 * cache, `E` entry; `L` an item that exceeds the remaining size; `N` the description of an item that cannot be stored.
 */
export type Lines = AsyncGenerator<string, void, undefined>;

export async function* readItems(kind: Kind, room: () => number): Lines {
  if (kind === 'localStorage' || kind === 'sessionStorage') yield* readArea(globalThis[kind]);
  else if (kind === 'indexedDB') yield* readDatabases(room);
  // Caches exist in secure contexts only.
  else if ('caches' in globalThis) yield* readCaches(room);
}

function* readArea(area: Storage): Generator<string> {
  for (let at = 0; at < area.length; at++) {
    const name = area.key(at);
    if (name !== null) yield `I ${JSON.stringify({ name, value: area.getItem(name) })}`;
  }
}

async function* readDatabases(room: () => number): Lines {
  for (const { name } of await indexedDB.databases()) {
    if (name === undefined) continue;
    try {
      const database = await openExisting(name);
      if (database === undefined) continue;
      try {
        yield `D ${JSON.stringify({ name, version: database.version })}`;
        for (const store of database.objectStoreNames) yield* readStore(database.transaction(store).objectStore(store), room);
      } finally {
        database.close();
      }
    } catch (error) {
      yield `N ${JSON.stringify(`a database of IndexedDB: ${error instanceof Error || error instanceof DOMException ? error.name : 'unknown error'}`)}`;
    }
  }
}

/** Undefined if the database has been deleted meanwhile: opening must not create it again. */
function openExisting(name: string): Promise<IDBDatabase | undefined> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name);
    // Opening is blocked while the page deletes the database.
    const timer = setTimeout(() => reject(new DOMException('it did not open', 'TimeoutError')), 5000);
    request.addEventListener('upgradeneeded', () => request.transaction?.abort());
    request.addEventListener('success', () => {
      clearTimeout(timer);
      request.result.addEventListener('versionchange', () => request.result.close());
      resolve(request.result);
    });
    request.addEventListener('error', () => {
      clearTimeout(timer);
      resolve(undefined);
    });
  });
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('the request failed')));
  });
}

function keyPathOf({ keyPath }: IDBObjectStore | IDBIndex): object {
  const path: unknown = keyPath;
  if (typeof path === 'string') return { keyPath: path };
  // A DOMStringList in some browsers, an array in others.
  return path === null ? {} : { keyPathArray: Array.from(path as ArrayLike<string>) };
}

async function* readStore(store: IDBObjectStore, room: () => number): Lines {
  const { name, autoIncrement, keyPath } = store;
  const { db } = store.transaction;
  const indexes = [...store.indexNames].map((index) => {
    const found = store.index(index);
    return { name: index, ...keyPathOf(found), multiEntry: found.multiEntry, unique: found.unique };
  });
  const keys = await resultOf(store.getAllKeys());
  yield `S ${JSON.stringify({ name, ...keyPathOf(store), autoIncrement, indexes })}`;
  // A transaction ends when another promise is awaited, so each batch has its own. Large values are read one at a time.
  let size = 1;
  for (let at = 0; at < keys.length;) {
    const some = keys.slice(at, at + size);
    at += some.length;
    const fresh = db.transaction(name).objectStore(name);
    const values = await Promise.all(some.map((key) => resultOf<unknown>(fresh.get(key))));
    let chars = 0;
    for (const [index, key] of some.entries()) {
      const line = await recordOf([keyPath === null ? key : undefined, values[index]]);
      chars += line.length;
      yield line.length > room() ? 'L' : line;
    }
    size = chars < 100_000 ? Math.min(size * 2, 500) : 1;
  }
}

async function recordOf([key, value]: readonly [IDBValidKey | undefined, unknown]): Promise<string> {
  try {
    const inline = key === undefined ? {} : isPlain(key) ? { key } : { keyEncoded: await encode(key) };
    const stored = isPlain(value) ? { value } : { valueEncoded: await encode(value) };
    return `R ${JSON.stringify({ ...inline, ...stored })}`;
  } catch (error) {
    return `N ${JSON.stringify(`a record of IndexedDB: ${error instanceof Error ? error.message : String(error)}`)}`;
  }
}

async function* readCaches(room: () => number): Lines {
  for (const name of await caches.keys()) {
    yield `C ${JSON.stringify({ name })}`;
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      // Matching the request with its own headers finds its own variant (`Vary`).
      const response = await cache.match(request);
      if (response === undefined) continue;
      const { status, statusText, type, url } = response;
      const body = type === 'opaque' ? new Uint8Array() : new Uint8Array(await response.arrayBuffer());
      const entry = {
        request: { method: request.method, url: request.url, headers: listHeaders(request.headers) },
        response: { status, statusText, type, url, headers: listHeaders(response.headers) },
        bodyBase64: body.length > room() ? '' : toBase64(body),
      };
      yield body.length > room() ? 'L' : `E ${JSON.stringify(entry)}`;
    }
  }
}

function listHeaders(headers: Headers): readonly { readonly name: string; readonly value: string }[] {
  return [...headers].map(([name, value]) => ({ name, value }));
}
