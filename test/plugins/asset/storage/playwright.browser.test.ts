import { findBrowsers } from '@platen/kernel';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { openStorageHost, type StorageHost } from './storage-host.js';

let site: Site;
let host: StorageHost;
let browser: Browser;

/** Values that both sides have a form for. */
const LIBRARY = `
  const answer = (request) => new Promise((done, fail) => { request.onsuccess = () => done(request.result); request.onerror = () => fail(request.error); });
  const loop = { name: 'loop', when: new Date(9) }; loop.self = loop;
  const values = [0, false, '', null, 'text', -1.5, NaN, { a: [1, { b: null }] }, new Date(5), /x/g, 12n, new Uint8Array([1, 2]), new Uint8Array([3]).buffer,
    new Map([['k', new Set([1, 'a'])]]), new Map(), loop, [undefined, -0], new TypeError('oh')];
  const show = (value) => JSON.stringify(value, (key, inner) =>
    typeof inner === 'bigint' ? 'big ' + inner : inner instanceof Map ? ['map', ...inner] : inner instanceof Set ? ['set', ...inner] : inner instanceof RegExp || inner instanceof Error ? String(inner)
      : inner instanceof ArrayBuffer ? ['buffer', ...new Uint8Array(inner)] : Object.is(inner, -0) ? '-0' : typeof inner === 'number' && !Number.isFinite(inner) ? String(inner) : inner === undefined ? 'undefined' : key === 'self' ? inner.name : inner);
  const report = async () => {
    const db = await answer(indexedDB.open('db'));
    const store = db.transaction('all').objectStore('all'), keys = await answer(store.getAllKeys()), all = await answer(store.getAll());
    const keyed = db.transaction('keyed').objectStore('keyed');
    return { local: { ...localStorage }, cookie: document.cookie, version: db.version, keys: keys.map(show), values: all.map(show),
      keyed: [keyed.keyPath, keyed.autoIncrement, [...keyed.indexNames], await answer(keyed.getAll())] };
  };`;

const MAKE = `<!doctype html><script>${LIBRARY}
  window.report = (async () => {
    localStorage.setItem('name', 'значение'); localStorage.setItem('', 'empty name');
    document.cookie = 'seen=1; path=/; max-age=600'; document.cookie = 'session=2';
    const open = indexedDB.open('db', 4);
    open.onupgradeneeded = () => {
      open.result.createObjectStore('all');
      open.result.createObjectStore('keyed', { keyPath: ['a', 'b'] }).createIndex('by', 'tags', { multiEntry: true });
      open.result.createObjectStore('none', { autoIncrement: true });
    };
    const stores = (await answer(open)).transaction(['all', 'keyed'], 'readwrite');
    values.forEach((value, index) => stores.objectStore('all').put(value, index));
    stores.objectStore('all').put('dated', [new Date(7), 'x']);
    stores.objectStore('keyed').put({ a: 1, b: 2, tags: ['t'] });
    await new Promise((done) => { stores.oncomplete = done; });
    return report();
  })();
</script>`;

beforeAll(async () => {
  site = await openSite({ '/make': MAKE, '/read': `<!doctype html><script>${LIBRARY} window.report = report();</script>` });
  host = openStorageHost();
  const { shell, full } = await findBrowsers();
  const executablePath = (shell ?? full)?.path;
  if (executablePath === undefined) throw new Error('there is no browser');
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
});

afterAll(async () => {
  await browser.close();
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function reportInPlaywright(path: string, storageState?: object): Promise<unknown> {
  // Playwright checks what it is given.
  const context = await browser.newContext(storageState === undefined ? {} : { storageState: storageState as never });
  const page = await context.newPage();
  await page.goto(site.url(path));
  return { found: await page.evaluate('window.report'), state: await context.storageState({ indexedDB: true }) };
}

it('a storage asset loads in Playwright, with every part that Playwright has', async () => {
  const { report, state } = await host.render({ url: site.url('/make'), with_storage: true });
  expect(await reportInPlaywright('/read', state)).toMatchObject({ found: report });
});

it("Playwright's own storage state is restored, and comes back as it came", async () => {
  const made = (await reportInPlaywright('/make')) as { found: unknown; state: { cookies: object[]; origins: object[] } };
  const { report, state } = await host.render({ url: site.url('/read'), with_storage: made.state });
  expect(report).toEqual(made.found);
  expect(state.cookies).toEqual(expect.arrayContaining(made.state.cookies));
  expect(await reportInPlaywright('/read', state)).toMatchObject({ found: made.found });
});
