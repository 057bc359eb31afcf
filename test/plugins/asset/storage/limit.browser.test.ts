import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStorageFile, type Place } from '../../../../plugins/asset/storage/src/storage-file.js';
import { createPendingItems } from '../../../../plugins/asset/storage/src/pending-items.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { openStorageHost, type StorageHost } from './storage-host.js';

const EMPTY = '{"cookies":[],"origins":[]}';
const place = (kind: Place['kind'], origin = 'http://a'): Place => ({ origin, kind });

function write(limit: number, lines: readonly (readonly [string, Place])[]) {
  const file = createStorageFile(limit);
  for (const [line, where] of lines) file.addLine(line, where);
  return { text: Buffer.concat([...file.pieces()]).toString(), omittedCount: file.omittedCount, room: file.room };
}

const LINES = [
  ['I {"name":"a","value":"é"}', place('localStorage')],
  ['I {"name":"b","value":""}', place('localStorage')],
  ['I {"name":"c","value":""}', place('sessionStorage', 'http://b')],
  ['D {"name":"d","version":1}', place('indexedDB')],
  ['S {"name":"s"}', place('indexedDB')],
  ['R {"key":1}', place('indexedDB')],
  ['R {"key":2}', place('indexedDB')],
  ['C {"name":"c"}', place('cacheStorage')],
  ['E {"request":{}}', place('cacheStorage')],
] as const;

describe('a storage file', () => {
  it('is JSON of exactly the bytes that were counted', () => {
    const whole = write(10_000, LINES);
    expect(JSON.parse(whole.text)).toEqual({
      cookies: [],
      origins: [
        {
          origin: 'http://a',
          localStorage: [
            { name: 'a', value: 'é' },
            { name: 'b', value: '' },
          ],
          sessionStorage: [],
          indexedDB: [{ name: 'd', version: 1, stores: [{ name: 's', records: [{ key: 1 }, { key: 2 }] }] }],
          cacheStorage: [{ name: 'c', entries: [{ request: {} }] }],
        },
        { origin: 'http://b', localStorage: [], sessionStorage: [{ name: 'c', value: '' }], indexedDB: [], cacheStorage: [] },
      ],
    });
    expect(Buffer.byteLength(whole.text)).toBe(10_000 - whole.room);
    const exact = write(Buffer.byteLength(whole.text), LINES);
    expect(exact).toEqual({ text: whole.text, omittedCount: 0, room: 0 });
  });

  it('is never larger than its limit, whatever the limit is', () => {
    const most = Buffer.byteLength(write(10_000, LINES).text);
    for (let limit = EMPTY.length; limit < most; limit++) {
      const { text, omittedCount } = write(limit, LINES);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
      expect(omittedCount).toBeGreaterThan(0);
      expect(() => JSON.parse(text)).not.toThrow();
    }
    expect(() => createStorageFile(EMPTY.length - 1)).toThrow(RangeError);
    expect(write(EMPTY.length, []).text).toBe(EMPTY);
  });

  it('leaves out each item that would pass the limit, and takes a smaller one that comes later', () => {
    const lines = [
      ['I {"name":"large","value":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}', place('localStorage')],
      ['I {"name":"s","value":""}', place('localStorage')],
    ] as const;
    const { text, omittedCount } = write(150, lines);
    expect(omittedCount).toBe(1);
    expect(text).toContain('"s"');
  });

  it('leaves out what belongs to a store that was left out', () => {
    const long = 'x'.repeat(1000);
    const { text, omittedCount } = write(300, [
      ['D {"name":"d","version":1}', place('indexedDB')],
      [`S {"name":"${long}"}`, place('indexedDB')],
      ['R {"key":1}', place('indexedDB')],
      ['S {"name":"t"}', place('indexedDB')],
      ['R {"key":2}', place('indexedDB')],
    ]);
    expect(omittedCount).toBe(2);
    expect(JSON.parse(text).origins[0].indexedDB).toEqual([{ name: 'd', version: 1, stores: [{ name: 't', records: [{ key: 2 }] }] }]);
  });
});

describe('what waits for other origins', () => {
  it('is no more than twice what a file may have: what comes last in the order goes first', () => {
    const pending = createPendingItems(100);
    const item = (letter: string, bytes: number) => `${letter} ${'x'.repeat(bytes)}`;
    pending.add(item('C', 10), place('cacheStorage'));
    pending.add(item('E', 80), place('cacheStorage'));
    pending.add(item('I', 50), place('sessionStorage'));
    expect([pending.room('localStorage'), pending.room('sessionStorage'), pending.omittedCount]).toEqual([100, 50, 0]);
    pending.add(item('I', 70), place('localStorage', 'http://b'));
    pending.add(item('I', 31), place('sessionStorage'));
    expect(pending.omittedCount).toBe(2);
    expect([...pending.inOrder()].map(([line, { kind }]) => [line.length - 2, kind])).toEqual([
      [70, 'localStorage'],
      [50, 'sessionStorage'],
      [10, 'cacheStorage'],
    ]);
  });
});

describe('storage_limit of the storage file', () => {
  let site: Site;
  let host: StorageHost;
  const page = `<!doctype html><script>window.report = (async () => {
    const text = 'x'.repeat(1000);
    await (await caches.open('c')).put('/kept', new Response(text));
    const open = indexedDB.open('db');
    open.onupgradeneeded = () => { const store = open.result.createObjectStore('s'); store.put(text, 1); store.put('small', 2); };
    await new Promise((done) => { open.onsuccess = done; });
    sessionStorage.setItem('session', text); localStorage.setItem('local', text);
  })()</script>`;

  const left = `<!doctype html><script>localStorage.setItem('gone', 'a'.repeat(600)); window.report = new Promise(() => {}); location.href = TARGET;</script>`;

  beforeAll(async () => {
    site = await openSite({
      '/': page,
      '/left': () => left.replace('TARGET', JSON.stringify(site.url('/stays', 'localhost'))),
      '/stays': page,
    });
    host = openStorageHost();
  });

  afterAll(async () => {
    await host[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  it.each([
    [1250, [1, 0, 0, 0], 'items omitted for storage_limit: 5'],
    [1400, [1, 0, 1, 0], 'items omitted for storage_limit: 3'],
    [2600, [1, 1, 1, 0], 'items omitted for storage_limit: 2'],
    [3600, [1, 1, 2, 0], 'items omitted for storage_limit: 1'],
    [6000, [1, 1, 2, 1], undefined],
  ])('%i: what comes last in the order localStorage, sessionStorage, IndexedDB, Cache Storage is left out', async (limit, counts, told) => {
    const { state, file, incomplete } = await host.render({ url: site.url('/'), with_storage: true, storage_limit: limit });
    expect(file?.length).toBeLessThanOrEqual(limit);
    const [{ localStorage, sessionStorage, indexedDB, cacheStorage }] = state.origins;
    const records = indexedDB[0]?.stores[0]?.records ?? [];
    expect(incomplete).toBe(told);
    expect([localStorage.length, sessionStorage.length, records.length, cacheStorage[0]?.entries.length ?? 0]).toEqual(counts);
  });

  it('the order holds over all origins, also those that the page has left', async () => {
    const { state, file } = await host.render({ url: site.url('/left'), with_storage: true, storage_limit: 3800 });
    expect(file?.length).toBeLessThanOrEqual(3800);
    // What the assertions below say.
    const origins = state.origins as readonly { readonly localStorage: readonly { readonly name: string }[] }[];
    expect(origins.map(({ localStorage }) => localStorage.map(({ name }) => name))).toEqual([['local'], ['gone']]);
    const [stays] = state.origins;
    expect(stays.indexedDB[0].stores[0].records).toHaveLength(1);
    expect(stays.cacheStorage[0]?.entries ?? []).toEqual([]);
  });

  it('too small for any storage: the asset is missing, with the reason', async () => {
    const { file, missing } = await host.render({ url: site.url('/'), with_storage: true, storage_limit: 10 });
    expect(file).toBeUndefined();
    expect(missing).toEqual([{ name: 'storage', reason: '"storage_limit" is too small for any storage file: 10 bytes' }]);
  });
});
