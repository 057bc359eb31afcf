import { isPlatenError } from '@platen/kernel';
import apng from '@platen/plugin-apng';
import dom from '@platen/plugin-dom';
import download from '@platen/plugin-download';
import ffmpeg from '@platen/plugin-ffmpeg';
import frames from '@platen/plugin-frames';
import freeze from '@platen/plugin-freeze';
import har from '@platen/plugin-har';
import html from '@platen/plugin-html';
import network from '@platen/plugin-network';
import pdf from '@platen/plugin-pdf';
import print from '@platen/plugin-print';
import screenshot from '@platen/plugin-screenshot';
import wacz from '@platen/plugin-wacz';
import walk from '@platen/plugin-walk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { openProber, type Prober } from '../probe.js';

const CLOCK = `const clock = () => [Date.now(), new Date().toISOString(), Date.parse(new Date(new Date()).toISOString()), new Date(5).getTime(),
  new Date() instanceof Date, typeof Date(), Date.name, Date.length, new Intl.DateTimeFormat('en', { timeZone: 'UTC' }).format(),
  Temporal.Now.instant().epochMilliseconds, String(Temporal.Now.plainDateISO('UTC')), performance.timeOrigin];`;
const READ = `${CLOCK} const slept = new Promise(done => setTimeout(() => done(Math.round(performance.now())), 600)); class Own extends Date {}; const own = new Own();
  window.report = (async () => ({
    clock: clock(), own: [own instanceof Own, own.getTime()], random: [Math.random(), Math.random()],
    ids: [crypto.randomUUID(), crypto.getRandomValues(new Uint8Array(8)).join()],
    worker: await new Promise(done => { new Worker('/worker.js').onmessage = ({ data }) => done(data) }),
    shared: await new Promise(done => { new SharedWorker('/shared.js').port.onmessage = ({ data }) => done(data) }),
    frame: await new Promise(done => { addEventListener('message', ({ data }) => done(data)); const frame = document.createElement('iframe'); frame.src = '//localhost:' + location.port + '/frame'; document.body.append(frame) }),
    loops: await (async () => { const start = performance.now(); while (performance.now() - start < 20); return true })(),
    slept: await slept,
  }))();`;

/** The server's own, which is a part of an archive. */
const SERVER_DATE = 'Wed, 01 Jan 2025 00:00:00 GMT';
const svg = (width: number) => ({
  headers: { 'content-type': 'image/svg+xml', date: SERVER_DATE },
  body: `<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}"/>`,
});

let prober: Prober;
let site: Site;
const scripts: string[] = [''];
beforeAll(async () => {
  prober = openProber({ plugins: [freeze, dom, html, network, har, print, pdf, walk, wacz, download, screenshot, frames, ffmpeg, apng] });
  site = await openSite({
    '/': `<!doctype html><title>frozen</title><body><p>frozen</p><script>${READ}</script>`,
    '/frame': `<script>${CLOCK} parent.postMessage(clock().slice(0, -1), '*')</script>`,
    '/worker.js': { headers: { 'content-type': 'text/javascript' }, body: `${CLOCK} postMessage([...clock(), Math.random()])` },
    '/shared.js': {
      headers: { 'content-type': 'text/javascript' },
      body: `${CLOCK} onconnect = ({ ports: [port] }) => port.postMessage(Date.now())`,
    },
    '/plain': {
      headers: { date: SERVER_DATE },
      body: '<!doctype html><title>plain</title><p>plain</p><link rel=icon href=data:,><img src=/a.svg><img src=/b.svg><script>document.write(new Date())</script>',
    },
    '/a.svg': svg(1),
    '/b.svg': svg(2),
    '/timers': () => `${TELL}<script>${scripts.join('')}</script>`,
    '/second': `${TELL}<script>setTimeout(() => { p.textContent = 'second ' + performance.now() }, 1000)</script>`,
    '/never': () => undefined,
    '/slow.svg': (_request, response) => {
      setTimeout(() => response.end('slow'), 300);
      return undefined;
    },
    '/waits': '<!doctype html><script>setTimeout(() => { document.title = "late"; document.body.id = "late" }, 2300)</script><body>',
  });
});
afterAll(async () => {
  await prober[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const frozen = (path: string, params: object) => prober.host.render({ url: site.url(path), freeze: true, ...params });

it('the date stands in every realm, chance is seeded, and crypto is not', async () => {
  const time = '2031-05-06T07:08:09.500+02:00';
  const probe = (freeze_seed: number) => prober.probe({ url: site.url('/'), freeze: true, freeze_time: time, freeze_seed });
  const [first, second, other] = [await probe(4), await probe(4), await probe(5)];
  const at = Date.parse(time);
  const clock = [at, new Date(at).toISOString(), at, 5, true, 'string', 'Date', 7, '5/6/2031', at, '2031-05-06', at];
  const { report } = first;
  const inWorker: readonly unknown[] = report.worker;
  const inOther: readonly unknown[] = other.report.worker;
  expect(report).toMatchObject({ clock, own: [true, at], shared: at, frame: clock.slice(0, -1), loops: true });
  expect(inWorker.slice(0, -1)).toEqual(clock);
  const { ids, ...repeated } = report;
  expect(second.report).toMatchObject(repeated);
  expect(second.report.ids).not.toEqual(ids);
  expect(other.report.random).not.toEqual(report.random);
  expect(inOther.at(-1)).not.toEqual(inWorker.at(-1));
  expect(report.slept).toBeGreaterThanOrEqual(600);
});

it('a page for which the render waits gets further seconds', async () => {
  const { html: text } = await prober.probe({ url: site.url('/waits'), freeze: true, wait_for: 'css:#late' });
  expect(text).toContain('<title>late</title>');
});

const TELL = '<!doctype html><p id=p>none</p>';

describe('in its second', () => {
  it.each([
    [
      'timers run in the order of their moments',
      'for (const ms of [30, 10, 20, 10]) setTimeout(() => { told += ms + " " }, ms)',
      '10 10 20 30 ',
    ],
    [
      'what a timer leads to comes before the next one',
      'for (const a of "ab") setTimeout(async () => { await null; await null; told += a; setTimeout(() => { told += a }, 0) }, 1)',
      'abab',
    ],
    ['a loop of timers is slowed down', 'let n = 0; (function run() { told = n += 1; setTimeout(run, 0) })()', '251'],
    [
      'an interval ends when it is cleared',
      'let n = 0; const id = setInterval(() => { told = n += 1; if (n === 3) clearInterval(id) }, 10)',
      '3',
    ],
    [
      'frames pass each 16 ms',
      'let n = 0; (function run(time) { told = n + " " + time; n += 1; requestAnimationFrame(run) })(0)',
      '62 992',
    ],
    ['text is run', 'setTimeout("told = 1", 5)', '1'],
    [
      'an error is reported, and timers go on',
      'onerror = (text) => { told += text }; setTimeout(() => { throw new Error("x") }, 5); setTimeout(() => { told += "!" }, 6)',
      'Uncaught Error: x!',
    ],
    [
      'responses are waited for',
      'setTimeout(async () => { told = await (await fetch("/slow.svg")).text().then(({ length }) => length) }, 850)',
      '4',
    ],
    ['another page has its own', 'if (!location.hash) setTimeout(() => { location.href = "/second" }, 100)', 'second 1000'],
    [
      'a request that never ends stops it only for a while',
      'fetch("/never").catch(() => 0); setTimeout(() => { told = "late" }, 300)',
      'late',
    ],
  ])('%s', async (_, script, told) => {
    scripts.shift();
    scripts.push(`let told = ''; ${script}; setInterval(() => { p.textContent = told }, 50)`);
    const bytes = await (await frozen('/timers', { output_type: 'html' })).bytes();
    expect(/<p id="p">([^<]*)/.exec(bytes.toString())?.[1]).toBe(told);
  });
});

describe('documents', () => {
  it.each(['pdf', 'html', 'wacz'])('%s is the same, byte for byte', async (output_type) => {
    const [one, other] = [await frozen('/plain', { output_type }), await frozen('/plain', { output_type })];
    const bytes = await one.bytes();
    expect(bytes.equals(await other.bytes())).toBe(true);
    const later = await (await frozen('/plain', { output_type, freeze_time: '2026-01-01T00:00:00Z' })).bytes();
    expect(bytes.equals(later)).toBe(false);
  });

  it('a PDF was created at that time', async () => {
    const bytes = await (await frozen('/plain', { output_type: 'pdf', pdf_title: 'x', freeze_time: '2024-02-29T12:30:00Z' })).bytes();
    const text = bytes.toString('latin1');
    expect(text.match(/D:\d{14}/g)).toEqual(Array.from({ length: 4 }, () => 'D:20240229123000'));
    expect(text).toContain('<xmp:CreateDate>2024-02-29T12:30:00');
  });

  it('all of a HAR has started then', async () => {
    const bytes = await (await frozen('/plain', { output_type: 'har', freeze_time: '2024-02-29T12:30:00Z' })).bytes();
    const dates = [...bytes.toString().matchAll(/"startedDateTime":\s*"([^"]+)"/g)].map(([, date]) => date);
    expect(dates.length).toBeGreaterThan(3);
    expect(new Set(dates)).toEqual(new Set(['2024-02-29T12:30:00.000Z']));
  });
});

describe('400', () => {
  it.each([
    [{ output_type: 'apng', freeze: true }, '"freeze" is not for videos and animated images'],
    [{ output_type: 'download', freeze: true }, '"freeze" is not for downloads'],
    [{ freeze_time: '2025-01-01T00:00:00Z' }, '"freeze_time" needs "freeze"'],
    [{ freeze: false, freeze_seed: 1 }, '"freeze_seed" needs "freeze"'],
    [{ freeze: true, freeze_time: '2025-02-30T00:00:00Z' }, '"freeze_time" is no possible date and time'],
    [{ freeze: true, freeze_time: 'yesterday' }, 'freeze_time'],
    [{ freeze: true, freeze_seed: 2 ** 32 }, 'freeze_seed'],
  ])('%j: %s', async (params, words) => {
    const failure: unknown = await prober.host
      .render({ url: site.url('/plain'), output_type: 'html', ...params })
      .catch((error: unknown) => error);
    expect(isPlatenError(failure) && failure.status).toBe(400);
    expect(String(failure)).toContain(words);
  });
});

it('without it, nothing is different', async () => {
  const { report } = await prober.probe({ url: site.url('/'), freeze: false });
  expect(Math.abs(report.clock[0] - Date.now())).toBeLessThan(600_000);
  expect(prober.host.kernel.plan({ url: site.url('/'), output_type: 'html' }).browser.switches).toEqual([]);
});
