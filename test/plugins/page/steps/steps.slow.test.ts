import markdown from '@platen/plugin-markdown';
import mhtml from '@platen/plugin-mhtml';
import models from '@platen/plugin-models';
import navigate from '@platen/plugin-navigate';
import pdf from '@platen/plugin-pdf';
import prepare from '@platen/plugin-prepare';
import print from '@platen/plugin-print';
import steps from '@platen/plugin-steps';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCheckedFile, runChecker } from '../../../helpers/checkers.js';
import { done } from '../../../helpers/navigator-script.js';
import { openWalkProber, pathsOf } from '../../capture/walk/walk-prober.js';
import { type NavigatorHost, openNavigatorHost } from '../../navigator/navigate/open-host.js';
import { type Fixture, openFixture } from './fixture.js';

let host: NavigatorHost;
let fixture: Fixture;
beforeAll(async () => {
  host = openNavigatorHost({}, [steps, prepare, print, pdf, mhtml, markdown]);
  fixture = await openFixture();
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await fixture[Symbol.asyncDispose]();
});

type Steps = readonly Readonly<Record<string, unknown>>[];

async function render(
  path: string,
  given: Steps,
  more: Readonly<Record<string, unknown>> = {},
  encoding: BufferEncoding = 'utf8',
): Promise<string> {
  const { told, site } = fixture;
  told.length = 0;
  const result = await host.render({ url: site.url(path), output_type: 'html', steps: given, ...more });
  return (await result.bytes()).toString(encoding);
}

async function readPdf(latin1: string): Promise<string> {
  await using file = await openCheckedFile(Buffer.from(latin1, 'latin1'), 'pdf');
  return (await runChecker('pdftotext', [file.path, '-'])).toString();
}

const titleOf = (page: string) => /<title>([^<]*)/.exec(page)?.[1];

const CONTROLS: readonly (readonly [name: string, given: Steps, told: string])[] = [
  ['fill by label', [{ fill: 'label=Name', value: 'Ada' }], 'name=Ada'],
  ['fill a literal that looks like a name', [{ fill: '[name=name]', value: 'data:x' }], 'name=data:x'],
  ['fill a literal that ends with a space', [{ fill: '[name=name]', value: 'data:x ' }], 'name=data:x '],
  ['fill a text area', [{ fill: 'textarea', value: 'two\nlines' }], 'notes=two\nlines'],
  ['fill an editor', [{ fill: '[contenteditable]', value: 'rich' }], 'editor=rich'],
  ['select by label', [{ select: 'label=Language', value: 'Français' }], 'lang=fr'],
  ['select by value', [{ select: '[name=lang]', value: 'fr' }], 'lang=fr'],
  ['select several', [{ select: '[name=tags]', value: ['red', 'blue'] }], 'tags=red+blue'],
  ['select in a custom list', [{ select: 'role=combobox[name="Size"]', value: 'Small' }], 'size=small'],
  ['check', [{ check: 'label=Stay' }], 'stay=true'],
  ['uncheck', [{ uncheck: '[name=news]' }], 'news=false'],
  ['check a switch', [{ check: 'role=switch[name="Dark"]' }], 'dark=true'],
  ['check a radio button that its label draws', [{ check: '[name=pay]' }], 'pay=card'],
  ['hover', [{ hover: 'text=Menu' }], 'menu=hovered'],
  ['press at an element', [{ press: 'ArrowDown', at: '#keys' }], 'keys=ArrowDown'],
  ['press where the focus is', [{ click: '#keys' }, { press: 'a' }], 'keys=a'],
  ['type where the focus is', [{ click: '[name=name]' }, { type: 'Bob' }], 'name=Bob'],
  ['type nothing, for the focus', [{ type: '', at: 'label=Name' }, { press: 'b' }], 'name=b'],
  ['type at an element', [{ type: 'Eve', at: 'label=Name' }], 'name=Eve'],
  ['click by text', [{ click: 'text=Order now' }], 'button=clicked'],
  ['click by role', [{ click: 'role=button[name="Order now"]' }], 'button=clicked'],
  ['double click with a key', [{ click: '#area', count: 2, modifiers: ['Shift'] }], 'area=true'],
  ['right click', [{ click: '#area', button: 'right' }], 'area=menu'],
  ['attach', [{ attach: 'input[type=file]', file: 'a.txt' }], 'file=a.txt hello'],
];

const FILES = { navigator_file: { 'a.txt': 'data:text/plain;base64,aGVsbG8=' } };

describe.each(['/controls', '/frames', '/shadow', '/closed'])('%s', (path) => {
  it('every verb acts on native and on custom controls', async () => {
    for (const [name, given, told] of CONTROLS) {
      await render(path, given, FILES);
      await expect.poll(() => fixture.told, { message: name }).toContain(told);
    }
  });
});

it('A >>> B finds B in the frame or the shadow tree of A alone', async () => {
  await render('/frames', [{ fill: 'iframe >>> label=Name', value: 'Ada' }, { click: 'iframe >>> role=button[name="Order now"]' }]);
  await expect.poll(() => fixture.told).toEqual(expect.arrayContaining(['name=Ada', 'button=clicked']));
  await render('/closed', [{ fill: 'x-closed >>> [name=name]', value: 'Bob' }, { click: 'x-closed >>> role=button[name="Order now"]' }]);
  await expect.poll(() => fixture.told).toEqual(expect.arrayContaining(['name=Bob', 'button=clicked']));
});

describe('pages', () => {
  it.each<readonly [string, string, Steps, string]>([
    ['goto', '/links', [{ goto: '/orders' }], 'Orders'],
    ['back', '/links', [{ click: 'text=Same tab' }, { wait: 'text=1' }, { back: true }], 'Links'],
    ['a popup is current once it is open', '/links', [{ click: 'text=New tab' }], 'Orders'],
    ['tab', '/links', [{ click: 'text=New tab' }, { tab: 1 }], 'Links'],
    ['tab, close', '/links', [{ click: 'text=New tab' }, { tab: 2, close: true }], 'Links'],
    ['dialog, accept', '/links', [{ click: 'text=Ask' }, { dialog: 'accept' }], 'true'],
    ['dialog, dismiss', '/links', [{ click: 'text=Ask' }, { dialog: 'dismiss' }], 'false'],
    ['dialog, text', '/links', [{ click: 'text=Name' }, { dialog: 'accept', text: 'Ada' }], 'Ada'],
    ['a dialog without its step is dismissed', '/links', [{ click: 'text=Ask' }, { wait: 0.1 }], 'false'],
    ['a dialog during a wait is dismissed', '/links', [{ click: 'text=Soon' }, { wait: '#after' }], 'false'],
    ['a dialog before a click is dismissed', '/links', [{ click: 'text=Soon' }, { click: '#after' }], 'false'],
    ['a dialog during a wait for seconds is dismissed', '/links', [{ click: 'text=Soon' }, { wait: 1 }, { wait: '#after' }], 'false'],
    ['dialog waits for one', '/links', [{ click: 'text=Soon' }, { dialog: 'accept' }], 'true'],
    ['a wait leaves a dialog to its step', '/links', [{ click: 'text=Soon' }, { wait: '#after' }, { dialog: 'accept' }], 'true'],
    ['wait for an element', '/links', [{ click: 'text=Same tab' }, { wait: 'text=Orders' }, { click: 'text=1' }], 'Order 1'],
    ['wait for a URL', '/links', [{ click: 'text=Later' }, { wait: '*://*#late' }, { click: 'text=Same tab' }], 'Orders'],
    ['scroll to an element', '/links', [{ scroll: '#end' }], 'seen'],
    ['scroll by a distance', '/links', [{ scroll: 'html', dir: 'down', amount: 5000 }], 'seen'],
    ['scroll to the bottom, which goes on', '/feed', [{ scroll: 'bottom' }], '5'],
    ['drag', '/drag', [{ drag: '#card', to: '#done' }], 'dropped card'],
  ])('%s', async (_name, path, given, title) => {
    expect(titleOf(await render(path, given))).toBe(title);
  });

  it('click_selector is a list of clicks, after the steps', async () => {
    expect(titleOf(await render('/links', [{ wait: 0 }], { click_selector: ['text=Same tab', 'text=1'] }))).toBe('Order 1');
  });

  it('steps come after wait_for, which holds for the page before them', async () => {
    expect(titleOf(await render('/links', [{ click: 'text=Same tab' }], { wait_for: 'css:#end' }))).toBe('Orders');
  });

  it('steps find the page prepared', async () => {
    await expect(render('/links', [{ click: 'text=Same tab' }], { remove_selector: 'a', timeout: 4 })).rejects.toMatchObject({
      code: 'step_failed',
    });
  });
});

describe('sign-in', () => {
  const SIGN_IN = [
    { fill: 'label=User', value: 'ada' },
    { fill: 'label=Password', value: { credential: 'password' } },
    { click: 'role=button[name="Sign in"]' },
  ];
  const CREDENTIALS = { navigator_credential: { password: 'correct horse' } };

  it.each(['png', 'pdf', 'mhtml', 'markdown', 'html', 'har', 'axtree'])(
    '%s of the page behind it, without the credential',
    async (output_type) => {
      const page = await render('/login', [...SIGN_IN, { click: 'text=Orders' }], { ...CREDENTIALS, output_type }, 'latin1');
      expect(fixture.told).toEqual(['user=ada&pass=correct+horse']);
      expect(page).not.toMatch(/correct.{1,3}horse/);
      if (output_type !== 'png') expect(output_type === 'pdf' ? await readPdf(page) : page).toContain('Orders');
    },
  );

  it('full_page does not load the page again', async () => {
    const { length } = fixture.site.requests;
    await render('/login', SIGN_IN, { ...CREDENTIALS, output_type: 'png', full_page: true });
    expect(fixture.site.requests.slice(length).map(({ method, url }) => `${method} ${url}`)).toEqual(
      expect.arrayContaining(['GET /login', 'POST /session', 'GET /login']),
    );
    expect(fixture.told).toHaveLength(1);
  });

  it('a credential is not filled in on another site', async () => {
    const { site } = fixture;
    await expect(render('/links', [{ goto: site.url('/login', 'localhost') }, ...SIGN_IN], CREDENTIALS)).rejects.toMatchObject({
      message: expect.stringContaining('steps[2] (fill label=Password) failed'),
    });
    expect(fixture.told).toEqual([]);
  });
});

it.each(['png', 'har'])('%s: the status of the page that they begin on is checked', async (output_type) => {
  const given = { url: fixture.site.url('/missing'), output_type, steps: [{ click: 'body' }] };
  await expect(host.render(given)).rejects.toMatchObject({ code: 'target_status', details: { target: { status: 404 } } });
  expect((await host.render({ ...given, fail: false })).headers).toMatchObject({ 'X-Target-Status': '404' });
});

it('with a navigator they are taken before its first step, in its scope', async () => {
  const { site } = fixture;
  const given = { url: site.url('/login'), navigator_credential: { password: 'correct horse' } };
  const signIn = [
    { fill: 'label=User', value: 'ada' },
    { fill: 'label=Password', value: { credential: 'password' } },
    { click: 'text=Sign in' },
  ];
  const { body, shown, headers } = await host.navigate(
    [({ ref }) => [{ kind: 'click', ref: ref('link', 'Orders') }], () => [done('There.')]],
    {
      ...given,
      steps: signIn,
    },
  );
  expect(body).toBe('There.');
  expect(shown[0]?.page).toContain('Welcome, Ada');
  expect(headers['X-Navigator-Steps']).toBe('2');
  const outside = await host.navigate([], { ...given, steps: [{ goto: site.url('/orders', 'localhost') }] });
  expect(outside.error).toMatchObject({ code: 'step_failed', message: expect.stringContaining('outside of where steps may go') });
});

it('in a walk they are taken on the seed alone, before its links are read', async () => {
  const { site, told } = fixture;
  told.length = 0;
  await using prober = openWalkProber({}, undefined, [steps, navigate, models]);
  const walked = await prober.walk({
    ...{ url: site.url('/login'), crawl_links: true },
    steps: [{ fill: 'label=User', value: 'ada' }, { click: 'text=Sign in' }],
  });
  expect(told).toEqual(['user=ada&pass=']);
  expect(pathsOf(walked)).toEqual(expect.arrayContaining(['/login', '/orders', '/orders/1']));
});
