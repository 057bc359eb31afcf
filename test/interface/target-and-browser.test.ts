import diagnostics from '@platen/plugin-diagnostics';
import frames from '@platen/plugin-frames';
import pdf from '@platen/plugin-pdf';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import print from '@platen/plugin-print';
import target from '@platen/plugin-target';
import wait from '@platen/plugin-wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPlanner, toQuery, type Planner } from './planner.js';

interface Rule {
  readonly key: string;
  /** Each value, and what the plan has of it. */
  readonly takes: readonly (readonly [unknown, object])[];
  /** Values of the right type that the key refuses. */
  readonly refuses: readonly unknown[];
  /** Values of other types. */
  readonly wrongTypes: readonly unknown[];
}

const flag = (key: string): Rule => ({
  key,
  takes: [true, false].map((value) => [value, {}]),
  refuses: [],
  wrongTypes: ['true', 1, [true]],
});
const side = (key: string, field: string): Rule => ({
  key,
  takes: [1, 800, 16_384].map((value) => [value, { profile: { [field]: value } }]),
  refuses: [-1, 1.5, 0, 4_294_967_296],
  wrongTypes: ['800', true, [800]],
});
const taken = (values: readonly unknown[]): Rule['takes'] => values.map((value) => [value, {}]);

/** The table of the interface specification, "Target and browser", row by row; `url` has its own tests with the render request's. */
const RULES: readonly Rule[] = [
  {
    key: 'accept_language',
    takes: [
      ['de', { profile: { acceptLanguage: 'de' } }],
      ['de-CH, de;q=0.9, en;q=0.5', { profile: { acceptLanguage: 'de-CH,de,en', languageHeader: 'de-CH,de;q=0.9,en;q=0.5' } }],
      ['*', { profile: { languageHeader: '*' } }],
    ],
    refuses: ['', 'de;q=2', 'd_e', 'de,', 'de\r\nX: y'],
    wrongTypes: [1, true, ['de']],
  },
  side('browser_width', 'width'),
  side('browser_height', 'height'),
  {
    key: 'cookie',
    takes: taken([
      ['session=8f14; Domain=a.test'],
      ['a=1', 'b=2; Domain=example.com; Path=/x; Secure; HttpOnly; SameSite=None', 'c=3; Max-Age=60'],
      ['a=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT'],
    ]),
    refuses: [
      [''],
      ['no pair'],
      ['=1'],
      ['a=1; Domain=com'],
      ['a=1; Domain=b/c'],
      ['a=1; Colour=red'],
      ['a=1; SameSite=None'],
      ['a=1\r\n'],
    ],
    wrongTypes: ['a=1', 1, [1], [['a=1']]],
  },
  {
    key: 'header',
    takes: taken([['Authorization: Bearer abc'], ['X-A: 1', 'X-A: 2', 'Accept:']]),
    refuses: [
      [''],
      ['no colon'],
      [': value'],
      ['Bad Name: x'],
      ['X-A: a\r\nX-B: b'],
      ['Host: b.test'],
      ['Cookie: a=1'],
      ['Sec-Fetch-Site: none'],
    ],
    wrongTypes: ['X-A: 1', 1, [1], { 'X-A': '1' }],
  },
  {
    key: 'device',
    takes: [
      ['iPhone 15', { profile: { width: 393, height: 659, deviceScaleFactor: 3, mobile: true, platform: 'iPhone', touchPoints: 5 } }],
      ['pixel 9 LANDSCAPE', { profile: { width: 924, height: 412, mobile: true, userAgent: expect.stringContaining('Pixel 9') } }],
    ],
    refuses: ['', 'iPhone 99', 'toaster', '__proto__'],
    wrongTypes: [1, true, ['iPhone 15']],
  },
  {
    key: 'device_scale_factor',
    takes: [0.1, 1, 1.5, 5].map((value) => [value, { profile: { deviceScaleFactor: value } }]),
    refuses: [0, -1, 5.01],
    wrongTypes: ['2', true, [2]],
  },
  {
    key: 'user_agent',
    takes: [['Mine/1.0 (X11)', { profile: { userAgent: 'Mine/1.0 (X11)' } }]],
    refuses: ['', '   ', 'a\r\nX: y', 'caf\u00e9'],
    wrongTypes: [1, true, ['Mine/1.0']],
  },
  {
    key: 'platform',
    takes: ['Win32', 'MacIntel', 'Linux x86_64'].map((value) => [value, { profile: { platform: value } }]),
    refuses: ['', '   ', 'Win\n32'],
    wrongTypes: [1, true, ['Win32']],
  },
  {
    key: 'javascript',
    takes: [["document.body.append('x')", { retryable: false }]],
    refuses: [''],
    wrongTypes: [1, true, ['1']],
  },
  flag('fail'),
  flag('full_page'),
  {
    key: 'timeout',
    takes: [
      [0, { timeoutMs: null }],
      [0.5, { timeoutMs: 500 }],
      [90, { timeoutMs: 90_000 }],
    ],
    refuses: [-1],
    wrongTypes: ['5', true, [5]],
  },
  flag('no_timeout'),
  {
    key: 'wait_for',
    takes: taken([
      ...['0', '1.5', 'immediate', 'load', 'networkidle0', 'networkidle0:2', 'networkidle2', 'networkidle2:0.25'],
      ...['js:app-ready', 'css:#content > p:first-child'],
    ]),
    refuses: [
      '',
      'idle',
      'Load',
      '-1',
      '1e3',
      '0x10',
      'networkidle',
      'networkidle1',
      'networkidle0:',
      'networkidle2:soon',
      'js:',
      'css:',
      'xpath://p',
    ],
    wrongTypes: [true, ['load'], -1],
  },
  flag('diagnostics'),
];

describe('Target and browser', () => {
  let planner: Planner;
  beforeAll(async () => {
    planner = await openPlanner([target, wait, pixels, png, frames, print, pdf, diagnostics]);
  });
  afterAll(() => planner[Symbol.asyncDispose]());

  it('has every key of the plugins behind it in its table here', () => {
    const keys = [target, wait, diagnostics].flatMap(({ params = {} }) => Object.keys(params));
    expect(RULES.map(({ key }) => key)).toEqual(expect.arrayContaining(keys));
  });

  /** `diagnostics` keeps from rendering, and has tests of its own. */
  const isRendered = ([key, value]: readonly [string, unknown, object]) => !(key === 'diagnostics' && value === true);
  const taken = RULES.flatMap(({ key, takes }) => takes.map(([value, plan]) => [key, value, plan] as const)).filter(isRendered);
  it.each(taken)('%s takes %j, by query and body alike', async (key, value, plan) => {
    expect(await planner.planOf({ [key]: value })).toMatchObject({ params: { [key]: value }, ...plan });
  });

  const refused = RULES.flatMap(({ key, refuses }) => refuses.map((value) => [key, value] as const));
  const wrong = RULES.flatMap(({ key, wrongTypes }) => wrongTypes.map((value) => [key, value] as const));
  it.each([...refused, ...wrong])('%s refuses %j, by name', async (key, value) => {
    expect(await planner.refusedBody({ [key]: value })).toEqual([key]);
  });

  it.each(refused.filter(([, value]) => String(value) !== ''))('%s refuses %j in a query too', async (key, value) => {
    expect(await planner.refusedQuery(toQuery({ [key]: value }))).toEqual([key]);
  });

  it.each(RULES.map(({ key }) => key))('%s: null means unset, as an empty value in a query does', async (key) => {
    expect((await planner.planOfBody({ [key]: null })).params).not.toHaveProperty(key);
    expect((await planner.planOfQuery(`${key}=`)).params).not.toHaveProperty(key);
  });

  it('url must be an http, https or data URL', async () => {
    for (const url of ['http://a.test/x?y=1', 'https://a.test/', 'data:text/html,<h1>Hello</h1>']) {
      expect((await planner.planOf({ url })).url).toBe(url);
    }
    for (const url of ['ftp://a.test/', 'file:///etc/passwd', 'a.test', '', null, 1])
      expect(await planner.refusedBody({ url })).toEqual(['url']);
  });

  it('defaults: 1280 x 720 at scale 1, 30 seconds, no device', async () => {
    expect(await planner.planOf({})).toMatchObject({
      timeoutMs: 30_000,
      profile: { width: 1280, height: 720, deviceScaleFactor: 1, mobile: false, touchPoints: 0 },
    });
  });

  it('individual settings override the device preset', async () => {
    const own = { browser_width: 500, device_scale_factor: 1.5, user_agent: 'Mine/1.0', platform: 'Win32' };
    expect((await planner.planOf({ device: 'iPhone 15', ...own })).profile).toMatchObject({
      ...{ width: 500, height: 659, deviceScaleFactor: 1.5, userAgent: 'Mine/1.0', platform: 'Win32', mobile: true, touchPoints: 5 },
    });
    expect((await planner.planOf({ device: 'iPhone 15', browser_height: 400 })).profile).toMatchObject({ width: 393, height: 400 });
  });

  it('an unknown device is told of the nearest ones', async () => {
    expect(await planner.detailsOf({ device: 'iphon15pro' })).toEqual([expect.stringContaining('"iPhone 15 Pro"')]);
  });

  it('no_timeout=true applies no timeout, whatever "timeout" says', async () => {
    expect((await planner.planOf({ no_timeout: true })).timeoutMs).toBeNull();
    expect((await planner.planOf({ no_timeout: true, timeout: 5 })).timeoutMs).toBeNull();
    expect((await planner.planOf({ no_timeout: false, timeout: 5 })).timeoutMs).toBe(5000);
  });

  it('full_page cannot be used with PDF output', async () => {
    expect(await planner.refusedBody({ full_page: true, output_type: 'pdf' })).toEqual(['full_page']);
    expect((await planner.planOf({ full_page: false, output_type: 'pdf' })).output.type).toBe('pdf');
  });

  it.each(['image_selector', 'video_selector'])('full_page and %s are mutually exclusive', async (selector) => {
    expect(await planner.refusedBody({ full_page: true, [selector]: 'main' })).toContain('full_page');
    expect((await planner.planOf({ full_page: false, [selector]: 'main' })).params).toMatchObject({ [selector]: 'main' });
  });

  it('cookie and header name the item that is wrong, and never repeat it', async () => {
    const details = await planner.detailsOf({ cookie: ['a=1', 'hunter2'] });
    expect(details).toEqual([expect.stringMatching(/^"cookie\[1\]" must/)]);
    expect(details.join()).not.toContain('hunter2');
    expect(await planner.detailsOf({ header: ['X-A: 1', 'hunter2'] })).toEqual([expect.stringMatching(/^"header\[1\]" must(?!.*hunter2)/)]);
    expect(await planner.detailsOf({ header: ['X-A: 1', 5] })).toEqual([expect.stringMatching(/^"header\[1\]" must/)]);
  });

  it('a data: URL has nobody that headers could go to, and no host for a cookie without Domain', async () => {
    expect(await planner.refusedBody({ url: 'data:text/html,x', header: ['X-A: 1'] })).toEqual(['header']);
    expect(await planner.refusedBody({ url: 'data:text/html,x', cookie: ['a=1'] })).toEqual(['cookie']);
  });
});
