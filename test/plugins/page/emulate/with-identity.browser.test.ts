import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { openProber, type Prober } from '../probe.js';

/** What the first statement of a document or worker sees. */
const READ = `
self.runs = (self.runs || 0) + 1;
const gl = new OffscreenCanvas(1, 1).getContext('webgl');
const info = gl && gl.getExtension('WEBGL_debug_renderer_info');
self.seen = {
  userAgent: navigator.userAgent,
  platform: navigator.platform,
  languages: [...navigator.languages],
  memory: navigator.deviceMemory,
  cores: navigator.hardwareConcurrency,
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  interfaces: ['usb', 'serial'].filter((key) => key in navigator).concat(['USB', 'USBDevice', 'Serial'].filter((key) => key in self)),
  renderer: gl && gl.getParameter(info.UNMASKED_RENDERER_WEBGL),
};
self.say = (name) => ({ from: name, runs, ...seen });`;

const DOCUMENT = (name: string, to: string) => `<script src="/read.js"></script><script>${to}.postMessage(say('${name}'), '*')</script>`;
const WORKER = (name: string) => `${READ} postMessage(say('${name}'));`;
const FRAME = `<script src="/read.js"></script><script>
  parent.postMessage(say('cross'), '*');
  new Worker('/worker.js?of-frame').onmessage = ({ data }) => parent.postMessage({ ...data, from: 'of-frame' }, '*');
</script>`;

const WHERE = [
  ...['page', 'frame', 'cross', 'popup', 'classic', 'module', 'data', 'blob', 'nested', 'nested-blob', 'of-frame', 'shared', 'service'],
];

const page = (port: number) => `<script src="/read.js"></script><script>
const said = {};
window.report = new Promise((resolve) => {
  const take = ({ data: { from, ...values } }) => { said[from] = values; if (Object.keys(said).length === ${String(WHERE.length)}) resolve(said); };
  const hear = (worker, name) => { worker.onmessage = ({ data }) => take({ data: { ...data, from: data.from === 'worker' ? name : data.from } }); };
  const blob = (text) => URL.createObjectURL(new Blob([text]));
  take({ data: say('page') });
  addEventListener('message', take);
  hear(new Worker('/worker.js'), 'classic');
  hear(new Worker('/worker.js', { type: 'module' }), 'module');
  hear(new Worker('data:text/javascript,' + encodeURIComponent(${JSON.stringify(WORKER('worker'))})), 'data');
  hear(new Worker(blob("importScripts('" + location.origin + "/worker.js')")), 'blob');
  hear(new Worker('/parent.js'), 'nested');
  hear(new Worker('/parent-of-blob.js'), 'nested-blob');
  hear(new SharedWorker('/shared.js').port, 'shared');
  window.open('/popup.html');
  navigator.serviceWorker.onmessage = take;
  navigator.serviceWorker.register('/service.js').then(() => navigator.serviceWorker.ready).then(({ active }) => active.postMessage('read'));
});
</script>
<iframe src="/frame.html"></iframe>
<iframe src="http://other.localhost:${String(port)}/cross.html"></iframe>`;

const script = (body: string) => ({ headers: { 'content-type': 'text/javascript' }, body });

let site: Site;
let prober: Prober;
beforeAll(async () => {
  site = await openSite({
    '/': () => page(site.port),
    '/read.js': script(READ),
    '/frame.html': DOCUMENT('frame', 'parent'),
    '/cross.html': FRAME,
    '/popup.html': DOCUMENT('popup', 'opener'),
    '/worker.js': script(WORKER('worker')),
    '/parent.js': script(`new Worker('/worker.js').onmessage = ({ data }) => postMessage(data);`),
    '/parent-of-blob.js': script(
      `new Worker(URL.createObjectURL(new Blob(["importScripts('" + location.origin + "/worker.js')"]))).onmessage = ({ data }) => postMessage(data);`,
    ),
    '/shared.js': script(`${READ} onconnect = ({ ports: [port] }) => port.postMessage(say('shared'));`),
    '/service.js': script(`${READ} onmessage = ({ source }) => source.postMessage(say('service'));`),
  });
  prober = openProber();
});
afterAll(async () => {
  await prober[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const EMULATED = {
  emulate_disable_serial: true,
  emulate_disable_usb: true,
  emulate_gpu_renderer: 'Renderer 1',
  emulate_hardware_concurrency: 13,
  emulate_memory: 6,
  emulate_timezone: 'Pacific/Kiritimati',
};
const SEEN = { runs: 1, interfaces: [], renderer: 'Renderer 1', cores: 13, memory: 6, zone: 'Pacific/Kiritimati' };

describe('emulation beside an identity', () => {
  it.each([
    ['accept_language', { accept_language: 'de-CH,de' }, { languages: ['de-CH', 'de'] }],
    ['platform', { platform: 'Win32' }, { platform: 'Win32' }],
    ['user_agent', { user_agent: 'Mozilla/5.0 (Elsewhere) Browser/1' }, { userAgent: 'Mozilla/5.0 (Elsewhere) Browser/1' }],
    ['device', { device: 'Pixel 5' }, { userAgent: expect.stringContaining('Pixel 5'), platform: 'Linux armv81' }],
  ])('is true in page, frames, popup and workers of every kind, with %s', async (_key, identity, seen) => {
    const { report } = await prober.probe({ url: site.url('/'), ...identity, ...EMULATED });
    for (const where of WHERE) expect(report[where], where).toMatchObject({ ...SEEN, ...seen });
  });
});
