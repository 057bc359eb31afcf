import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { openStorageHost, type StorageHost } from './storage-host.js';

let site: Site;
let host: StorageHost;

/** Makes the values that are kept; `describe` says all that can be seen of one. */
const LIBRARY = `
  const shared = { of: 'two' }, loop = { name: 'loop' }, list = [1];
  loop.self = loop; loop.map = new Map([[loop, list]]); loop.set = new Set([list, loop]); list.push(list);
  const holes = [1, , undefined, 4]; holes.name = 'named'; holes.length = 6;
  const deep = (levels) => levels === 0 ? 'bottom' : { in: deep(levels - 1) };
  const names = JSON.parse('{"__proto__": 1, "constructor": 2, "prototype": 3}');
  const causal = new Error('outer', { cause: new RangeError('inner', { cause: new Map([['why', 1]]) }) });
  const grown = new Uint8Array(new ArrayBuffer(2, { maxByteLength: 9 })); grown.set([7, 8]);
  const make = () => ({
    zero: 0, minusZero: -0, nan: NaN, inf: Infinity, minusInf: -Infinity, empty: '', no: false, nothing: null, undef: undefined,
    text: 'a\\ud800z', big: 2n ** 70n, date: new Date(1234567890123), badDate: new Date(NaN), regexp: /a(b)?/giu, plain: { a: [1, { b: null }], c: 'd' },
    nested: { u: undefined, n: null, z: -0, d: new Date(0) }, emptyList: [], emptyObject: {}, holes, names, loop, twice: [shared, shared],
    map: new Map([['k', 1], [{ o: 1 }, new Map()], [NaN, undefined]]), set: new Set([1, 'a', null, undefined, -0]),
    buffer: new Uint8Array([1, 2, 255]).buffer, u8: new Uint8Array([0, 128, 255]), i8: new Int8Array([-1]), u8c: new Uint8ClampedArray([300, 5]),
    i16: new Int16Array([-300]), u16: new Uint16Array([65535]), i32: new Int32Array([-70000]), u32: new Uint32Array([4294967295]),
    f16: new Float16Array([1.5]), f32: new Float32Array([0.1, NaN]), f64: new Float64Array([0.1, -0]),
    b64: new BigInt64Array([-5n]), bu64: new BigUint64Array([2n ** 63n]), view: new DataView(new Uint8Array([9, 8, 7]).buffer, 1), part: new Uint8Array([1, 2, 3, 4]).subarray(1, 3),
    blob: new Blob(['bl', new Uint8Array([255])], { type: 'x/y' }), file: new File(['fi'], 'f.txt', { type: 'text/plain', lastModified: 99 }),
    image: new ImageData(new Uint8ClampedArray([1, 2, 3, 4, 5, 6, 7, 8]), 2, 1), error: new RangeError('out'), dom: new DOMException('dm', 'DataError'),
    boxed: [new Number(-0), new String('s'), new Boolean(false), Object(3n)], deep: deep(20), causal, causes: [causal, new TypeError('t', { cause: undefined })],
    growing: grown.buffer, halves: new ImageData(new Float16Array([0, 0.5, 1, 2]), 1, 1, { pixelFormat: 'rgba-float16', colorSpace: 'display-p3' }),
  });
  const describe = async (value, seen = new Map()) => {
    if (Object.is(value, -0)) return '-0';
    if (typeof value !== 'object' || value === null) return typeof value + ':' + (typeof value === 'string' ? JSON.stringify(value) : String(value));
    if (seen.has(value)) return '#' + seen.get(value);
    seen.set(value, seen.size);
    const tag = Object.prototype.toString.call(value).slice(8, -1);
    const all = async (items) => { const out = []; for (const item of items) out.push(await describe(item, seen)); return out; };
    if (value instanceof Blob) return [tag, value.type, value.name, value.lastModified && value instanceof File ? value.lastModified : 0, [...new Uint8Array(await value.arrayBuffer())]];
    if (value instanceof ArrayBuffer) return [tag, value.resizable, value.maxByteLength, [...new Uint8Array(value)]];
    if (ArrayBuffer.isView(value)) return [tag, [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)]];
    if (value instanceof Date) return [tag, String(value.getTime())];
    if (value instanceof RegExp) return [tag, String(value)];
    if (value instanceof ImageData) return [tag, value.width, value.height, value.colorSpace, value.pixelFormat, [...value.data]];
    if (value instanceof Error || value instanceof DOMException) return [tag, value.name, value.message, value instanceof RangeError, Object.hasOwn(value, 'cause') && await describe(value.cause, seen)];
    if (value instanceof Map) return [tag, await all([...value].flat())];
    if (value instanceof Set) return [tag, await all([...value])];
    if (/^(Number|String|Boolean|BigInt)$/.test(tag)) return [tag, await describe(value.valueOf(), seen)];
    return [tag, Array.isArray(value) ? value.length : 0, Object.keys(value), await all(Object.values(value))];
  };
  const answer = (request) => new Promise((done, fail) => { request.onsuccess = () => done(request.result); request.onerror = () => fail(request.error); });
  const read = async () => {
    const store = (await answer(indexedDB.open('values'))).transaction('all').objectStore('all');
    const keys = await answer(store.getAllKeys()), values = await answer(store.getAll());
    return Object.fromEntries(await Promise.all(keys.map(async (key, index) => [key, await describe(values[index])])));
  };`;

const MAKE = `<!doctype html><script>${LIBRARY}
  window.report = (async () => {
    const open = indexedDB.open('values');
    open.onupgradeneeded = () => open.result.createObjectStore('all');
    const store = (await answer(open)).transaction('all', 'readwrite').objectStore('all');
    for (const [key, value] of Object.entries(make())) store.put(value, key);
    await new Promise((done) => { store.transaction.oncomplete = done; });
    return read();
  })();
</script>`;

const UNKEEPABLE = `<!doctype html><script>window.report = (async () => {
  const answer = (request) => new Promise((done) => { request.onsuccess = () => done(request.result); });
  const open = indexedDB.open('values');
  open.onupgradeneeded = () => open.result.createObjectStore('all');
  const db = await answer(open);
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 128 }, false, ['encrypt']);
  const root = await navigator.storage.getDirectory();
  const handle = await root.getFileHandle('secret', { create: true });
  const deep = (levels) => levels === 0 ? new Date(0) : [deep(levels - 1)];
  const store = db.transaction('all', 'readwrite').objectStore('all');
  store.put({ key }, 'crypto'); store.put(handle, 'handle'); store.put(deep(1000), 'deep'); store.put('kept', 'kept');
  await new Promise((done) => { store.transaction.oncomplete = done; });
})();</script>`;

beforeAll(async () => {
  site = await openSite({
    '/make': MAKE,
    '/read': `<!doctype html><script>${LIBRARY} window.report = read();</script>`,
    '/unkeepable': UNKEEPABLE,
  });
  host = openStorageHost();
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe('values of IndexedDB', () => {
  it('of every type that can be stored come back as they were, and once more', async () => {
    const made = await host.render({ url: site.url('/make'), with_storage: true });
    expect(Object.keys(made.report)).toHaveLength(50);
    const read = await host.render({ url: site.url('/read'), with_storage: made.state });
    expect(read.report).toEqual(made.report);
    expect(read.state).toEqual(made.state);
    const records: readonly { readonly key: string }[] = made.state.origins[0].indexedDB[0].stores[0].records;
    const kept = (key: string) => records.find((record) => record.key === key);
    expect(kept('plain')).toEqual({ key: 'plain', value: { a: [1, { b: null }], c: 'd' } });
    expect(kept('nothing')).toEqual({ key: 'nothing', valueEncoded: { v: 'null' } });
    expect(kept('names')).not.toHaveProperty('value');
  });

  it('that cannot be kept are left out with a note, the others stay', async () => {
    const { state, incomplete } = await host.render({ url: site.url('/unkeepable'), with_storage: true });
    expect(state.origins[0].indexedDB[0].stores[0].records).toEqual([{ key: 'kept', value: 'kept' }]);
    const reasons = host.logged.map(({ fields }) => ('reason' in fields ? String(fields.reason) : ''));
    for (const reason of ['a CryptoKey', 'a FileSystemFileHandle', 'nested too deeply']) {
      expect(reasons).toContainEqual(expect.stringContaining(reason));
      expect(incomplete).toMatch(new RegExp(`${new URL(site.url('/')).origin}: a record of IndexedDB: [^;]*${reason}`));
    }
  });
});
