import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { openStorageHost, type StorageHost } from './storage-host.js';

let site: Site;
let host: StorageHost;

const FULL = `<!doctype html><script>window.report = (async () => {
  const open = indexedDB.open('db');
  const db = await new Promise((done) => { open.onsuccess = () => done(open.result); });
  const stores = {};
  for (const name of db.objectStoreNames) {
    const store = db.transaction(name).objectStore(name);
    const get = (request) => new Promise((done) => { request.onsuccess = () => done(request.result); });
    stores[name] = {
      keyPath: store.keyPath, autoIncrement: store.autoIncrement, keys: JSON.parse(JSON.stringify(await get(store.getAllKeys()))), values: await get(store.getAll()),
      indexes: [...store.indexNames].map((name) => { const { keyPath, unique, multiEntry } = store.index(name); return { name, keyPath, unique, multiEntry }; }),
    };
  }
  const added = await new Promise((done) => {
    const request = db.transaction('counted', 'readwrite').objectStore('counted').add({ text: 'next' });
    request.onsuccess = () => done(request.result);
  });
  const answer = await caches.match('/cached');
  const variant = await (await caches.match(new Request('/vary', { headers: { 'x-lang': 'de' } }))).text();
  return {
    version: db.version, stores, added, variant, empty: (await (await caches.open('v1')).match('/empty')).status,
    cached: { status: answer.status, statusText: answer.statusText, type: answer.headers.get('content-type'), bytes: [...new Uint8Array(await answer.arrayBuffer())] },
  };
})()</script>`;

beforeAll(async () => {
  site = await openSite({ '/full': FULL, '/plain': '' });
  host = openStorageHost();
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

it('with_storage restores databases with their keys, indexes and counters, and caches with their answers', async () => {
  const { report } = await host.render({
    url: site.url('/full'),
    with_storage: {
      origins: [
        {
          origin: new URL(site.url('/')).origin,
          indexedDB: [
            {
              name: 'db',
              version: 7,
              stores: [
                { name: 'counted', keyPath: 'id', autoIncrement: true, records: [{ value: { id: 41, text: 'last' } }] },
                { name: 'empty' },
                {
                  name: 'listed',
                  keyPathArray: ['a', 'b.c'],
                  indexes: [
                    { name: 'tags', keyPath: 'tags', multiEntry: true, unique: false },
                    { name: 'both', keyPathArray: ['b.c', 'a'], unique: true, multiEntry: false },
                  ],
                  records: [{ value: { a: 1, b: { c: 'x' }, tags: ['p', 'q'] } }],
                },
                {
                  name: 'outside',
                  records: [
                    { key: 0, value: 0 },
                    { key: 1, value: false },
                    { key: 2, value: '' },
                    { key: 3, valueEncoded: { v: 'null' } },
                    { key: 4, value: null },
                    { key: ['k', [2]], value: 'list' },
                    { keyEncoded: { d: '2001-02-03T04:05:06.007Z' }, value: 'date' },
                  ],
                },
              ],
            },
          ],
          cacheStorage: [
            {
              name: 'v1',
              entries: [
                {
                  request: { method: 'GET', url: site.url('/cached') },
                  response: { status: 203, statusText: 'Kept', headers: [{ name: 'content-type', value: 'x/y' }] },
                  bodyBase64: Buffer.from([0, 255, 128]).toString('base64'),
                },
                { request: { url: site.url('/empty') }, response: { status: 204 }, bodyBase64: '' },
                {
                  request: { url: site.url('/vary'), headers: [{ name: 'x-lang', value: 'de' }] },
                  response: { headers: [{ name: 'vary', value: 'x-lang' }] },
                  bodyBase64: Buffer.from('de').toString('base64'),
                },
                { request: { url: site.url('/opaque') }, response: { status: 0, type: 'opaque' } },
              ],
            },
          ],
        },
      ],
    },
  });
  expect(report).toMatchObject({
    version: 7,
    added: 42,
    variant: 'de',
    empty: 204,
    cached: { status: 203, statusText: 'Kept', type: 'x/y', bytes: [0, 255, 128] },
    stores: {
      counted: { keyPath: 'id', autoIncrement: true, keys: [41] },
      empty: { keyPath: null, autoIncrement: false, keys: [], values: [] },
      listed: {
        keyPath: ['a', 'b.c'],
        keys: [[1, 'x']],
        indexes: [
          { name: 'both', keyPath: ['b.c', 'a'], unique: true, multiEntry: false },
          { name: 'tags', keyPath: 'tags', unique: false, multiEntry: true },
        ],
      },
      outside: {
        keys: [0, 1, 2, 3, 4, '2001-02-03T04:05:06.007Z', ['k', [2]]],
        values: [0, false, '', null, null, 'date', 'list'],
      },
    },
  });
});

it('with_storage restores and returns records of many megabytes, to the last character', async () => {
  const value = { text: 'é🎈"'.repeat(600_000), bytes: 'AAEC'.repeat(500_000) };
  const records = [
    { key: 1, value },
    { key: 2, valueEncoded: { ab: { b: value.bytes } } },
  ];
  const stores = [{ name: 's', autoIncrement: false, indexes: [], records }];
  const origins = [{ origin: new URL(site.url('/')).origin, indexedDB: [{ name: 'large', version: 1, stores }] }];
  const { state } = await host.render({ url: site.url('/plain'), with_storage: { origins }, timeout: 100 });
  expect(state.origins[0].indexedDB).toEqual(origins[0]?.indexedDB);
});
