import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { openStorageHost, type StorageHost } from './storage-host.js';

let site: Site;
let host: StorageHost;
let withDefault: StorageHost;
let folder: string;

/** What the page's first script finds. */
const FIRST = `<!doctype html><script>
  const areas = { local: { ...localStorage }, session: { ...sessionStorage }, cookie: document.cookie, referrer: document.referrer, history: history.length };
  window.report = (async () => {
    const registrations = (await navigator.serviceWorker?.getRegistrations())?.length;
    const databases = await indexedDB.databases();
    return { ...areas, registrations, databases, caches: await globalThis.caches?.keys() };
  })();
</script>`;

beforeAll(async () => {
  site = await openSite({
    '/': FIRST,
    '/lengths':
      '<script>window.report = [localStorage.length, [...localStorage.getItem("odd")].map((c) => c.codePointAt(0)), localStorage.getItem("ключ🗝")]</script>',
  });
  folder = await mkdtemp(join(tmpdir(), 'platen-storage-'));
  const file = join(folder, 'default.json');
  await writeFile(file, JSON.stringify({ origins: [{ origin: origin(), localStorage: [{ name: 'from', value: 'default' }] }] }));
  host = openStorageHost();
  withDefault = openStorageHost({ storage: file });
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await withDefault[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const origin = (name = '127.0.0.1') => new URL(site.url('/', name)).origin;
const local = (items: Readonly<Record<string, string>>, at = origin()) => ({
  origins: [{ origin: at, localStorage: Object.entries(items).map(([name, value]) => ({ name, value })) }],
});

/** The protocol's methods that are sent while `run` runs. */
async function methodsOf(run: () => Promise<unknown>): Promise<string[]> {
  // The one way out of all sessions; puppeteer keeps it out of its types.
  const spy = vi.spyOn(Connection.prototype as unknown as { _rawSend: (...args: readonly unknown[]) => Promise<unknown> }, '_rawSend');
  try {
    await run();
    return spy.mock.calls.map(([, method]) => String(method));
  } finally {
    spy.mockRestore();
  }
}

describe('with_storage as an object', () => {
  it('is there before the first script and before the first request, and leaves no trace of its making', async () => {
    const plain = await host.render({ url: site.url('/') });
    const asked = site.requests.length;
    const { report } = await host.render({
      url: site.url('/'),
      with_storage: {
        cookies: [{ name: 'c', value: '1', domain: '127.0.0.1', path: '/' }],
        origins: [
          {
            origin: origin(),
            localStorage: [{ name: 'a', value: 'b' }],
            sessionStorage: [{ name: 's', value: 't' }],
            indexedDB: [{ name: 'db', version: 3, stores: [{ name: 'st', records: [{ key: 1, value: 'x' }] }] }],
            cacheStorage: [{ name: 'cc', entries: [] }],
          },
          { origin: origin('localhost'), localStorage: [{ name: 'other', value: 'origin' }] },
        ],
      },
    });
    const restored = { local: { a: 'b' }, session: { s: 't' }, cookie: 'c=1', databases: [{ name: 'db', version: 3 }], caches: ['cc'] };
    expect(report).toEqual({ ...plain.report, ...restored });
    // Full Chromium asks for icons when it pleases.
    const seen = site.requests.slice(asked).filter(({ url, headers }) => url !== '/favicon.ico' || headers.host?.startsWith('localhost'));
    expect(seen.map(({ url, headers }) => [url, headers.cookie])).toEqual([['/', 'c=1']]);
  });

  it('pauses no request of the page itself', async () => {
    const methods = await methodsOf(() => host.render({ url: site.url('/'), with_storage: local({ a: 'b' }) }));
    expect(methods.filter((method) => method.startsWith('Fetch.'))).toEqual(['Fetch.enable', 'Fetch.fulfillRequest', 'Fetch.disable']);
  });

  it('keeps every string: of any script, and halves of characters too', async () => {
    const odd = '\ud83d\u0000\udddd-\udddd\ud83d';
    const { report, state } = await host.render({
      url: site.url('/lengths'),
      with_storage: local({ odd, 'ключ🗝': 'значение 🎈' }),
    });
    expect(report).toEqual([2, Array.from(odd, (character) => character.codePointAt(0)), 'значение 🎈']);
    expect(state.origins[0].localStorage).toEqual([
      { name: 'odd', value: odd },
      { name: 'ключ🗝', value: 'значение 🎈' },
    ]);
  });

  it('may have ten thousand items', async () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`name ${String(index)}`, 'v'.repeat(50)]));
    const { report, state } = await host.render({ url: site.url('/lengths'), with_storage: local({ ...many, odd: '' }) });
    expect(report[0]).toBe(10_001);
    expect(state.origins[0].localStorage).toHaveLength(10_001);
  });

  it('is of its own origin alone: host, scheme and port', async () => {
    const { port } = new URL(origin('localhost'));
    const state = { origins: [{ origin: origin('localhost'), localStorage: [{ name: 'l', value: '1' }] }, ...local({ i: '2' }).origins] };
    const other = { origin: `https://localhost:${port}`, localStorage: [{ name: 'secure', value: '3' }] };
    const without = { origin: 'http://localhost', localStorage: [{ name: 'port', value: '4' }] };
    const params = { with_storage: { origins: [...state.origins, other, without] } };
    expect((await host.render({ url: site.url('/', 'localhost'), ...params })).report.local).toEqual({ l: '1' });
    const { report, state: end } = await host.render({ url: site.url('/'), ...params });
    expect(report.local).toEqual({ i: '2' });
    const origins: readonly { readonly origin: string }[] = end.origins;
    expect(origins.map((one) => one.origin).sort()).toEqual([origin(), origin('localhost'), other.origin, without.origin].sort());
  });

  it('may be of an IPv6 address', async () => {
    const server: Server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(FIRST));
    await once(server.listen(0, '::1'), 'listening');
    const url = `http://[::1]:${String((server.address() as AddressInfo).port)}`;
    const state = { ...local({ six: '6' }, url), cookies: [{ name: 'six', value: '1', domain: '[::1]', path: '/' }] };
    const { report } = await host.render({ url, with_storage: state });
    server.close();
    expect(report).toMatchObject({ local: { six: '6' }, cookie: 'six=1' });
  });

  it('skips opaque origins, and says so', async () => {
    const state = { origins: [...local({ a: '1' }, 'null').origins, ...local({ a: '3' }).origins] };
    const { report } = await host.render({ url: site.url('/'), with_storage: state });
    expect(report.local).toEqual({ a: '3' });
    expect(host.logged.filter(({ message }) => message.includes('opaque'))).toHaveLength(1);
  });

  it('half a surrogate pair comes back as it was', async () => {
    const odd = { odd: '\u{1F600}\ud800', 'ключ🗝': '\udc00' };
    const { report, state } = await host.render({ url: site.url('/lengths'), with_storage: local(odd) });
    expect(report).toEqual([2, [0x1f600, 0xd800], '\udc00']);
    const again = await host.render({ url: site.url('/lengths'), with_storage: state });
    expect(again.report).toEqual(report);
  });

  it.each([
    ['a word that is none', { v: 'zzz' }],
    ['a reference to nothing', { ref: 9 }],
    ['a form that is unknown', { zz: 1 }],
    ['one of those inside', { a: [{ ref: 9 }], id: 1 }],
  ])('a record with %s is a 400 that names it', async (_, valueEncoded) => {
    const records = [
      { key: 1, value: 'plain' },
      { key: 2, valueEncoded },
    ];
    const indexedDB = [{ name: 'd', version: 1, stores: [{ name: 's', records }] }];
    const with_storage = { origins: [{ origin: origin(), indexedDB }] };
    await expect(host.render({ url: site.url('/'), with_storage })).rejects.toMatchObject({
      code: 'invalid_parameters',
      message: expect.stringContaining('"with_storage.origins[0].indexedDB[0].stores[0].records[1]"'),
    });
  });

  it.each([
    [
      'localStorage[1]',
      {
        localStorage: [
          { name: 'a', value: 'b' },
          { name: 'big', value: 'x'.repeat(6_000_000) },
        ],
      },
    ],
    ['indexedDB[0].stores[1]', { indexedDB: [{ name: 'd', version: 1, stores: [{ name: 'a' }, { name: 'b', keyPath: 'no path' }] }] }],
    [
      'indexedDB[0].stores[0].records[1]',
      { indexedDB: [{ name: 'd', version: 1, stores: [{ name: 'a', records: [{ key: 1 }, { key: true }] }] }] },
    ],
    [
      'indexedDB[0].stores[0].records[0]',
      { indexedDB: [{ name: 'd', version: 1, stores: [{ name: 'a', keyPath: 'x', records: [{ value: {} }] }] }] },
    ],
    [
      'cacheStorage[0].entries[1]',
      {
        cacheStorage: [
          {
            name: 'c',
            entries: [
              { request: { url: '/' }, response: {} },
              { request: { url: '/a' }, response: {}, bodyBase64: '!' },
            ],
          },
        ],
      },
    ],
  ])('whose %s the browser refuses is a 400 that names it', async (path, parts) => {
    const state = { origins: [{ origin: origin(), ...parts }] };
    await expect(host.render({ url: site.url('/'), with_storage: state })).rejects.toMatchObject({
      code: 'invalid_parameters',
      details: { errors: [{ parameter: 'with_storage', detail: expect.stringContaining(`"with_storage.origins[0].${path}" is not`) }] },
    });
  });
});

describe("with_storage and the server's default", () => {
  const local = async (params: Readonly<Record<string, unknown>>, of = withDefault) => {
    const { report, file } = await of.render({ url: site.url('/'), ...params });
    return [report.local, file !== undefined];
  };

  it('left out: starts from the default, and returns nothing', async () => {
    expect(await local({})).toEqual([{ from: 'default' }, false]);
    expect(await local({}, host)).toEqual([{}, false]);
  });

  it('true: starts from the default, or empty without one, and returns the end', async () => {
    expect(await local({ with_storage: true })).toEqual([{ from: 'default' }, true]);
    expect(await local({ with_storage: true }, host)).toEqual([{}, true]);
  });

  it('false: starts empty even where there is a default, and returns nothing', async () => {
    expect(await local({ with_storage: false })).toEqual([{}, false]);
  });

  it('an object: starts from that alone, and returns the end', async () => {
    expect(await local({ with_storage: { origins: [] } })).toEqual([{}, true]);
  });
});

it('a render without storage pays nothing: the same protocol calls as without the plugin', async () => {
  const plain = await methodsOf(() => host.render({ url: site.url('/') }));
  const off = await methodsOf(() => withDefault.render({ url: site.url('/'), with_storage: false }));
  for (const methods of [plain, off]) {
    expect(methods.filter((method) => /^(Fetch|Storage|Network\.(get|set)|DOMStorage|Page\.resetN)/.test(method))).toEqual([]);
    expect(methods.filter((method) => method === 'Page.navigate')).toHaveLength(1);
  }
});

it('two renders at once, of one origin, never see the storage of each other', async () => {
  const renders = Array.from({ length: 8 }, (_, index) =>
    host.render({
      url: site.url('/'),
      with_storage: { ...local({ who: String(index) }), cookies: [{ name: 'who', value: String(index), domain: '127.0.0.1', path: '/' }] },
    }),
  );
  for (const [index, { report, state }] of (await Promise.all(renders)).entries()) {
    expect(report).toMatchObject({ local: { who: String(index) }, cookie: `who=${String(index)}` });
    expect(state.cookies).toEqual([expect.objectContaining({ name: 'who', value: String(index) })]);
  }
  expect((await host.render({ url: site.url('/') })).report).toMatchObject({ local: {}, cookie: '' });
});
