import type { CachedEntry, Database, DatabaseRecord, KeyPath, NamedValue } from '../state.js';
import { decode, fromBase64 } from './decode.js';

/** An item that the browser rejected: its index and the reason; null if all items were written. */
export type Refusal = { readonly at: number; readonly why: string } | null;

/** Lists of items with their destination. */
export interface Written {
  readonly area: { readonly area: 'localStorage' | 'sessionStorage'; readonly items: readonly NamedValue[] };
  readonly database: Omit<Database, 'stores'> & { readonly stores: readonly Omit<Database['stores'][number], 'records'>[] };
  readonly records: { readonly database: string; readonly store: string; readonly items: readonly DatabaseRecord[] };
  readonly cached: { readonly cache: string; readonly items: readonly CachedEntry[] };
}

/** Only the kind of the error: messages quote names and values. */
function reasonOf(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : 'unknown error';
}

export function writeArea({ area, items }: Written['area']): Refusal {
  for (const [at, { name, value }] of items.entries()) {
    try {
      globalThis[area].setItem(name, value);
    } catch (error) {
      return { at, why: reasonOf(error) };
    }
  }
  return null;
}

function requestResult<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => {
      resolve(request.result);
    });
    request.addEventListener('error', () => {
      reject(request.error ?? new Error('the request failed'));
    });
  });
}

/** Creates a database at its version with its stores and indexes, all still empty. */
export async function createDatabase({ name, version, stores }: Written['database']): Promise<Refusal> {
  const request = indexedDB.open(name, version);
  let at = 0;
  let why = '';
  request.addEventListener('upgradeneeded', () => {
    try {
      for (const { name: store, autoIncrement = false, indexes = [], ...keys } of stores) {
        const made = request.result.createObjectStore(store, { keyPath: pathOf(keys), autoIncrement });
        for (const { name: index, unique = false, multiEntry = false, ...on } of indexes) {
          made.createIndex(index, pathOf(on) ?? '', { unique, multiEntry });
        }
        at++;
      }
    } catch (error) {
      why = reasonOf(error);
      request.transaction?.abort();
    }
  });
  try {
    (await requestResult(request)).close();
    return null;
  } catch (error) {
    return { at, why: why === '' ? reasonOf(error) : why };
  }
}

/** Null: the store has no key path. */
function pathOf({ keyPath, keyPathArray }: KeyPath): string | string[] | null {
  return keyPathArray === undefined ? (keyPath ?? null) : [...keyPathArray];
}

export async function putRecords({ database, store, items }: Written['records']): Promise<Refusal> {
  let opened: IDBDatabase | undefined;
  // The first error is the cause; later ones only report the aborted transaction.
  const refusals: NonNullable<Refusal>[] = [];
  try {
    opened = await requestResult(indexedDB.open(database));
    const transaction = opened.transaction(store, 'readwrite');
    const done = new Promise<void>((resolve) => {
      for (const end of ['complete', 'abort']) transaction.addEventListener(end, () => resolve());
    });
    const target = transaction.objectStore(store);
    for (const [at, record] of items.entries()) {
      try {
        const put = putRecord(target, record);
        put.addEventListener('error', () => refusals.push({ at, why: reasonOf(put.error) }));
      } catch (error) {
        refusals.push({ at, why: reasonOf(error) });
        transaction.abort();
        break;
      }
    }
    await done;
    // Some errors, such as a full disk, occur only at the end of the transaction.
    if (transaction.error !== null) refusals.push({ at: items.length - 1, why: reasonOf(transaction.error) });
    return refusals[0] ?? null;
  } catch (error) {
    return { at: 0, why: reasonOf(error) };
  } finally {
    opened?.close();
  }
}

function putRecord(store: IDBObjectStore, record: DatabaseRecord): IDBRequest {
  const value = 'value' in record ? record.value : decode(record.valueEncoded);
  // A store with a key path rejects separate keys.
  if (store.keyPath !== null) return store.put(value);
  const key = 'key' in record ? record.key : decode(record.keyEncoded);
  // The store rejects invalid keys.
  return key === undefined ? store.put(value) : store.put(value, key as IDBValidKey);
}

export async function putCached({ cache, items }: Written['cached']): Promise<Refusal> {
  let at = 0;
  try {
    const opened = await caches.open(cache);
    for (const { request, response, bodyBase64 = '' } of items) {
      const { status = 200, statusText = '', headers } = response;
      at++;
      // Scripts cannot create opaque responses, so the page will request them from the network.
      if (status === 0) continue;
      const init = { status, statusText, headers: toHeaders(headers) };
      // Such a response has no body, not even an empty one (Fetch standard, "null body status").
      const isNull = [101, 103, 204, 205, 304].includes(status);
      const restored = new Response(isNull ? null : fromBase64(bodyBase64), init);
      await opened.put(new Request(request.url, { headers: toHeaders(request.headers) }), restored);
    }
    return null;
  } catch (error) {
    return { at: Math.max(0, at - 1), why: reasonOf(error) };
  }
}

function toHeaders(headers: CachedEntry['request']['headers'] = []): Headers {
  const made = new Headers();
  for (const { name, value } of headers) made.append(name, value);
  return made;
}
