import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { definePlugin, type CollectedAssets } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import pprof from '@platen/plugin-pprof';
import wait from '@platen/plugin-wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { decodePicture } from '../../capture/pictures.js';
import { listTop, printRaw } from './go-pprof.js';

const host = createTestKernel({ plugins: [pixels, png, wait, pprof] });
let site: Site;

/** A script with a function that works, on its third line, for so many milliseconds. */
const burn = (name: string, ms: number) => `function ${name}() {
  const until = performance.now() + ${String(ms)};
  while (performance.now() < until);
}
${name}();`;
const script = (body: string) => ({ headers: { 'content-type': 'text/javascript' }, body });
const page = (body: string) => `<!doctype html><body><p>Here${body}`;
const DONE = `addEventListener('load', () => setTimeout(() => dispatchEvent(new Event('done'))));`;
const leave = (to: string) => `addEventListener('load', () => setTimeout(() => { location.href = ${JSON.stringify(to)}; }));`;

/** An array of 100,000 numbers that are no small integers: 800,000 bytes and a few. */
const ALLOCATE = `function allocate(count) {
  return Array.from({ length: count }, () => new Float64Array(100000));
}
function retain() {
  window.kept = Array.from({ length: 10 }, () => new Array(100000).fill(1.5));
}
function waste() {
  for (let i = 0; i < 10; i++) window.last = new Array(100000).fill(2.5);
  window.last = undefined;
}
retain(); waste();`;

beforeAll(async () => {
  site = await openSite({
    '/burn.js': script(burn('hot', 200)),
    '/burn': page(`<script src="/burn.js"></script><script>${DONE}</script>`),
    '/allocate.js': script(ALLOCATE),
    '/allocate': page(`<script src="/allocate.js"></script><script>${DONE}</script>`),
    '/worker.js': script(`${burn('inWorker', 150)}\npostMessage('done');`),
    '/ended.js': script(`${burn('inEnded', 150)}\npostMessage('done');`),
    '/closing.js': script(`${burn('inClosing', 150)}\npostMessage('done'); close();`),
    '/busy.js': script(`postMessage('done'); function inBusy() { for (;;); } setTimeout(inBusy);`),
    '/inner.js': script(`${burn('inInner', 150)}\npostMessage('done');`),
    '/outer.js': script(`const inner = new Worker('/inner.js'); inner.onmessage = () => { inner.terminate(); postMessage('done'); };`),
    '/ends': page(`<script>
const gone = (name, wait = 0) => new Promise((done) => {
  const worker = new Worker(name);
  worker.onmessage = () => setTimeout(() => { worker.terminate(); done(); }, wait);
});
Promise.all([gone('/ended.js'), gone('/closing.js', 20), gone('/busy.js', 200), gone('/outer.js')]).then(() => dispatchEvent(new Event('done')));
</script>`),
    '/framed.js': script(`${burn('inFrame', 150)}\nparent.postMessage('done', '*');`),
    '/framed': page('<script src="/framed.js"></script>'),
    '/all': () =>
      page(`<iframe src="${site.url('/framed', 'localhost')}"></iframe><script>
let done = 0;
const count = () => { if (++done === 2) dispatchEvent(new Event('done')); };
addEventListener('message', count);
new Worker('/worker.js').onmessage = count;
</script>`),
    '/first.js': script(`${burn('onFirst', 120)}\nwindow.early = new Array(300000).fill(1.5);`),
    '/first': page(`<script src="/first.js"></script><script>${leave('/final')}</script>`),
    '/abroad': () => page(`<script src="/first.js"></script><script>${leave(site.url('/final', 'localhost'))}</script>`),
    '/final': page(`<script src="/burn.js"></script><script>${DONE}</script>`),
    '/end': page(''),
    '/never': () => undefined,
    '/popup': page(`<script>${burn('inPopup', 100)}</script>`),
    '/opens': page(`<script src="/allocate.js"></script><script>
window.open('/popup').addEventListener('load', () => dispatchEvent(new Event('done')));</script>`),
    '/closes': page(`<script src="/allocate.js"></script><script>
const popup = window.open('/popup');
popup.addEventListener('load', () => popup.close());
const look = setInterval(() => { if (popup.closed) { clearInterval(look); dispatchEvent(new Event('done')); } }, 10);</script>`),
    '/loop': page(`<script>function forever() { for (;;); } addEventListener('load', () => setTimeout(forever));</script>`),
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const at = (path: string) => ({ url: site.url(path), wait_for: 'js:done' });
const render = async (params: object) => (await host.render({ ...params })).bytes();
const assetsOf = async ({ kept }: CollectedAssets) =>
  Object.fromEntries(await Promise.all(kept.map(async ({ name, open }) => [name, await buffer(open())] as const)));

describe('output_type=pprof_cpu', () => {
  it('go tool pprof lists the hot function, with its file and the line that is hot', async () => {
    const bytes = await render({ ...at('/burn'), output_type: 'pprof_cpu' });
    const [first] = await listTop(bytes, { unit: 'ms' });
    expect(first?.place).toBe(`hot ${site.url('/burn.js').replace('//', '/')}:3`);
    // It runs for 200 ms of the clock.
    expect(first?.flat).toBeGreaterThan(100);
    const raw = await printRaw(bytes);
    expect(raw).toContain('PeriodType: cpu nanoseconds\nPeriod: 1000000\n');
    expect(raw).toContain('samples/count cpu/nanoseconds[dflt]\n');
    expect(raw).toMatch(/ hot http:\/\/127\.0\.0\.1:\d+\/burn\.js:3(:\d+)? s=1\n/);
    expect(raw).toMatch(/ target:\[page\] url:\[http:\/\/127\.0\.0\.1:\d+\/burn\]\n/);
    expect(raw).not.toContain('(idle)');
  });

  it('pprof_cpu_interval_us: says how often, and takes as many more samples', async () => {
    const count = async (interval: number) => {
      const bytes = await render({ ...at('/burn'), output_type: 'pprof_cpu', pprof_cpu_interval_us: interval });
      const raw = await printRaw(bytes);
      expect(raw).toContain(`Period: ${String(interval * 1000)}\n`);
      return [...raw.matchAll(/^ +(\d+) +\d+: /gm)].reduce((sum, [, samples]) => sum + Number(samples), 0);
    };
    const [often, seldom] = [await count(250), await count(20_000)];
    expect(often).toBeGreaterThan(4 * seldom);
  });

  it('pprof_no_gzip: the same, not compressed', async () => {
    const gzipped = await host.render({ ...at('/burn'), output_type: 'pprof_cpu' });
    expect([gzipped.output.contentType, gzipped.output.extension]).toEqual(['application/gzip', 'cpu.pb.gz']);
    expect(gunzipSync(await gzipped.bytes()).length).toBeGreaterThan(100);
    const plain = await host.render({ ...at('/burn'), output_type: 'pprof_cpu', pprof_no_gzip: true });
    expect([plain.output.contentType, plain.output.extension]).toEqual(['application/vnd.google.protobuf', 'cpu.pb']);
    expect((await listTop(await plain.bytes(), { unit: 'ms' }))[0]?.place).toContain('hot ');
  });

  it('has workers and frames of other sites, each with its label', async () => {
    const bytes = await render({ ...at('/all'), output_type: 'pprof_cpu' });
    const inWorker = await listTop(bytes, { unit: 'ms', tagFocus: 'target=worker' });
    const inFrame = await listTop(bytes, { unit: 'ms', tagFocus: 'target=iframe' });
    expect(inWorker[0]?.place).toContain('inWorker ');
    expect(inFrame[0]?.place).toContain('inFrame ');
    const raw = await printRaw(bytes);
    expect(raw).toMatch(/target:\[worker\] url:\[http:\/\/127\.0\.0\.1:\d+\/worker\.js\]/);
    expect(raw).toMatch(/target:\[iframe\] url:\[http:\/\/localhost:\d+\/framed\]/);
  });

  it('has workers that ended before the page did: ended by it, by themselves, by another worker, and in the middle of a loop', async () => {
    const top = await listTop(await render({ ...at('/ends'), output_type: 'pprof_cpu' }), { unit: 'ms', tagFocus: 'target=worker' });
    const spent = (name: string) => top.find(({ place }) => place.startsWith(`${name} `))?.flat ?? 0;
    // How much they got of the processor before they ended is the machine's affair.
    for (const name of ['inEnded', 'inClosing', 'inInner', 'inBusy']) expect(spent(name), name).toBeGreaterThan(0);
  });

  it('has what a popup of the same site did once, as the work of its page', async () => {
    const raw = await printRaw(await render({ ...at('/opens'), output_type: 'pprof_cpu' }));
    expect(raw).toContain(' inPopup ');
    expect(raw).toContain('target:[page]');
    expect(raw).not.toContain('target:[popup]');
  });

  it('is of the final page', async () => {
    const places = (await listTop(await render({ ...at('/first'), output_type: 'pprof_cpu' }), { unit: 'ms' })).map(({ place }) => place);
    expect(places.some((place) => place.startsWith('hot '))).toBe(true);
    expect(places.some((place) => place.startsWith('onFirst '))).toBe(false);
  });

  it.each(['/first', '/abroad'])('pprof_captures_navigation: has every page that is passed, from %s on', async (path) => {
    const bytes = await render({ ...at(path), output_type: 'pprof_cpu', pprof_captures_navigation: true });
    const places = (await listTop(bytes, { unit: 'ms' })).filter(({ flat }) => flat > 50).map(({ place }) => place.split(' ')[0]);
    expect(places).toEqual(expect.arrayContaining(['hot', 'onFirst']));
    expect(await printRaw(bytes)).toContain(`url:[${site.url(path)}]`);
  });

  it('a script that never ends is broken off, and is what the profile shows', async () => {
    const bytes = await render({ url: site.url('/loop'), wait_for: 'load', output_type: 'pprof_cpu' });
    const [first] = await listTop(bytes, { unit: 'ms' });
    expect(first?.place).toContain('forever ');
  });

  it.each(['pprof_cpu_interval_us', 'pprof_memory_interval_bytes'])('%s may be as large as a 32-bit number', async (key) => {
    const { bytes } = await host.render({ url: 'data:text/html,<p>x', output_type: 'pprof_cpu', [key]: 2 ** 31 - 1 });
    expect(await printRaw(await bytes())).toContain('PeriodType: cpu nanoseconds');
  });
});

describe('output_type=pprof_memory', () => {
  it('go tool pprof lists the bytes that a function retains, and none of what was wasted', async () => {
    const bytes = await render({ ...at('/allocate'), output_type: 'pprof_memory' });
    const top = await listTop(bytes, { unit: 'B' });
    const retained = top.filter(({ place }) => place.startsWith('retain ')).reduce((most, { cumulative }) => Math.max(most, cumulative), 0);
    // Ten arrays of 100,000 numbers of 8 bytes.
    expect(retained).toBeGreaterThan(7_600_000);
    expect(retained).toBeLessThan(8_800_000);
    expect(top.some(({ place }) => place.startsWith('waste '))).toBe(false);
    const raw = await printRaw(bytes);
    expect(raw).toContain('PeriodType: space bytes\nPeriod: 32768\n');
    expect(raw).toContain('samples/count inuse_space/bytes[dflt]\n');
    expect(raw).toMatch(/ retain http:\/\/127\.0\.0\.1:\d+\/allocate\.js:4(:\d+)? s=4\n/);
  });

  it.each(['/opens', '/closes'])('a popup in the process of its page leaves the page its samples: %s', async (path) => {
    const top = await listTop(await render({ ...at(path), output_type: 'pprof_memory' }), { unit: 'B' });
    expect(top.some(({ place, cumulative }) => place.startsWith('retain ') && cumulative > 7_600_000)).toBe(true);
  });

  it('pprof_memory_interval_bytes: says how often, and finds small things', async () => {
    const bytes = await render({ ...at('/allocate'), output_type: 'pprof_memory', pprof_memory_interval_bytes: 64 });
    const fine = await printRaw(bytes);
    const coarse = await printRaw(await render({ ...at('/allocate'), output_type: 'pprof_memory' }));
    expect(fine).toContain('Period: 64\n');
    const places = (raw: string) => raw.split('Locations')[1]?.split('\n').length ?? 0;
    expect(places(fine)).toBeGreaterThan(places(coarse));
  });

  it.each([
    [{}, false],
    [{ pprof_captures_navigation: true }, true],
  ])('%o: whether it has pages that were left: %s', async (params, has) => {
    const bytes = await render({ ...at('/first'), output_type: 'pprof_memory', ...params });
    const early = await listTop(bytes, { unit: 'B' });
    expect(early.some(({ place, flat }) => place.includes('/first.js') && flat > 2_000_000)).toBe(has);
  });
});

describe('with_pprof_cpu and with_pprof_memory', () => {
  it('leave a picture as it is, and bring the profiles of its page', async () => {
    const plain = await host.render(at('/burn'));
    const profiled = await host.render({ ...at('/burn'), with_pprof_cpu: true, with_pprof_memory: true });
    const [before, after] = [await decodePicture(await plain.bytes()), await decodePicture(await profiled.bytes())];
    expect(after.data.equals(before.data)).toBe(true);
    expect(profiled.assets).toMatchObject({
      missing: [],
      kept: [
        { name: 'pprof_cpu', contentType: 'application/gzip', extension: 'cpu.pb.gz', forViewers: true },
        { name: 'pprof_memory', contentType: 'application/gzip', extension: 'memory.pb.gz' },
      ],
    });
    const { pprof_cpu: cpu = Buffer.alloc(0), pprof_memory: memory = Buffer.alloc(0) } = await assetsOf(profiled.assets);
    expect((await listTop(cpu, { unit: 'ms' }))[0]?.place).toContain('hot ');
    expect(await printRaw(memory)).toContain('inuse_space/bytes[dflt]');
  });

  it('an output is an asset too where both are asked for', async () => {
    const { assets, bytes } = await host.render({ ...at('/burn'), output_type: 'pprof_cpu', with_pprof_cpu: true, pprof_no_gzip: true });
    const { pprof_cpu: asset = Buffer.alloc(0) } = await assetsOf(assets);
    expect((await bytes()).equals(asset)).toBe(true);
  });

  it('a render that fails leaves what was profiled', async () => {
    const failing = host.render({ ...at('/burn'), image_selector: '#none', with_pprof_cpu: true, with_pprof_memory: true });
    await expect(failing).rejects.toMatchObject({
      code: 'selector_not_found',
      assets: { kept: [{ name: 'pprof_cpu' }, { name: 'pprof_memory' }], missing: [] },
    });
  });

  it.each([
    ['Page.crash', 'page_crashed', { output_type: 'pprof_cpu' }],
    ['Page.crash', 'page_crashed', { output_type: 'pprof_memory' }],
    ['Page.crash', 'page_crashed', { with_pprof_cpu: true, with_pprof_memory: true }],
    // As by a popup that closes.
    ['HeapProfiler.stopSampling', 'page_unstable', { output_type: 'pprof_memory' }],
  ] as const)(
    'what ends the page or its profiler (%s) ends the render as %s, and the next one is profiled: %o',
    async (method, code, params) => {
      const end = definePlugin({
        name: 'end',
        apply({ hooks }) {
          hooks.waitFor.tapPromise('end', async ({ page: { send }, plan }) => {
            if (plan.url.endsWith('/end')) await send(method).catch(() => undefined);
            return undefined;
          });
        },
      });
      await using other = createTestKernel({ plugins: [pixels, png, pprof, end] });
      await expect(other.render({ url: site.url('/end'), ...params })).rejects.toMatchObject({ code });
      const { bytes } = await other.render({ url: site.url('/burn'), ...params });
      expect((await bytes()).length).toBeGreaterThan(100);
    },
  );
});
