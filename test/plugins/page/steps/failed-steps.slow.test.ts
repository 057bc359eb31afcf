import { silentLogger } from '@platen/kernel';
import prepare from '@platen/plugin-prepare';
import steps from '@platen/plugin-steps';
import { createServer } from '@platen/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type NavigatorHost, openNavigatorHost } from '../../navigator/navigate/open-host.js';
import { type Fixture, openFixture } from './fixture.js';

let host: NavigatorHost;
let fixture: Fixture;
beforeAll(async () => {
  host = openNavigatorHost({}, [steps, prepare]);
  fixture = await openFixture();
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await fixture[Symbol.asyncDispose]();
});

interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly report: Readonly<Record<string, unknown>>;
}

it('a step that fails is a 422 that names it, says what was found, and links the picture of that moment', async () => {
  const server = createServer({ kernel: host.kernel, log: silentLogger, flags: { 'server-bind-port': 0 } });
  try {
    const base = await server.listen();
    const params = {
      ...{ url: fixture.site.url('/login'), timeout: 15, with_axtree: 'text', navigator_credential: { password: 'correct horse' } },
      steps: [{ fill: 'label=User', value: { credential: 'password' } }, { click: 'text=Sign up' }],
    };
    const post = (body: object) =>
      fetch(base, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const response = await post({
      ...params,
      navigator_credential: { user: 'correct horse' },
      steps: [{ fill: 'label=User', value: { credential: 'user' } }, ...params.steps.slice(1)],
    });
    expect(response.status).toBe(422);
    const problem = (await response.json()) as Problem;
    expect(problem).toMatchObject({
      code: 'step_failed',
      detail: `steps[1] (click text=Sign up) failed at ${fixture.site.url('/login')}: no element matches`,
      report: { step: 'steps[1]', done: 1, url: fixture.site.url('/login'), page: expect.stringContaining('button "Sign in"') },
    });
    expect(JSON.stringify(problem)).not.toContain('horse');
    const links = [...(response.headers.get('link') ?? '').matchAll(/<([^>]+)>;[^,]*title="([^"]+)"/g)];
    expect(links.map(([, , name]) => name).sort()).toEqual(['axtree', 'step-failed']);
    const picture = await fetch(new URL(links.find(([, , name]) => name === 'step-failed')?.[1] ?? '', base));
    expect(picture.headers.get('content-type')).toBe('image/jpeg');
    expect(picture.headers.get('content-disposition')).toContain('step-failed.jpg');
    expect(
      Buffer.from(await picture.arrayBuffer())
        .subarray(0, 3)
        .toString('hex'),
    ).toBe('ffd8ff');
    // The next request is not affected.
    expect((await post({ url: fixture.site.url('/orders'), steps: [{ click: 'text=1' }] })).status).toBe(200);
  } finally {
    await server.close(0);
  }
});

it.each<readonly [string, readonly Readonly<Record<string, unknown>>[], string]>([
  ['hidden', [{ click: 'text=Secret' }], 'one element matches, but it is not visible'],
  ['disabled', [{ click: 'text=Locked' }], 'the element is disabled'],
  ['not a box', [{ check: 'text=Locked' }], 'the element is not a checkbox, radio button or switch'],
  ['a wait for an address', [{ wait: '*://*#never' }], 'the address does not match'],
  ['a wait for too long', [{ wait: 60 }], 'so many seconds are not left of the timeout'],
  ['no dialog', [{ dialog: 'accept' }], 'the page shows no dialog'],
  ['no tab', [{ tab: 3 }], 'there is no tab t3; there are: t1'],
  ['a long address', [{ goto: `http://127.0.0.1:1/${'a'.repeat(5000)}` }], `(goto http://127.0.0.1:1/${'a'.repeat(101)}…) failed at`],
  ['a file', [{ goto: 'file:///etc/passwd' }], 'only URLs of http and https can be opened, not of "file:"'],
  ['a page that cannot be opened', [{ goto: 'http://127.0.0.1:1/' }], 'the page cannot be opened'],
])('%s: the reason is that of the element', async (_name, given, reason) => {
  const failing = host.render({ url: fixture.site.url('/links'), timeout: 3, steps: given });
  await expect(failing).rejects.toMatchObject({
    code: 'step_failed',
    message: expect.stringContaining(reason),
  });
});

it.each([[[{ click: 'text=Endless' }]], [[{ click: 'text=Endless' }, { wait: 'text=Later' }]]])(
  'dialogs without an end are an error: %j',
  async (given) => {
    await expect(host.render({ url: fixture.site.url('/links'), timeout: 60, steps: given })).rejects.toMatchObject({
      code: 'step_failed',
      message: expect.stringContaining('the page opens one dialog after the other: Again'),
      details: { report: { page: 'A dialog (alert) says: Again' } },
    });
  },
);

it.each<readonly [Readonly<Record<string, unknown>>, string]>([
  [{ steps: [{ click: '..a' }] }, '"steps[0]" does not have a valid CSS selector: ..a'],
  [{ click_selector: ['a', '['] }, '"click_selector[1]" does not have a valid CSS selector: ['],
  [
    { steps: [{ fill: 'a', value: { credential: 'pin' } }], navigator_credential: { password: 'x' } },
    '"steps[0]" needs the credential "pin" in "navigator_credential"; there are: password',
  ],
  [{ steps: [{ attach: 'a', file: 'b' }] }, '"steps[0]" needs the file "b" in "navigator_file"; there are: none'],
  [{ steps: [{ tab: 0 }] }, 'steps'],
  [{ steps: [{ tap: 'a' }] }, '"steps[0]" needs one of: click, fill, '],
  [{ steps: 'click' }, 'steps'],
  [{ steps: Array.from({ length: 101 }, () => ({ wait: 0 })) }, 'steps'],
])('%j is a 400', async (params, message) => {
  const { length } = fixture.site.requests;
  await expect(host.render({ url: fixture.site.url('/links'), ...params })).rejects.toMatchObject({
    code: 'invalid_parameters',
    message: expect.stringContaining(message),
  });
  expect(fixture.site.requests).toHaveLength(length);
});

it('steps are not accepted in a query string', () => {
  expect(() => host.kernel.validate({ url: 'http://a.test/', steps: '[{"click":"a"}]' }, 'query')).toThrow('steps');
  expect(host.kernel.validate({ url: 'http://a.test/', click_selector: 'a' }, 'query')).toMatchObject({ click_selector: ['a'] });
});
