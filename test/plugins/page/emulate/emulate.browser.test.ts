import { definePlugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import emulate from '../../../../plugins/page/emulate/src/index.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { openProber, type Prober } from '../probe.js';

/** Reads everything back, in a page, a frame or a worker; the first statement of each. */
const READ = `
self.early = [navigator.hardwareConcurrency, navigator.deviceMemory, new Date(2026, 0, 1).getTimezoneOffset()];
self.read = () => {
  const gl = typeof OffscreenCanvas === 'undefined' ? null : new OffscreenCanvas(1, 1).getContext('webgl');
  const info = gl && gl.getExtension('WEBGL_debug_renderer_info');
  return {
    early: self.early,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    hour: new Date(Date.UTC(2026, 6, 1)).getHours(),
    cores: navigator.hardwareConcurrency,
    memory: navigator.deviceMemory,
    has: ['deviceMemory', 'bluetooth', 'serial', 'usb'].filter((key) => key in navigator),
    interfaces: ['Bluetooth', 'Serial', 'USB', 'USBDevice'].filter((key) => key in self),
    vendor: gl && gl.getParameter(info.UNMASKED_VENDOR_WEBGL),
    renderer: gl && gl.getParameter(info.UNMASKED_RENDERER_WEBGL),
    version: gl && gl.getParameter(gl.VERSION),
    ...(self.matchMedia ? {
      dark: matchMedia('(prefers-color-scheme: dark)').matches,
      light: matchMedia('(prefers-color-scheme: light)').matches,
      print: matchMedia('print').matches,
      touch: navigator.maxTouchPoints,
      touchEvents: 'ontouchstart' in self,
      coarse: matchMedia('(pointer: coarse)').matches,
      mobile: navigator.userAgentData && navigator.userAgentData.mobile,
    } : {}),
  };
};`;

const CHILD = (to: string) => `<script src="/read.js"></script><script>${to}.postMessage({ from: NAME, ...read() }, '*')</script>`;
const child = (name: string, to: string) => CHILD(to).replace('NAME', JSON.stringify(name));

const page = (port: number) => `<script src="/read.js"></script><script>
const said = {};
window.report = new Promise((resolve) => {
  const take = ({ data: { from, ...values } }) => { said[from] = values; if (Object.keys(said).length === 8) resolve(said); };
  take({ data: { from: 'page', ...read() } });
  addEventListener('message', take);
  new Worker('/worker.js').onmessage = take;
  const shared = new SharedWorker('/shared.js');
  shared.port.onmessage = take;
  window.open('/popup.html');
  navigator.serviceWorker.onmessage = take;
  navigator.serviceWorker.register('/service.js').then(() => navigator.serviceWorker.ready).then(({ active }) => active.postMessage('read'));
});
</script>
<iframe src="/frame.html"></iframe>
<iframe src="http://other.localhost:${String(port)}/cross.html"></iframe>
<iframe srcdoc="${child('srcdoc', 'parent').replaceAll('"', '&quot;')}"></iframe>`;

const WORKER = `importScripts('/read.js'); postMessage({ from: 'worker', ...read() });`;
const SHARED = `importScripts('/read.js'); onconnect = ({ ports: [port] }) => port.postMessage({ from: 'shared', ...read() });`;
const SERVICE = `importScripts('/read.js'); onmessage = ({ source }) => source.postMessage({ from: 'service', ...read() });`;
const script = (body: string) => ({ headers: { 'content-type': 'text/javascript' }, body });

const WORKERS = ['worker', 'shared', 'service'];
const DOCUMENTS = ['page', 'frame', 'cross', 'srcdoc', 'popup'];

let site: Site;
let prober: Prober;
beforeAll(async () => {
  site = await openSite({
    '/': () => page(site.port),
    '/read.js': script(READ),
    '/frame.html': child('frame', 'parent'),
    '/cross.html': child('cross', 'parent'),
    '/popup.html': child('popup', 'opener'),
    '/worker.js': script(WORKER),
    '/shared.js': script(SHARED),
    '/service.js': script(SERVICE),
    '/plain.html': '<script src="/read.js"></script><script>report = read()</script>',
    '/workers.html': `<script>
      const ask = (name, url, options) => new Promise((resolve) => {
        new Worker(url, options).onmessage = ({ data }) => resolve([name, data]);
      });
      const blob = URL.createObjectURL(new Blob(["importScripts('" + location.origin + "/first.js')"]));
      report = Promise.all([ask('classic', '/first.js'), ask('module', '/first.js', { type: 'module' }), ask('blob', blob)]).then(Object.fromEntries);
    </script>`,
    '/first.js': script(`
      const first = [typeof USB, typeof Serial];
      self.runs = (self.runs || 0) + 1;
      setTimeout(() => postMessage({ first, interfaces: ['USB', 'USBDevice', 'Serial'].filter((key) => key in self), runs: self.runs }), 0);
    `),
    '/place.html': `<script>
      report = new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(({ coords }) => resolve(coords.toJSON ? coords.toJSON() : coords), reject));
    </script>`,
    '/native.html': `<script>
      const { get } = Object.getOwnPropertyDescriptor(Navigator.prototype, 'deviceMemory');
      const { getParameter } = WebGLRenderingContext.prototype;
      const attempt = (f) => { try { return String(f()); } catch (error) { return error.constructor.name; } };
      report = {
        own: Object.keys(navigator),
        descriptor: [typeof get, get.name, get.length, Object.getOwnPropertyDescriptor(Navigator.prototype, 'deviceMemory').enumerable],
        sources: [get, getParameter, Function.prototype.toString].map((f) => [f.toString(), Function.prototype.toString.call(f), f + '']),
        foreign: [attempt(() => get.call({})), attempt(() => Navigator.prototype.deviceMemory), attempt(() => getParameter.call({}, 1)), attempt(() => Function.prototype.toString.call({}))],
        globals: Object.getOwnPropertyNames(window).filter((key) => /shim|wrap|platen/i.test(key)),
      };
    </script>`,
  });
  prober = openProber();
});
afterAll(async () => {
  await prober[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe('emulation', () => {
  it('is true from the first statement on in page, frames, popup and workers', async () => {
    const { report } = await prober.probe({
      url: site.url('/'),
      emulate_dark_mode: true,
      emulate_disable_bluetooth: true,
      emulate_disable_serial: true,
      emulate_disable_usb: true,
      emulate_gpu_renderer: 'Renderer 1',
      emulate_gpu_vendor: 'Vendor 1',
      emulate_hardware_concurrency: 13,
      emulate_media: 'print',
      emulate_memory: 6,
      emulate_mobile: true,
      emulate_timezone: 'Pacific/Kiritimati',
      emulate_touch_points: 7,
    });
    for (const where of [...DOCUMENTS, ...WORKERS]) {
      expect(report[where], where).toMatchObject({
        early: [13, 6, -840],
        zone: 'Pacific/Kiritimati',
        hour: 14,
        cores: 13,
        memory: 6,
        has: ['deviceMemory'],
        vendor: 'Vendor 1',
        renderer: 'Renderer 1',
        version: expect.stringContaining('WebGL 1.0'),
        interfaces: [],
      });
    }
    for (const where of DOCUMENTS) {
      expect(report[where], where).toMatchObject({
        dark: true,
        light: false,
        print: true,
        touch: 7,
        touchEvents: true,
        coarse: true,
        mobile: true,
      });
    }
  });

  it('is nothing that a page can see where nothing is asked for', async () => {
    const { report } = await prober.probe({ url: site.url('/plain.html') });
    expect(report).toMatchObject({
      dark: false,
      light: true,
      print: false,
      touch: 0,
      touchEvents: false,
      mobile: false,
      interfaces: expect.arrayContaining(['USB']),
    });
    expect(report.has).toContain('usb');
    expect(report.vendor).not.toBe('Vendor 1');
  });

  it('takes one API away and leaves the others', async () => {
    const { report } = await prober.probe({ url: site.url('/plain.html'), emulate_disable_usb: true });
    expect(report.has).not.toContain('usb');
    expect(report.has).toContain('serial');
    expect(report.interfaces).toContain('Serial');
  });

  it('takes it away before the first statement of a worker of any kind, and runs the worker once', async () => {
    const { report } = await prober.probe({ url: site.url('/workers.html'), emulate_disable_usb: true });
    const seen = { first: ['undefined', 'function'], interfaces: ['Serial'], runs: 1 };
    expect(report).toEqual({ classic: seen, module: seen, blob: seen });
  });

  it('leaves deviceMemory undefined for 0', async () => {
    const { report } = await prober.probe({ url: site.url('/plain.html'), emulate_memory: 0 });
    expect(report.memory).toBeUndefined();
    expect(report.has).not.toContain('deviceMemory');
  });

  it('keeps the real vendor where only the renderer is given', async () => {
    const { report } = await prober.probe({ url: site.url('/plain.html'), emulate_gpu_renderer: 'R' });
    expect(report.renderer).toBe('R');
    expect(report.vendor).toMatch(/.+/);
  });

  it('says light where dark mode is off', async () => {
    const { report } = await prober.probe({ url: site.url('/plain.html'), emulate_dark_mode: false });
    expect(report).toMatchObject({ dark: false, light: true });
  });

  it('gives the place, without a prompt', async () => {
    const { report } = await prober.probe({ url: site.url('/place.html'), emulate_geolocation: 'geo:48.2010,16.3695,183;u=40' });
    expect(report).toMatchObject({ latitude: 48.201, longitude: 16.3695, altitude: 183, accuracy: 40 });
  });

  it('is not to be told from native code', async () => {
    const { report } = await prober.probe({ url: site.url('/native.html'), emulate_memory: 4, emulate_gpu_vendor: 'V' });
    const native = (name: string) => Array.from({ length: 3 }, () => `function ${name}() { [native code] }`);
    expect(report).toEqual({
      own: [],
      descriptor: ['function', 'get deviceMemory', 0, true],
      sources: [native('get deviceMemory'), native('getParameter'), native('toString')],
      foreign: ['TypeError', 'TypeError', 'TypeError', 'TypeError'],
      globals: [],
    });
  });
});

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
