import { coerceQuery, parseQuery } from '@platen/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import storage from '../../../../plugins/asset/storage/src/index.js';
import { openServer, type TestServer } from '../../../server/test-server.js';
import { openStorageHost, report, type StorageHost } from './storage-host.js';

let host: StorageHost;
let server: TestServer;

beforeAll(async () => {
  host = openStorageHost();
  server = await openServer({ plugins: [storage, report] });
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const planned = (params: Readonly<Record<string, unknown>>) => {
  const { kernel } = host.host;
  return kernel.plan(kernel.validate({ url: 'http://a.test/', output_type: 'report', ...params }, 'body'));
};
const fromQuery = (text: string) => {
  const { kernel } = host.host;
  return kernel.validate(coerceQuery(parseQuery(`url=http://a.test/&${text}`), kernel.schema), 'query');
};
const DATABASE = { name: 'db', version: 1, stores: [] };
const at = (part: object) => ({ origins: [{ origin: 'https://a.test', ...part }] });

describe('with_storage', () => {
  it.each([
    ['with_storage', 1],
    ['with_storage', 'true'],
    ['with_storage.cookies', { cookies: {} }],
    [
      'with_storage.cookies[1]',
      {
        cookies: [
          { name: 'a', value: 'b', domain: 'a' },
          { name: 'c', domain: 'a' },
        ],
      },
    ],
    ['with_storage.cookies[0].sameSite', { cookies: [{ name: 'a', value: 'b', domain: 'a', sameSite: 'lax' }] }],
    ['with_storage.cookies[0]', { cookies: [{ name: 'a', value: 'b' }] }],
    ['with_storage.cookies[0]', { cookies: [{ name: 'a', value: 'b', domain: 'a', url: 'http://a' }] }],
    ['with_storage.cookies[0]', { cookies: [{ name: 'a', value: 'b', domain: 'a/b' }] }],
    ['with_storage.cookies[0]', { cookies: [{ name: 'a', value: 'b', url: 'ftp://a' }] }],
    ['with_storage.cookies[0]', { cookies: [{ name: 'a', value: 'b', domain: 'a', path: 'b' }] }],
    ['with_storage.cookies[0]', { cookies: [{ name: 'a', value: 'b', domain: 'a', sameSite: 'None', secure: false }] }],
    ['with_storage.cookies[0]', { cookies: [{ name: 'a', value: 'b', domain: 'a', sameSite: 'None' }] }],
    ['with_storage.cookies[0]', { cookies: [{ name: 'a', value: '\ud800', domain: 'a' }] }],
    [
      'with_storage.origins[0].localStorage[2].name',
      at({
        localStorage: [
          { name: 'a', value: '' },
          { name: 'b', value: '' },
          { name: 3, value: '' },
        ],
      }),
    ],
    ['with_storage.origins[0].sessionStorage[0]', at({ sessionStorage: [{ name: 'a' }] })],
    ['with_storage.origins[0].indexedDB[0].version', at({ indexedDB: [{ name: 'a', version: 0, stores: [] }] })],
    [
      'with_storage.origins[0].indexedDB[0].stores[0]',
      at({ indexedDB: [{ name: 'a', version: 1, stores: [{ name: 's', keyPath: 'a', keyPathArray: ['a'] }] }] }),
    ],
    [
      'with_storage.origins[0].indexedDB[0].stores[0].indexes[0]',
      at({ indexedDB: [{ name: 'a', version: 1, stores: [{ name: 's', indexes: [{ name: 'i' }] }] }] }),
    ],
    [
      'with_storage.origins[0].cacheStorage[0].entries[0].request',
      at({ cacheStorage: [{ name: 'c', entries: [{ request: {}, response: {} }] }] }),
    ],
    [
      'with_storage.origins[0].cacheStorage[0].entries[0].response.status',
      at({ cacheStorage: [{ name: 'c', entries: [{ request: { url: '/' }, response: { status: '200' } }] }] }),
    ],
    [
      'with_storage.origins[0].cacheStorage[0].entries[1].request.method',
      at({
        cacheStorage: [
          {
            name: 'c',
            entries: [
              { request: { method: 'GET', url: '/' }, response: {} },
              { request: { method: 'POST', url: '/' }, response: {} },
            ],
          },
        ],
      }),
    ],
    ['with_storage.origins[0].origin', { origins: [{ origin: 'a.test' }] }],
    ['with_storage.origins[0].origin', { origins: [{ origin: 'file:///etc' }] }],
    ['with_storage.origins[0].origin', { origins: [{ origin: 'https://a.test/path' }] }],
    ['with_storage.origins[0].origin', { origins: [{ origin: 'https://u:p@a.test' }] }],
    ['with_storage.origins[0].indexedDB[1].name', at({ indexedDB: [DATABASE, DATABASE] })],
    ['with_storage.origins[0].indexedDB[0].stores[1].name', at({ indexedDB: [{ ...DATABASE, stores: [{ name: 's' }, { name: 's' }] }] })],
    ['with_storage.origins[1].origin', { origins: [{ origin: 'https://a.test' }, { origin: 'https://A.test:443/' }] }],
    ['with_storage.origins', { origins: Array.from({ length: 201 }, (_, index) => ({ origin: `https://o${String(index)}.test` })) }],
  ])('that is wrong is a 400 that names %s', (path, value) => {
    const detail = expect.stringMatching(new RegExp(`^"${path.replace(/[[\].]/g, '\\$&')}" must`));
    expect(() => planned({ with_storage: value })).toThrow(
      expect.objectContaining({ code: 'invalid_parameters', details: { errors: [{ parameter: 'with_storage', detail }] } }),
    );
  });

  it('never repeats a value in an error', () => {
    const secret = { name: 'a', value: 'secret', domain: 'secret/' };
    expect(() => planned({ with_storage: { cookies: [secret] } })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    );
  });

  it('accepts unknown keys, as newer files have them', () => {
    const state = {
      ...at({ opfs: [], later: { x: 1 } }),
      credentials: [],
      cookies: [{ name: 'a', value: 'b', domain: 'a', priority: 'High' }],
    };
    expect(planned({ with_storage: state }).params.with_storage).toEqual(state);
  });

  it('refuses names by which a prototype is reached', () => {
    const state: unknown = JSON.parse('{"origins": [{"origin": "https://a.test", "__proto__": {"x": 1}}]}');
    expect(() => planned({ with_storage: state })).toThrow('__proto__');
  });

  it('as an object is not accepted on GET: true and false are', () => {
    expect(fromQuery('with_storage=true')).toMatchObject({ with_storage: true });
    expect(fromQuery('with_storage')).toMatchObject({ with_storage: true });
    expect(fromQuery('with_storage=0')).toMatchObject({ with_storage: false });
    expect(() => fromQuery('with_storage={"cookies":[]}')).toThrow('"with_storage" must be');
  });

  it('has its asset planned with an object and true, and not otherwise', () => {
    const names = (params: object) => planned({ ...params }).assets.map(({ name }) => name);
    expect([names({}), names({ with_storage: false }), names({ with_storage: true }), names({ with_storage: {} })]).toEqual([
      [],
      [],
      ['storage'],
      ['storage'],
    ]);
  });
});

describe('L7: storage_limit', () => {
  const state = at({ localStorage: [{ name: 'ключ', value: 'x' }] });
  const bytes = Buffer.byteLength(JSON.stringify(state));

  it('is 64 MiB without a word', () => {
    const item = (length: number) => at({ localStorage: [{ name: 'a', value: 'x'.repeat(length) }] });
    const most = 67_108_864 - Buffer.byteLength(JSON.stringify(item(0)));
    expect(planned({ with_storage: item(most) }).assets).toHaveLength(1);
    expect(() => planned({ with_storage: item(most + 1) })).toThrow(expect.objectContaining({ code: 'payload_too_large', status: 413 }));
  });

  it('is the bytes that with_storage may have: one more is a 413 that names the key and the limit', () => {
    expect(planned({ with_storage: state, storage_limit: bytes }).assets).toHaveLength(1);
    const detail = `"with_storage" has ${String(bytes)} bytes, more than "storage_limit" allows: ${String(bytes - 1)}`;
    expect(() => planned({ with_storage: state, storage_limit: bytes - 1 })).toThrow(
      expect.objectContaining({ code: 'payload_too_large', message: detail, details: { errors: [{ parameter: 'with_storage', detail }] } }),
    );
  });

  it('half a surrogate pair, as pages may store it, is taken back by the server', async () => {
    const stored = at({ localStorage: [{ name: 'uni', value: '\u{1F600}\ud800' }] });
    const answer = await server.post(JSON.stringify({ url: 'http://a.test/', output_type: 'report', with_storage: stored }));
    expect([answer.status, await answer.text()]).toEqual([200, expect.anything()]);
  });

  it('is known to the server: a body with storage may be larger than others', async () => {
    const post = (parts: object) => server.post({ url: 'http://a.test/', output_type: 'report', ...parts });
    const large = at({ localStorage: [{ name: 'a', value: 'x'.repeat(20 * 1024 * 1024) }] });
    const answer = await post({ with_storage: large, storage_limit: 1000 });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ code: 'payload_too_large', errors: [{ parameter: 'with_storage' }] });
  });

  it.each([
    ['without it', {}],
    ['with storage that is none', { with_storage: true }],
    ['with no more than its name', { javascript: '"with_storage": {}' }],
    ['with no files', { navigator_file: null }],
  ])('allows 8 MiB and no more to a body %s', async (_name, parts) => {
    const most = 8 * 1024 * 1024;
    const body = JSON.stringify({ url: 'http://a.test/', output_type: 'report', ...parts });
    expect((await server.post(body.padEnd(most))).status).not.toBe(413);
    const refused = await server.post(body.padEnd(most + 1));
    expect([refused.status, await refused.json()]).toEqual([
      413,
      expect.objectContaining({
        code: 'payload_too_large',
        detail: `the body is larger than ${String(most)} bytes, the limit for a body without "with_storage"`,
      }),
    ]);
  });
});
