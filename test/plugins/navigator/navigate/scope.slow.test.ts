import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { done, type Turn } from '../../../helpers/navigator-script.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { type NavigatorHost, openNavigatorHost } from './open-host.js';

/** Two sites: the navigator may be on the first one only. */
let site: Site;
let other: Site;
let host: NavigatorHost;
beforeAll(async () => {
  other = await openSite({
    '/': '<h1>Other</h1>',
    '/frame': '<button>In a frame</button>',
    '/hop': { status: 302, headers: { location: '/' } },
  });
  site = await openSite({
    '/': () => `<h1>Start</h1>
      <a href="${other.url('/')}">Out</a>
      <a href="/hop">Hop</a>
      <button onclick="location = '${other.url('/')}'">Script</button>
      <button onclick="window.open('${other.url('/')}')">Popup</button>
      <button onclick="window.open('/hop')">Popup hop</button>
      <button onclick="window.open('/in')">Popup in</button>
      <button onclick="history.pushState({}, '', '/admin')">Push</button>
      <form action="${other.url('/')}"><button>Send</button></form>
      <iframe src="${other.url('/frame')}"></iframe>`,
    '/in': '<h1>Inside</h1><script>setTimeout(() => { location = "/hop" }, 0)</script>',
    '/hop': () => ({ status: 302, headers: { location: other.url('/hop') } }),
    '/folder/': '<h1>Folder</h1><button onclick="history.pushState({}, ``, `/admin`)">Push</button>',
  });
  host = openNavigatorHost();
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

const click =
  (name: string): Turn =>
  ({ ref }) => [{ kind: 'click', ref: ref('button', name) }];
const stays: Turn = ({ page }) => [done(/heading "(\w+)"/.exec(page)?.[1])];

describe('the navigator stays in scope', () => {
  it('links to other places have no ref and no URL', async () => {
    const { shown } = await host.navigate([stays], { url: site.url('/') });
    expect(shown[0]?.page).toContain('text "Out"');
    expect(shown[0]?.page).not.toContain(`${other.url('/')}"`);
    expect(shown[0]?.page).toMatch(/link "Hop" \[ref=e\d+\]/);
  });

  it.each<readonly [string, Turn, RegExp]>([
    ['a redirect', ({ ref }) => [{ kind: 'click', ref: ref('link', 'Hop') }], /is outside of where you may go/],
    ['a script', click('Script'), /is outside of where you may go/],
    ['a popup', click('Popup'), /is outside of where you may go/],
    ['a redirect of a popup', click('Popup hop'), /is outside of where you may go/],
    ['a form', click('Send'), /is outside of where you may go/],
    ['goto', () => [{ kind: 'goto', url: other.url('/') }], /is outside of where you may go/],
    [
      'goto by a script URL',
      () => [{ kind: 'goto', url: 'javascript:alert(1)' }],
      /only URLs of http and https can be opened, not of "javascript:"/,
    ],
    ['goto to a file', () => [{ kind: 'goto', url: 'file:///etc/passwd' }], /only URLs of http and https can be opened, not of "file:"/],
  ])('%s is refused before its request', async (_name, turn, note) => {
    const before = other.requests.filter(({ url }) => url === '/' || url === '/hop').length;
    const { body, error, shown } = await host.navigate([turn, stays], { url: site.url('/') });
    expect([error, body]).toEqual([undefined, 'Start']);
    expect(shown[1]?.prompt).toMatch(note);
    expect(shown[1]?.page).not.toContain('Tabs:');
    expect(other.requests.filter(({ url }) => url === '/' || url === '/hop')).toHaveLength(before);
  });

  it('a popup that goes out by itself stays where it was', async () => {
    const before = other.requests.filter(({ url }) => url === '/hop').length;
    const { body } = await host.navigate([click('Popup in'), stays], { url: site.url('/') });
    expect(body).toBe('Inside');
    expect(other.requests.filter(({ url }) => url === '/hop')).toHaveLength(before);
  });

  it('an address that a script changes is left', async () => {
    const params = { url: site.url('/folder/'), navigator_initial_scope: 'path' };
    const { body, shown } = await host.navigate([click('Push'), stays], params);
    expect(body).toBe('Folder');
    expect(shown[1]?.page).toContain('/folder/');
    expect(shown[1]?.prompt).toContain('the page went outside of where you may go, and was left');
  });

  it('frames and subresources are not limited', async () => {
    const { shown } = await host.navigate([stays], { url: site.url('/') });
    expect(shown[0]?.page).toContain('button "In a frame"');
  });

  it('globs extend the scope', async () => {
    const turns: Turn[] = [({ ref }) => [{ kind: 'click', ref: ref('link', 'Out') }], stays];
    const params = { url: site.url('/'), navigator_allow_url: [`127.0.0.1:${String(other.port)}`] };
    expect((await host.navigate(turns, params)).body).toBe('Other');
  });

  it('a target that redirects out of it is 403', async () => {
    const { error } = await host.navigate([], { url: site.url('/hop') });
    expect(error).toMatchObject({ code: 'target_blocked', message: expect.stringContaining('"navigator_allow_url" extends it') });
  });

  it('data is not carried to another site by a URL', async () => {
    const goto: Turn = () => [{ kind: 'goto', url: `${other.url('/')}?q=Secret%20street+1` }];
    const params = { url: site.url('/'), navigator_allow_url: ['*'], navigator_data: { street: 'Secret street 1' } };
    const { shown } = await host.navigate([goto, stays], params);
    expect(shown[1]?.prompt).toContain('the URL would give the data "street" to another site');
  });
});
