import extract from '@platen/plugin-extract';
import prepare from '@platen/plugin-prepare';
import robots from '@platen/plugin-robots';
import upload from '@platen/plugin-upload';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { text } from 'node:stream/consumers';
import { done, type ShownPage, type Turn } from '../../../helpers/navigator-script.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { type NavigatorHost, openNavigatorHost } from './open-host.js';

const CREDENTIALS = { username: 'ada.lovelace@example.org', password: `p<a&"s's+/ w%ö` };

const FORM = `<form method="post" action="/login">
  <label>User <input name="user"></label><label>Password <input name="pass" type="password"></label><button>Sign in</button></form>`;

const received: string[] = [];
let site: Site;
let other: Site;
let host: NavigatorHost;
beforeAll(async () => {
  other = await openSite({
    '/plain': 'plain',
    '/frame': FORM,
    '/login': async (request) => (received.push(`other ${await text(request)}`), 'stolen'),
  });
  site = await openSite({
    '/': `<title>Login</title>${FORM}`,
    '/login': async (request) => {
      const form = new URLSearchParams(await text(request));
      received.push(form.toString());
      // The page repeats what it was given, in several encodings.
      const user = form.get('user') ?? '';
      return `<title>Hi ${user}</title><h1>Welcome</h1><p>You are ${user}</p><a href="/x?user=${encodeURIComponent(user)}">Me</a>
        <p>${Buffer.from(user).toString('base64')}</p><script>history.replaceState({}, '', '?user=${encodeURIComponent(user)}')</script>`;
    },
    '/framed': () => `<h1>Framed</h1><iframe src="${other.url('/frame', 'localhost')}" width="600" height="300"></iframe>`,
    '/away': () =>
      `<form method="post" action="${other.url('/login', 'localhost')}"><label>Password <input type="password"></label></form>`,
    '/plain': '<label>Password <input></label>',
  });
  host = openNavigatorHost();
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

const fill =
  (field: string, value: string): Turn =>
  ({ ref }) => [{ kind: 'fill', ref: ref('textbox', field), value }];
const signIn: readonly Turn[] = [
  (shown) => [...fill('User', 'credential:username')(shown), ...fill('Password', 'credential:password')(shown)],
  ({ ref }) => [{ kind: 'click', ref: ref('button', 'Sign in'), why: 'sign in' }],
];

/** Every form in which a credential could be written. */
function leaks(texts: readonly string[]): readonly string[] {
  const forms = Object.values(CREDENTIALS).flatMap((value) => [
    ...[value, encodeURIComponent(value), new URLSearchParams({ x: value }).toString().slice(2), JSON.stringify(value).slice(1, -1)],
    ...[
      value.replace(/&/g, '&amp;').replace(/</g, '&lt;'),
      Buffer.from(value).toString('base64'),
      Buffer.from(value).toString('base64url'),
    ],
  ]);
  return forms.filter((form) => texts.some((one) => one.includes(form)));
}

describe('credentials', () => {
  it('sign in, and no model and no log ever sees them', async () => {
    const shown: ShownPage[] = [];
    const last: Turn = () => [done('in')];
    const params = { url: site.url('/'), navigator_credential: CREDENTIALS };
    const result = await host.navigate([...signIn, last], params);
    shown.push(...result.shown);
    expect([result.error, result.body]).toEqual([undefined, 'in']);
    expect(received.at(-1)).toBe(new URLSearchParams({ user: CREDENTIALS.username, pass: CREDENTIALS.password }).toString());
    expect(shown[0]?.prompt).toContain('Credentials for this page (fill in as credential:NAME): username, password');
    expect(shown[1]?.prompt).toContain('fill e1 "credential:username" (textbox "User") -> ok');
    expect(shown[1]?.page).toMatch(/textbox "User" \[ref=e\d+\].* value="\*\*\*"/);
    expect(shown[2]?.page).toContain('Page: Hi ***');
    expect(shown[2]?.page).toContain('"You are ***"');
    expect(leaks(shown.map(({ prompt }) => prompt))).toEqual([]);
    expect(leaks(host.logged)).toEqual([]);
  });

  it('stand in no report of a failure', async () => {
    const { error } = await host.navigate([...signIn, () => [{ kind: 'fail', reason: 'x' }]], {
      url: site.url('/'),
      navigator_credential: CREDENTIALS,
    });
    expect(error).toMatchObject({ code: 'goal_not_reached', details: { report: { url: expect.stringContaining('user=***') } } });
    expect(leaks([JSON.stringify(error?.details), error?.message ?? ''])).toEqual([]);
  });

  it.each<readonly [string, string, Turn, RegExp]>([
    ['in a frame of another site', '/framed', fill('Password', 'credential:password'), /may not be filled in on this site, or in a frame/],
    [
      'into a form that sends it to another site',
      '/away',
      fill('Password', 'credential:password'),
      /the form would send it to another site/,
    ],
    ['a password into a plain field', '/plain', fill('Password', 'credential:password'), /belongs into a password field/],
    ['an unknown one', '/', fill('User', 'credential:nobody'), /there is no credential "nobody"/],
  ])('are not filled in: %s', async (_name, path, turn, note) => {
    const before = received.length;
    const { shown, error } = await host.navigate([turn, () => [done()]], { url: site.url(path), navigator_credential: CREDENTIALS });
    expect(error).toBeUndefined();
    expect(shown[1]?.prompt).toMatch(note);
    expect(received).toHaveLength(before);
  });

  it.each([{ value: '\t\n' }, { value: 'x', submit: true }])(
    'keys that may press another button are typed one by one: %j',
    async (typed) => {
      const type: Turn = ({ ref }) => [{ kind: 'type', ref: ref('textbox', 'Password'), ...typed }];
      const { shown } = await host.navigate([fill('Password', 'credential:password'), type, () => [done()]], {
        url: site.url('/'),
        navigator_credential: CREDENTIALS,
      });
      expect(shown[2]?.prompt).toContain('press Tab and Enter by "press" from then on');
    },
  );

  it('a credential is a value of fill only', async () => {
    const goto: Turn = () => [{ kind: 'goto', url: '/?p=credential:password' }];
    await host.navigate([goto, () => [done()]], { url: site.url('/'), navigator_credential: CREDENTIALS });
    expect(site.requests.at(-1)?.url).toBe('/?p=credential:password');
  });

  it("the operator's are filled in at their origins only", async () => {
    const flags = {
      'navigator-credential': ['password=operator-secret'],
      'navigator-credential-origin': [`password=http://localhost:${String(other.port)}/*`],
    };
    await using operated = openNavigatorHost(flags);
    const params = { url: site.url('/'), navigator_credential_origin: { '*': ['*'] } };
    const { shown } = await operated.navigate([fill('Password', 'credential:password'), () => [done()]], params);
    expect(shown[0]?.prompt).not.toContain('Credentials for this page');
    expect(shown[1]?.prompt).toContain('may not be filled in on this site');
  });

  it("the operator's are not for a request with code of its own, which could read them", async () => {
    await using operated = openNavigatorHost(
      { 'navigator-credential': ['password=operator-secret'], 'navigator-credential-origin': [`password=${site.url('/')}*`] },
      [prepare, extract, upload, robots],
    );
    const { url } = { url: site.url('/') };
    const ask = async (params: object) => {
      const { shown } = await operated.navigate([() => [done()]], { url, output_type: 'goal', ...params });
      return shown[0]?.prompt.includes('Credentials for this page') === true;
    };
    expect(await ask({})).toBe(true);
    for (const params of [{ javascript: '1' }, { css: 'a {}' }, { html: FORM }])
      expect([params, await ask(params)]).toEqual([params, false]);
    const isCode = (params: object) => operated.kernel.plan({ url, ...params }).bringsCode;
    expect(
      [{ extract_script: '1' }, { url: 'https://upload.invalid/a', upload: { a: 'data:,' } }, { hide_selector: ['a'] }].map(isCode),
    ).toEqual([true, true, false]);
  });

  it("need an origin if they are the operator's", async () => {
    await using closed = openNavigatorHost({ 'navigator-credential': ['password=x'] });
    const { error } = await closed.navigate([], { url: site.url('/') });
    expect(error).toMatchObject({
      code: 'boot_invalid_flag',
      message: expect.stringContaining('--navigator-credential-origin password=GLOB'),
    });
  });

  it('are shown as discs in every picture', async () => {
    const params = { url: site.url('/'), navigator_credential: CREDENTIALS, output_type: 'html' };
    const { body } = await host.navigate([signIn[0] ?? (() => []), () => [done()]], params);
    expect(body).toMatch(/name="user"[^>]*-webkit-text-security: disc/);
  });

  const on =
    (field: string, action: Readonly<Record<string, unknown>> & { readonly kind: string }): Turn =>
    ({ ref }) => [{ ...action, [action.kind === 'drag' ? 'from' : 'ref']: ref('textbox', field) }];

  it.each<readonly [string, Turn, RegExp]>([
    ['a middle click', on('User', { kind: 'click', button: 'middle' }), /middle clicks are refused from then on/],
    ['a key that copies', on('Password', { kind: 'press', keys: 'Control+C' }), /keys that copy, cut or paste are refused/],
    ['a key that cuts', on('Password', { kind: 'press', keys: 'Shift+Delete' }), /keys that copy, cut or paste are refused/],
    ['a key that pastes', on('User', { kind: 'press', keys: 'Control+Shift+V' }), /keys that copy, cut or paste are refused/],
    [
      'a drag from the field',
      ({ ref }) => [{ kind: 'drag', from: ref('textbox', 'Password'), to: ref('textbox', 'User') }],
      /drags from its field are refused/,
    ],
  ])('once one was filled in, %s is refused', async (_name, turn, note) => {
    const turns: readonly Turn[] = [fill('Password', 'credential:password'), turn, () => [done()]];
    const { shown, error } = await host.navigate(turns, { url: site.url('/'), navigator_credential: CREDENTIALS });
    expect(error).toBeUndefined();
    expect(shown[2]?.prompt).toMatch(note);
  });

  it('before one was filled in nothing is refused, and afterwards selecting, typing and Enter are not', async () => {
    const before: readonly Turn[] = [
      on('User', { kind: 'click', button: 'middle' }),
      on('User', { kind: 'press', keys: 'Control+V' }),
      fill('Password', 'credential:password'),
      on('Password', { kind: 'press', keys: 'Control+A' }),
      on('User', { kind: 'press', keys: 'a' }),
      on('Password', { kind: 'press', keys: 'Enter' }),
      () => [done()],
    ];
    const { shown } = await host.navigate(before, { url: site.url('/'), navigator_credential: CREDENTIALS });
    expect(shown.at(-1)?.prompt).not.toContain('refused');
    expect(received.at(-1)).toBe(new URLSearchParams({ user: 'a', pass: CREDENTIALS.password }).toString());
  });

  it.each<readonly [string, readonly Turn[]]>([
    ['goto', [() => [{ kind: 'goto', url: other.url('/plain') }]]],
    ['a link', [({ ref }) => [{ kind: 'click', ref: ref('link', 'Away') }]]],
    ['a script', [({ ref }) => [{ kind: 'click', ref: ref('button', 'Leave') }]]],
  ])('its field is empty once its origin was left by %s', async (_how, leave) => {
    await using start = await openSite({
      '/': `<label>Code <input autocomplete="one-time-code"></label><a href="${other.url('/frame')}">Away</a>
        <button onclick="location = '${other.url('/frame')}'">Leave</button>`,
    });
    const turns: readonly Turn[] = [fill('Code', 'credential:code'), ...leave, () => [{ kind: 'back' }], () => [done()]];
    const params = { url: start.url('/'), navigator_credential: { code: 'number 4711' }, navigator_allow_url: ['*'] };
    const { shown, error } = await host.navigate(turns, params);
    expect(error).toBeUndefined();
    expect(shown[1]?.page).toMatch(/textbox "Code".* value="\*\*\*"/);
    expect(shown[2]?.prompt).toContain(String(other.port));
    expect(shown[3]?.page).toMatch(/textbox "Code" \[ref=e\d+\]/);
    expect(shown[3]?.page).not.toMatch(/textbox "Code".* value=/);
  });
});
