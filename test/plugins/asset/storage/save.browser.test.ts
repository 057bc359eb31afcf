import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { openStorageHost, type StorageHost } from './storage-host.js';

let site: Site;
let host: StorageHost;

const store = (text: string, then = '') => `<!doctype html><script>
  localStorage.setItem('local', '${text}'); sessionStorage.setItem('session', '${text}');
  window.report = (async () => {
    const open = indexedDB.open('db');
    open.onupgradeneeded = () => open.result.createObjectStore('s').put('${text}', 'k');
    await new Promise((done) => { open.onsuccess = done; });
    await (await caches.open('c')).put('/kept', new Response('${text}', { headers: { 'x-kind': 'kept' } }));
    ${then}
    return 'stored';
  })();
</script>`;

beforeAll(async () => {
  const to = (path: string, name: string) => new URL(site.url(path, name)).href;
  site = await openSite({
    '/store': store('here'),
    '/store-404': { status: 404, body: store('not here') },
    '/plain': '<!doctype html><script>window.report = 1</script>',
    '/leave': () =>
      store(
        'left',
        `document.cookie = 'left=1'; location.href = ${JSON.stringify(to('/arrive', 'localhost'))}; await new Promise(() => {});`,
      ),
    '/arrive': store('arrived'),
    '/worker': store(
      'mine',
      `const w = await navigator.serviceWorker.register('/worker.js'); await navigator.serviceWorker.ready; await new Promise((done) => navigator.serviceWorker.controller ? done() : navigator.serviceWorker.addEventListener('controllerchange', done)); location.href = ${JSON.stringify('LOCALHOST')}; await new Promise(() => {});`,
    ).replace('"LOCALHOST"', `'http://localhost:' + location.port + '/arrive'`),
    '/worker.js': {
      headers: { 'content-type': 'text/javascript' },
      body: `onactivate = (e) => e.waitUntil(clients.claim()); onfetch = (e) => e.respondWith(new Response('<script>localStorage.clear()</script>', { headers: { 'content-type': 'text/html' } }));`,
    },
    '/frames': () => `<!doctype html><script>
      localStorage.setItem('top', '1');
      window.report = new Promise((done) => { let left = 3; onmessage = () => { if (--left === 0) done('all'); }; });
      </script><iframe src="/framed"></iframe><iframe src="${to('/framed', 'localhost')}"></iframe><iframe sandbox="allow-scripts" src="/sandboxed"></iframe>`,
    '/framed': `<script>localStorage.setItem('framed', '1'); sessionStorage.setItem('framed', '1'); parent.postMessage(1, '*')</script>`,
    '/sandboxed': `<script>parent.postMessage(1, '*')</script>`,
    '/popup': () =>
      `<!doctype html><script>window.report = new Promise((done) => { onmessage = () => done(1); }); const go = () => open(${JSON.stringify(to('/popped', 'localhost'))});</script>`,
    '/popped': `<script>localStorage.setItem('popped', '1'); sessionStorage.setItem('popped', '1'); opener.postMessage(1, '*')</script>`,
    '/opaque': `<script>window.report = (async () => {
      await (await caches.open('c')).put('/elsewhere', await fetch(location.href.replace('127.0.0.1', 'localhost'), { mode: 'no-cors' }));
    })()</script>`,
    '/hang': `<script>localStorage.setItem('hang', '1'); window.report = { then(done) { done(1); setTimeout(() => { for (;;); }, 0); } }</script>`,
    '/hang-again': `<script>window.report = { then(done) { done(1); setInterval(() => { for (;;); }, 0); } }</script>`,
  });
  host = openStorageHost();
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const origin = (name = '127.0.0.1') => new URL(site.url('/', name)).origin;

const stored = (name: string, text: string) => ({
  origin: origin(name),
  localStorage: [{ name: 'local', value: text }],
  sessionStorage: [{ name: 'session', value: text }],
  indexedDB: [{ name: 'db', version: 1, stores: [{ name: 's', autoIncrement: false, indexes: [], records: [{ key: 'k', value: text }] }] }],
  cacheStorage: [
    {
      name: 'c',
      entries: [
        {
          request: { method: 'GET', url: site.url('/kept', name), headers: [] },
          response: {
            status: 200,
            statusText: '',
            type: 'default',
            url: '',
            headers: expect.arrayContaining([{ name: 'x-kind', value: 'kept' }]),
          },
          bodyBase64: Buffer.from(text).toString('base64'),
        },
      ],
    },
  ],
});

describe('the storage that a render ends with', () => {
  it('is an asset "storage" in JSON', async () => {
    const result = await host.host.render({ url: site.url('/store'), output_type: 'report', with_storage: true });
    expect(result.assets.kept).toEqual([
      expect.objectContaining({ name: 'storage', contentType: 'application/json', extension: 'storage.json' }),
    ]);
    const { state, incomplete } = await host.render({ url: site.url('/store'), with_storage: true });
    expect(incomplete).toBeUndefined();
    expect(state).toEqual({ cookies: [], origins: [stored('127.0.0.1', 'here')] });
  });

  it('has the origins that the page has left, though their documents are gone', async () => {
    const asked = site.requests.length;
    const { state } = await host.render({ url: site.url('/leave'), with_storage: true, javascript: 'await window.report' });
    expect(state.origins).toEqual([stored('localhost', 'arrived'), stored('127.0.0.1', 'left')]);
    expect(state.cookies).toEqual([expect.objectContaining({ name: 'left', value: '1', domain: '127.0.0.1' })]);
    const seen = site.requests.slice(asked).map(({ url }) => url);
    expect(seen.filter((url) => url !== '/favicon.ico')).toEqual(['/leave', '/arrive']);
  });

  it('has them past their service workers too', async () => {
    const { state } = await host.render({ url: site.url('/worker'), with_storage: true, javascript: 'await window.report' });
    expect(state.origins).toEqual([stored('localhost', 'arrived'), stored('127.0.0.1', 'mine')]);
  });

  it('has frames of the same origin; those below another site, and sandboxed ones, have no storage of their own', async () => {
    const started = { origin: origin('localhost'), localStorage: [{ name: 'before', value: '1' }] };
    const { state } = await host.render({ url: site.url('/frames'), with_storage: { origins: [started] } });
    expect(state.origins).toEqual([
      {
        origin: origin(),
        localStorage: [
          { name: 'framed', value: '1' },
          { name: 'top', value: '1' },
        ],
        sessionStorage: [{ name: 'framed', value: '1' }],
        indexedDB: [],
        cacheStorage: [],
      },
      { ...started, sessionStorage: [], indexedDB: [], cacheStorage: [] },
    ]);
  });

  it("has its popups' storage, but not their sessionStorage, which is a tab's own", async () => {
    const { state } = await host.render({ url: site.url('/popup'), with_storage: true, javascript: 'go()' });
    expect(state.origins).toEqual([
      expect.objectContaining({ origin: origin('localhost'), localStorage: [{ name: 'popped', value: '1' }], sessionStorage: [] }),
    ]);
  });

  it('keeps opaque answers of Cache Storage as answers with status 0', async () => {
    const { state } = await host.render({ url: site.url('/opaque'), with_storage: true });
    expect(state.origins[0].cacheStorage[0].entries).toEqual([
      {
        request: expect.objectContaining({ url: site.url('/elsewhere') }),
        response: { status: 0, statusText: '', type: 'opaque', url: '', headers: [] },
        bodyBase64: '',
      },
    ]);
  });

  it('has what was there at the start, where no document has been since', async () => {
    const start = stored('elsewhere.test', 'kept');
    const indexes = [{ name: 'i', keyPath: 'x', unique: false, multiEntry: false }];
    const odd = { name: 'odd', version: 2, stores: [{ name: 'a', keyPathArray: ['x', 'y'], autoIncrement: false, indexes, records: [] }] };
    const cache = [{ name: 'c', entries: [{ request: { url: 'http://elsewhere.test/' }, response: { status: 201 }, bodyBase64: 'AA==' }] }];
    const state = { ...start, indexedDB: [...start.indexedDB, odd], cacheStorage: cache, origin: 'https://elsewhere.test' };
    expect((await host.render({ url: site.url('/plain'), with_storage: { origins: [state] } })).state.origins).toEqual([state]);
  });

  it('is left by a render that fails, too', async () => {
    const failed = host.host.render({ url: site.url('/store-404'), output_type: 'report', with_storage: true });
    const left = { kept: [expect.objectContaining({ name: 'storage' })], missing: [] };
    await expect(failed).rejects.toMatchObject({ code: 'target_status', assets: left });
  });

  it('leaves a page alone that is still being captured: what only leaving it could tell is missing, and said to be', async () => {
    const params = { url: site.url('/leave'), with_storage: true, javascript: 'await window.report', output_type: 'streamed' };
    const { report, state, incomplete } = await host.render(params);
    expect(incomplete).toBe(`the storage of ${origin()} could not be read completely`);
    expect(report).toBe(site.url('/arrive', 'localhost'));
    expect(state.origins).toEqual([stored('localhost', 'arrived')]);
    expect(host.logged).toContainEqual({ fields: { origins: [origin()] }, message: expect.stringContaining('still being captured') });
  });

  it('of a page that hangs is read all the same, once its script is ended', async () => {
    const { report, state } = await host.render({ url: site.url('/hang'), with_storage: true });
    expect(report).toBe(1);
    expect(state.origins[0].localStorage).toEqual([{ name: 'hang', value: '1' }]);
  });

  it('of a page that hangs for good is missing, and the render goes on', async () => {
    const { report, missing } = await host.render({ url: site.url('/hang-again'), with_storage: true });
    expect(report).toBe(1);
    expect(missing).toEqual([{ name: 'storage', reason: 'the page does not respond' }]);
  });
});
