import diagnostics from '@platen/plugin-diagnostics';
import emulate from '@platen/plugin-emulate';
import frames from '@platen/plugin-frames';
import pdf from '@platen/plugin-pdf';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import print from '@platen/plugin-print';
import target from '@platen/plugin-target';
import wait from '@platen/plugin-wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPlanner, toQuery, type Planner } from './planner.js';

// The sections "Target and browser" and "Emulation" of the interface, by query and body alike. ./values.test.ts has the values that the
// definitions refuse, the tests of the plugins each form that their code refuses.

/** Values of keys, and what the plan has of them. */
const TAKEN: readonly (readonly [key: string, value: unknown, plan?: object])[] = [
  ['accept_language', 'de', { profile: { acceptLanguage: 'de' } }],
  [
    'accept_language',
    'de-CH, de;q=0.9, en;q=0.5',
    { profile: { acceptLanguage: 'de-CH,de,en', languageHeader: 'de-CH,de;q=0.9,en;q=0.5' } },
  ],
  ['accept_language', '*', { profile: { languageHeader: '*' } }],
  ...[1, 800, 16_384].flatMap((size): typeof TAKEN => [
    ['browser_width', size, { profile: { width: size } }],
    ['browser_height', size, { profile: { height: size } }],
  ]),
  ['cookie', ['session=8f14; Domain=a.test']],
  ['cookie', ['a=1', 'b=2; Domain=example.com; Path=/x; Secure; HttpOnly; SameSite=None', 'c=3; Max-Age=60']],
  ['cookie', ['a=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT']],
  ['header', ['Authorization: Bearer abc']],
  ['header', ['X-A: 1', 'X-A: 2', 'Accept:']],
  ['device', 'iPhone 15', { profile: { width: 393, height: 659, deviceScaleFactor: 3, mobile: true, platform: 'iPhone', touchPoints: 5 } }],
  ['device', 'pixel 9 LANDSCAPE', { profile: { width: 924, height: 412, mobile: true, userAgent: expect.stringContaining('Pixel 9') } }],
  ...[0.1, 1, 1.5, 5].map((scale) => ['device_scale_factor', scale, { profile: { deviceScaleFactor: scale } }] as const),
  ['user_agent', 'Mine/1.0 (X11)', { profile: { userAgent: 'Mine/1.0 (X11)' } }],
  ...['Win32', 'MacIntel', 'Linux x86_64'].map((platform) => ['platform', platform, { profile: { platform } }] as const),
  ['javascript', "document.body.append('x')", { retryable: false }],
  ['timeout', 0, { timeoutMs: null }],
  ['timeout', 0.5, { timeoutMs: 500 }],
  ['timeout', 90, { timeoutMs: 90_000 }],
  ...['0', '1.5', 'immediate', 'load', 'networkidle0', 'networkidle0:2', 'networkidle2', 'networkidle2:0.25'].map(
    (condition) => ['wait_for', condition] as const,
  ),
  ['capture_on_timeout', true],
  ['wait_for', 'js:app-ready'],
  ['wait_for', 'css:#content > p:first-child'],
  // `diagnostics` keeps from rendering, and has tests of its own.
  ['diagnostics', false],
  ...['geo:48.2010,16.3695', 'geo:-90,180', 'geo:48.2010,16.3695,183', 'geo:48.2,16.3;u=40', 'geo:48.2,16.3,-5.5;u=0'].map(
    (place) => ['emulate_geolocation', place] as const,
  ),
  ['emulate_gpu_renderer', 'ANGLE (Intel, Mesa Intel(R) UHD Graphics 620, OpenGL 4.6)'],
  ['emulate_gpu_vendor', 'Google Inc. (Intel)'],
  ...[1, 8, 65_536].map((cores) => ['emulate_hardware_concurrency', cores] as const),
  ...['screen', 'print', 'Print', 'tv'].map((media) => ['emulate_media', media] as const),
  ...[0, 8, 4_294_967_295].map((memory) => ['emulate_memory', memory] as const),
  ...['Europe/Zurich', 'UTC', 'America/Argentina/Buenos_Aires'].map((zone) => ['emulate_timezone', zone] as const),
  ...[1, 5, 16].map((touchPoints) => ['emulate_touch_points', touchPoints, { profile: { touchPoints } }] as const),
  ...['blurredVision', 'reducedContrast', 'achromatopsia', 'deuteranopia', 'protanopia', 'tritanopia'].map(
    (deficiency) => ['emulate_vision_deficiency', deficiency] as const,
  ),
  ...[
    ...['fail', 'full_page', 'no_timeout', 'emulate_dark_mode', 'emulate_disable_bluetooth', 'emulate_disable_serial'],
    ...['emulate_disable_usb', 'emulate_mobile'],
  ].flatMap((flag): typeof TAKEN => [
    [flag, true],
    [flag, false],
  ]),
];

/** A value of each key whose values are checked by the plugin's own code. */
const REFUSED: readonly (readonly [key: string, value: unknown])[] = [
  ['accept_language', 'de;q=2'],
  ['cookie', ['a=1; Domain=com']],
  ['header', ['Host: b.test']],
  ['device', 'toaster'],
  ['device', '__proto__'],
  ['user_agent', 'a\r\nX: y'],
  ['platform', 'Win\n32'],
  ['wait_for', 'networkidle1'],
  ['wait_for', 'xpath://p'],
  ['emulate_geolocation', 'geo:90.1,0'],
  ['emulate_gpu_renderer', 'a\nb'],
  ['emulate_gpu_vendor', 'a\0b'],
  ['emulate_media', 'print and (color)'],
  ['emulate_timezone', 'Mars/Olympus'],
];

describe('Target and browser, emulation', () => {
  let planner: Planner;
  beforeAll(async () => {
    planner = await openPlanner([target, wait, emulate, pixels, png, frames, print, pdf, diagnostics]);
  });
  afterAll(() => planner[Symbol.asyncDispose]());

  it('has every key of the plugins behind it in its table here', () => {
    const keys = [target, wait, diagnostics, emulate].flatMap(({ params = {} }) => Object.keys(params));
    expect(TAKEN.map(([key]) => key)).toEqual(expect.arrayContaining(keys));
  });

  it.each(TAKEN.map(([key, value, plan = {}]) => [key, value, plan] as const))(
    '%s takes %j, by query and body alike',
    async (key, value, plan) => {
      expect(await planner.planOf({ [key]: value })).toMatchObject({ params: { [key]: value }, ...plan });
    },
  );

  it.each(REFUSED)('%s refuses %j, by name', async (key, value) => {
    expect(await planner.refusedBody({ [key]: value })).toEqual([key]);
    expect(await planner.refusedQuery(toQuery({ [key]: value }))).toEqual([key]);
  });

  it('url must be an http, https or data URL', async () => {
    for (const url of ['http://a.test/x?y=1', 'https://a.test/', 'data:text/html,<h1>Hello</h1>']) {
      expect((await planner.planOf({ url })).url).toBe(url);
    }
    for (const url of ['file:///etc/passwd', 'ftp://a.test/', 'a.test', '', null, 1])
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
    const { profile } = await planner.planOf({ device: 'Pixel 5', emulate_mobile: false, emulate_touch_points: 3 });
    expect(profile).toMatchObject({ mobile: false, touchPoints: 3, userAgent: expect.stringContaining('Pixel 5') });
  });

  it('full_page cannot be used with PDF output', async () => {
    expect(await planner.detailsOf({ full_page: true, output_type: 'pdf' })).toEqual([
      expect.stringContaining('"full_page" cannot be used with PDF output'),
    ]);
    for (const params of [{ full_page: false }, { full_page: null }, { image_selector: '#x' }])
      expect((await planner.planOfBody({ ...params, output_type: 'pdf' })).output.type).toBe('pdf');
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
