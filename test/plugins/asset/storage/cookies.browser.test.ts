import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { openStorageHost, type StorageHost } from './storage-host.js';

let site: Site;
let host: StorageHost;

beforeAll(async () => {
  site = await openSite({
    '/cookies': ({ headers }) => `<script>window.report = ${JSON.stringify(headers.cookie ?? '')}</script>`,
    // A frame of another site, which Chromium holds for secure under this name, that says what it was sent.
    '/embeds': () => `<script>window.report = new Promise((resolve) => { onmessage = ({ data }) => resolve(data) })</script>
      <iframe src="${site.url('/embedded', 'localhost')}"></iframe>`,
    '/embedded': ({ headers }) => ({
      headers: { 'set-cookie': '__Host-chip=1; Secure; Path=/; SameSite=None; Partitioned', 'content-type': 'text/html' },
      body: `<script>localStorage.apart = '1'; parent.postMessage(${JSON.stringify(headers.cookie ?? '')}, '*')</script>`,
    }),
  });
  host = openStorageHost();
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe('cookies of with_storage', () => {
  const cookie = { name: 'a', value: '1', domain: '127.0.0.1', path: '/' };
  const sent = async (cookies: readonly object[], params = {}, name = '127.0.0.1'): Promise<string> =>
    (await host.render({ url: site.url('/cookies', name), with_storage: { cookies }, ...params })).report;

  it('are sent by their host and path, unless they have expired or are for secure connections', async () => {
    const cookies = [
      { ...cookie, httpOnly: true, sameSite: 'Strict' },
      { ...cookie, name: 'other', domain: 'example.com' },
      { ...cookie, name: 'deep', path: '/cookies' },
      { ...cookie, name: 'elsewhere', path: '/else' },
      { ...cookie, name: 'past', expires: 1 },
      { ...cookie, name: 'later', expires: 4_000_000_000 },
    ];
    expect((await sent(cookies)).split('; ').sort()).toEqual(['a=1', 'deep=1', 'later=1']);
  });

  it('come back with all that they are', async () => {
    const cookies = [
      { ...cookie, httpOnly: true, sameSite: 'Strict', expires: -1, secure: false },
      { ...cookie, name: '__Host-h', domain: 'example.com', secure: true, httpOnly: false, sameSite: 'None', expires: -1 },
      {
        ...cookie,
        name: 'p',
        domain: '.example.com',
        secure: true,
        httpOnly: false,
        sameSite: 'None',
        expires: -1,
        partitionKey: 'https://top.test',
        _crHasCrossSiteAncestor: true,
      },
    ];
    const { state } = await host.render({ url: site.url('/cookies'), with_storage: { cookies } });
    expect(state.cookies).toEqual(expect.arrayContaining(cookies));
    expect(state.cookies).toHaveLength(3);
  });

  it('that a frame of another site has for this page alone come back, are sent to it again, and to no page of that site itself', async () => {
    const first = await host.render({ url: site.url('/embeds'), with_storage: true });
    expect(first.report).toBe('');
    expect(first.state.cookies).toEqual([
      expect.objectContaining({
        name: '__Host-chip',
        domain: 'localhost',
        partitionKey: 'http://127.0.0.1',
        _crHasCrossSiteAncestor: true,
      }),
    ]);
    // What the frame stored is partitioned too, and no storage state has a place for it.
    expect(first.state.origins).toEqual([]);
    const again = await host.render({ url: site.url('/embeds'), with_storage: first.state });
    expect(again.report).toBe('__Host-chip=1');
    expect(await sent(first.state.cookies, {}, 'localhost')).toBe('');
  });

  it('may be given by a url', async () => {
    expect(await sent([{ name: 'u', value: '1', url: site.url('/') }])).toBe('u=1');
  });

  it('are replaced by a cookie of the same name, domain and path, whoever its subdomains are', async () => {
    expect(await sent([cookie, { ...cookie, name: 'b' }], { cookie: ['a=2; Domain=127.0.0.1'] })).toBe('b=1; a=2');
    expect(await sent([{ ...cookie, path: '/cookies' }], { cookie: ['a=2'] })).toBe('a=1; a=2');
    const other = { ...cookie, domain: '.shop.test' };
    const { state } = await host.render({
      url: site.url('/cookies'),
      with_storage: { cookies: [other] },
      cookie: ['a=2; Domain=shop.test'],
    });
    expect(state.cookies).toEqual([expect.objectContaining({ value: '2' })]);
  });

  it.each([
    [1, { ...cookie, name: '__Host-a', domain: '.example.com', secure: true }],
    [1, { ...cookie, value: 'a;b' }],
    [1, { ...cookie, name: '__Secure-a' }],
  ])('that the browser refuses are a 400 that names cookie %i', async (index, wrong) => {
    await expect(sent([cookie, wrong])).rejects.toMatchObject({
      code: 'invalid_parameters',
      message: `"with_storage.cookies[${String(index)}]" is not accepted by the browser`,
    });
  });

  it('L7: for a public suffix are a 400 that names the cookie, as in "cookie"', async () => {
    const subdomain = { ...cookie, domain: '.example.co.uk' };
    for (const domain of ['.co.uk', '.github.io']) {
      await expect(sent([subdomain, cookie, { ...cookie, name: 'b', domain }])).rejects.toMatchObject({
        code: 'invalid_parameters',
        message: '"with_storage.cookies[2]" must not have a public suffix, such as "co.uk", as its domain',
      });
    }
    expect(await sent([subdomain, cookie])).toBe('a=1');
    // For the host of that name alone it is a cookie like any other.
    expect(await sent([cookie, { ...cookie, domain: 'co.uk' }])).toBe('a=1');
  });
});
