import { definePlugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import emulate from '@platen/plugin-emulate';
import png from '@platen/plugin-png';
import pixels from '@platen/plugin-screenshot';
import target from '@platen/plugin-target';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../helpers/run-cli.js';
import { openSite, type Site } from '../helpers/site.js';
import { openPlanner, toQuery, type Planner } from './planner.js';

const DEFICIENCIES = ['blurredVision', 'reducedContrast', 'achromatopsia', 'deuteranopia', 'protanopia', 'tritanopia'];

interface Rule {
  readonly key: string;
  readonly takes: readonly unknown[];
  /** Values of the right type that the key refuses. */
  readonly refuses: readonly unknown[];
  /** Values of other types. */
  readonly wrongTypes: readonly unknown[];
}

const flag = (key: string): Rule => ({ key, takes: [true, false], refuses: [], wrongTypes: ['true', 1, [true]] });
const count = (key: string, takes: readonly number[], refuses: readonly number[]): Rule => ({
  key,
  takes,
  refuses: [-1, 1.5, 4_294_967_296, ...refuses],
  wrongTypes: ['2', true, [2]],
});
const text = (key: string, takes: readonly string[], refuses: readonly string[]): Rule => ({
  key,
  takes,
  refuses: ['', ...refuses],
  wrongTypes: [1, true, takes],
});

/** The table of the interface specification, "Emulation", row by row. */
const RULES: readonly Rule[] = [
  flag('emulate_dark_mode'),
  flag('emulate_disable_bluetooth'),
  flag('emulate_disable_serial'),
  flag('emulate_disable_usb'),
  text(
    'emulate_geolocation',
    ['geo:48.2010,16.3695', 'geo:-90,180', 'geo:48.2010,16.3695,183', 'geo:48.2,16.3;u=40', 'geo:48.2,16.3,-5.5;u=0'],
    ['48.2,16.3', 'geo:48.2', 'geo:90.1,0', 'geo:0,180.1', 'geo:a,b', 'geo:0,0;u=-1', 'geo:0,0;u=far'],
  ),
  text('emulate_gpu_renderer', ['ANGLE (Intel, Mesa Intel(R) UHD Graphics 620, OpenGL 4.6)'], ['a\nb']),
  text('emulate_gpu_vendor', ['Google Inc. (Intel)'], ['a\0b']),
  count('emulate_hardware_concurrency', [1, 8, 65_536], [0]),
  text('emulate_media', ['screen', 'print', 'Print', 'tv'], ['print and (color)', 'print, screen', '1', 'foo', 'not print']),
  count('emulate_memory', [0, 8, 4_294_967_295], []),
  flag('emulate_mobile'),
  text('emulate_timezone', ['Europe/Zurich', 'UTC', 'America/Argentina/Buenos_Aires'], ['Mars/Olympus', '+01:00', 'Europe/Zurich ']),
  count('emulate_touch_points', [1, 5, 16], [0, 17]),
  text('emulate_vision_deficiency', DEFICIENCIES, ['normal', 'blurredvision', 'none']),
];

const pairs = (values: (rule: Rule) => readonly unknown[]) =>
  RULES.flatMap((rule) => values(rule).map((value) => [rule.key, value] as const));

describe('Emulation: each key of the table', () => {
  let planner: Planner;
  beforeAll(async () => {
    planner = await openPlanner([target, emulate, pixels, png]);
  });
  afterAll(() => planner[Symbol.asyncDispose]());

  it('is known, and there are no others', () => {
    expect(Object.keys(emulate.params ?? {}).sort()).toEqual(RULES.map(({ key }) => key).sort());
  });

  it.each(pairs(({ takes }) => takes))('%s takes %j, by query and body alike', async (key, value) => {
    expect((await planner.planOf({ [key]: value })).params).toMatchObject({ [key]: value });
  });

  it.each(pairs(({ refuses, wrongTypes }) => [...refuses, ...wrongTypes]))('%s refuses %j, by name', async (key, value) => {
    expect(await planner.refusedBody({ [key]: value })).toEqual([key]);
  });

  it.each(pairs(({ refuses }) => refuses.filter((value) => value !== '')))('%s refuses %j in a query too', async (key, value) => {
    expect(await planner.refusedQuery(toQuery({ [key]: value }))).toEqual([key]);
  });

  it.each(RULES.map(({ key }) => key).filter((key) => key !== 'emulate_vision_deficiency'))('%s: null means unset', async (key) => {
    expect((await planner.planOfQuery(`${key}=`)).params).not.toHaveProperty(key);
    expect((await planner.planOfBody({ [key]: null })).params).not.toHaveProperty(key);
  });

  it('emulate_vision_deficiency is omitted for normal vision, never null', async () => {
    expect(await planner.refusedBody({ emulate_vision_deficiency: null })).toEqual(['emulate_vision_deficiency']);
    expect(await planner.refusedQuery('emulate_vision_deficiency=')).toEqual(['emulate_vision_deficiency']);
  });

  it('emulate_touch_points says which range it has', async () => {
    expect(await planner.detailsOf({ emulate_touch_points: 17 })).toEqual([expect.stringContaining('between 1 and 16')]);
  });

  it('emulate_vision_deficiency says which values it has', async () => {
    const [detail] = await planner.detailsOf({ emulate_vision_deficiency: 'none' });
    for (const value of DEFICIENCIES) expect(detail).toContain(value);
  });

  it('emulate_mobile sets the mobile flag, and touch unless emulate_touch_points says otherwise', async () => {
    expect((await planner.planOf({})).profile).toMatchObject({ mobile: false, touchPoints: 0 });
    expect((await planner.planOf({ emulate_mobile: true })).profile).toMatchObject({ mobile: true, touchPoints: 5 });
    expect((await planner.planOf({ emulate_mobile: true, emulate_touch_points: 2 })).profile).toMatchObject({
      mobile: true,
      touchPoints: 2,
    });
  });

  it('overrides a device preset', async () => {
    const { profile } = await planner.planOf({ device: 'Pixel 5', emulate_mobile: false, emulate_touch_points: 3 });
    expect(profile).toMatchObject({ mobile: false, touchPoints: 3, userAgent: expect.stringContaining('Pixel 5') });
  });
});

/** What it finds, as text, once it has asked where it is. */
const PAGE = `<!doctype html><pre></pre><script>
const gl = document.createElement('canvas').getContext('webgl');
const info = gl && gl.getExtension('WEBGL_debug_renderer_info');
const found = () => ({
  dark: matchMedia('(prefers-color-scheme: dark)').matches,
  light: matchMedia('(prefers-color-scheme: light)').matches,
  serial: typeof navigator.serial, usb: typeof navigator.usb,
  renderer: gl && gl.getParameter(info.UNMASKED_RENDERER_WEBGL), vendor: gl && gl.getParameter(info.UNMASKED_VENDOR_WEBGL),
  cores: navigator.hardwareConcurrency, memory: String(navigator.deviceMemory),
  print: matchMedia('print').matches, screen: matchMedia('screen').matches,
  mobile: navigator.userAgentData.mobile, touch: navigator.maxTouchPoints, touchEvents: 'ontouchstart' in window,
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});
const say = (place) => {
  document.querySelector('pre').textContent = JSON.stringify({ ...found(), place });
  dispatchEvent(new Event('told'));
};
navigator.geolocation.getCurrentPosition(
  ({ coords: { latitude, longitude, altitude, accuracy } }) => say([latitude, longitude, altitude, accuracy]),
  () => say('refused'),
);
</script>`;

/** The headless shell on Linux has Web Bluetooth behind a switch alone; the output is the type of the API. */
const bluetooth = definePlugin({
  name: 'bluetooth',
  captures: [{ kind: 'type' }],
  outputs: [{ type: 'type', from: 'type', contentType: 'text/plain', extension: 'txt' }],
  plan({ browser }) {
    browser.exclusive = true;
    browser.switches = ['--enable-blink-features=WebBluetooth'];
  },
  apply({ hooks }) {
    hooks.capture.for('type').tapPromise('type', ({ page }) => page.evaluateInMainWorld('typeof navigator.bluetooth'));
    hooks.encode
      .for('type')
      .tapPromise('type', (type) => Promise.resolve({ contentType: 'text/plain', extension: 'txt', body: Buffer.from(String(type)) }));
  },
});

describe('emulate_disable_bluetooth', () => {
  it('makes the Web Bluetooth API undefined, where the browser has one', async () => {
    await using site = await openSite({ '/': '<!doctype html>' });
    await using host = createTestKernel({ plugins: [emulate, bluetooth] });
    const typeWith = async (params: object) => {
      const result = await host.render({ url: site.url('/'), output_type: 'type', ...params });
      return (await result.bytes()).toString();
    };
    expect(await typeWith({})).toBe('object');
    expect(await typeWith({ emulate_disable_bluetooth: true })).toBe('undefined');
  });
});

describe('Emulation: what a page finds', () => {
  let server: RunningServer;
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ '/': PAGE, '/colour': '<!doctype html><body style="margin: 0; background: rgb(200, 40, 90)">' });
    server = await startServer();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  const find = async (params: object): Promise<unknown> => {
    const query = toQuery({ url: site.url('/'), output_type: 'txt', wait_for: 'js:told', ...params });
    return JSON.parse(await (await fetch(`${server.url}/?${query}`)).text());
  };

  it('without any of the keys: light, USB and serial ports, no touch', async () => {
    expect(await find({})).toMatchObject({
      ...{ dark: false, light: true, serial: 'object', usb: 'object' },
      ...{ print: false, screen: true, mobile: false, touch: 0, touchEvents: false, place: 'refused' },
    });
  });

  it.each([
    ['emulate_dark_mode', true, { dark: true, light: false }],
    ['emulate_disable_serial', true, { serial: 'undefined', usb: 'object' }],
    ['emulate_disable_usb', true, { serial: 'object', usb: 'undefined' }],
    ['emulate_geolocation', 'geo:48.2010,16.3695,183;u=40', { place: [48.201, 16.3695, 183, 40] }],
    ['emulate_gpu_renderer', 'Some Renderer', { renderer: 'Some Renderer' }],
    ['emulate_gpu_vendor', 'Some Vendor', { vendor: 'Some Vendor' }],
    ['emulate_hardware_concurrency', 13, { cores: 13 }],
    ['emulate_media', 'print', { print: true, screen: false }],
    ['emulate_memory', 4, { memory: '4' }],
    ['emulate_memory', 0, { memory: 'undefined' }],
    ['emulate_mobile', true, { mobile: true, touch: 5, touchEvents: true }],
    ['emulate_timezone', 'Asia/Tokyo', { zone: 'Asia/Tokyo' }],
    ['emulate_touch_points', 3, { mobile: false, touch: 3, touchEvents: true }],
  ])('%s=%s', async (key, value, expected) => {
    expect(await find({ [key]: value })).toMatchObject(expected);
  });

  it('emulate_vision_deficiency=achromatopsia leaves no colour', async () => {
    const query = toQuery({ url: site.url('/colour'), browser_width: 20, browser_height: 20, emulate_vision_deficiency: 'achromatopsia' });
    const picture = Buffer.from(await (await fetch(`${server.url}/?${query}`)).arrayBuffer());
    const [red, green, blue] = await sharp(picture).removeAlpha().raw().toBuffer();
    expect([green, blue]).toEqual([red, red]);
    expect(red).not.toBe(200);
  });
});
