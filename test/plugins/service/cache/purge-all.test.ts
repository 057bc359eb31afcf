import basic from '@platen/plugin-auth-basic';
import signedUrl from '@platen/plugin-auth-signed-url';
import token from '@platen/plugin-auth-token';
import { afterEach, describe, expect, it } from 'vitest';
import { basicHeader, bearer, inSeconds, signSorted } from '../../auth/auth-server.js';
import { closeAll, openCached, type CachedServer } from './cached-server.js';

afterEach(closeAll);

const TOKENS = { 'server-token-auth': ['ann:tok-1', 'bob:tok-2'] };
const USERS = { 'server-basic-auth': ['ann:pass'] };
const SIGNED = { 'server-signed-url': ['a shared secret'] };
const ADMIN = { 'server-admin-auth': ['root:secret', 'other:secret2'] };

const PAGE = 'url=http://a.test/';
const open = (flags: Readonly<Record<string, unknown>>) => openCached({ plugins: [basic, signedUrl, token], flags });

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}

/** Status and code of a `DELETE /`. */
async function purge({ url }: CachedServer, { headers = {}, query = '' }: Asked = {}): Promise<readonly unknown[]> {
  const response = await fetch(`${url}/${query === '' ? '' : `?${query}`}`, { method: 'DELETE', headers });
  return response.ok ? [response.status] : [response.status, ((await response.json()) as { code: string }).code];
}

describe('DELETE / of everything', () => {
  it('one of several clients may not: only the credential of --server-admin-auth may, by itself', async () => {
    const server = await open({ ...TOKENS, ...ADMIN });
    await server.get(PAGE, { headers: bearer('tok-1') });
    expect(await purge(server, { headers: bearer('tok-2') })).toEqual([403, 'forbidden']);
    expect(await (await server.get(PAGE, { headers: bearer('tok-1') })).text()).toBe('picture 1');
    expect(await purge(server)).toEqual([401, 'unauthorized']);
    expect(await purge(server, { headers: basicHeader('root:wrong') })).toEqual([401, 'unauthorized']);
    expect(await purge(server, { headers: basicHeader('other:secret2') })).toEqual([204]);
    expect(server.records.at(-1)?.identity).toBe('other');
    expect(await (await server.get(PAGE, { headers: bearer('tok-1') })).text()).toBe('picture 2');
  });

  it.each<[string, Readonly<Record<string, unknown>>, Readonly<Record<string, string>>]>([
    ['tokens', TOKENS, bearer('tok-1')],
    ['users', USERS, basicHeader('ann:pass')],
    ['both', { ...TOKENS, ...USERS }, bearer('tok-1')],
  ])('with %s and no admin: 403 that names the flag', async (_name, flags, headers) => {
    const server = await open(flags);
    expect(await purge(server, { headers })).toEqual([403, 'forbidden']);
    expect(server.records.at(-1)?.error?.message).toContain('--server-admin-auth');
  });

  it('a signature of nothing is not enough', async () => {
    const nothing = signSorted(`expires=${String(inSeconds(60))}`);
    const server = await open({ ...SIGNED, ...ADMIN });
    expect(await purge(server, { query: nothing })).toEqual([403, 'forbidden']);
    expect(await purge(server, { headers: basicHeader('root:secret') })).toEqual([204]);
  });

  it('where nobody is asked for credentials, everybody may, unless there is an admin', async () => {
    expect(await purge(await open({}))).toEqual([204]);
    const server = await open(ADMIN);
    expect(await purge(server)).toEqual([403, 'forbidden']);
    expect(await purge(server, { headers: basicHeader('root:wrong') })).toEqual([403, 'forbidden']);
    expect(await purge(server, { headers: basicHeader('root:secret') })).toEqual([204]);
    expect((await server.get(PAGE)).status).toBe(200);
  });

  it('follows a reload', async () => {
    const server = await open({ ...TOKENS, ...ADMIN });
    await server.server.reload({ ...server.flags, 'server-admin-auth': ['root:new'] });
    expect(await purge(server, { headers: basicHeader('root:secret') })).toEqual([401, 'unauthorized']);
    expect(await purge(server, { headers: basicHeader('root:new') })).toEqual([204]);
  });
});

it('DELETE / of one result takes any credential of the server, and the admin’s', async () => {
  const server = await open({ ...TOKENS, ...ADMIN });
  for (const headers of [bearer('tok-2'), basicHeader('root:secret')]) {
    await server.get(PAGE, { headers: bearer('tok-1') });
    expect(await purge(server, { query: PAGE, headers })).toEqual([204]);
  }
});

it('the admin renders nothing', async () => {
  const server = await open({ ...TOKENS, ...ADMIN });
  expect((await server.get(PAGE, { headers: basicHeader('root:secret') })).status).toBe(401);
});
