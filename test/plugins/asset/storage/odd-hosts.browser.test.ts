import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { openStorageHost, type StorageHost } from './storage-host.js';

let site: Site;
let host: StorageHost;
beforeAll(async () => {
  site = await openSite({
    '/': `<script>localStorage.a = (localStorage.a ?? '') + 'x'; document.cookie = 'c=1'; window.report = [localStorage.a, document.cookie];</script>`,
    '/leaves': () => `<script>localStorage.a = 'left'; location.href = ${JSON.stringify(site.url('/other', 'localhost'))};</script>`,
    '/other': '<script>window.report = 0</script>',
  });
  host = openStorageHost();
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const HOSTS = ['*.localhost', 'foo;bar.localhost', 'a,b.localhost', "it's.localhost", '(x).localhost', 'a_b.localhost'];

it.each(HOSTS)('the state of %s is taken back', async (name) => {
  const url = site.url('/', name);
  const { state } = await host.render({ url, with_storage: true });
  const { report, state: after } = await host.render({ url, with_storage: state });
  expect(report).toEqual(['xx', 'c=1']);
  expect(after.origins).toHaveLength(1);
  expect(after.origins[0].localStorage).toEqual([{ name: 'a', value: 'xx' }]);
});

it('the state of such a host is read when its page is gone, too', async () => {
  const { state, incomplete } = await host.render({ url: site.url('/leaves', '*.localhost'), with_storage: true });
  expect(incomplete).toBeUndefined();
  expect(JSON.stringify(state.origins)).toContain('"left"');
});
