import { buffer } from 'node:stream/consumers';
import { definePlugin, isPlatenError, type PlatenError } from '@platen/kernel';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import compare from '@platen/plugin-compare';
import dom from '@platen/plugin-dom';
import evidence from '@platen/plugin-evidence';
import html from '@platen/plugin-html';
import png from '@platen/plugin-png';
import screenshot from '@platen/plugin-screenshot';
import target from '@platen/plugin-target';
import wait from '@platen/plugin-wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { decodePicture, isColour } from '../../capture/pictures.js';

/** Its body is `#done` once all has happened. */
const TALKING = `<title>Talking</title><body style="margin:0;background:rgb(255,0,0)"><script>
  let left = 5;
  const step = () => { if (--left === 0) document.body.id = 'done' };
  console.log('hello', 42, { a: 1, b: 'x' }, [1, 2], new Map());
  console.warn('careful');
  fetch('/never?key=1');
  fetch('/missing').then(() => { setTimeout(step); throw new Error('unexpected') });
  fetch('http://127.0.0.1:1/').catch(step);
  fetch('http://none.invalid/').catch(step);
  new Worker('/worker.js').onerror = step;
  new WebSocket('ws://127.0.0.1:1/socket').onerror = step;
</script>`;

/** Of a request with a secret, which the page tells to everyone. */
const secretive = definePlugin({
  name: 'secretive',
  params: { door_code: { type: 'string', description: 'A secret.', 'x-secret': true } },
});

let host: TestKernel;
let site: Site;

beforeAll(async () => {
  host = createTestKernel({ plugins: [compare, evidence, secretive, png, screenshot, html, dom, target, wait] });
  site = await openSite({
    '/': TALKING,
    '/quiet': '<p>quiet',
    '/late': (_request, response) => void setTimeout(() => response.end('late'), 200),
    '/loaded': '<p>loaded<img src="/late"><script src="/worker.js"></script>',
    '/worker.js': { headers: { 'content-type': 'text/javascript' }, body: "console.info('from a worker'); nothing()" },
    '/never': () => undefined,
    '/noisy': `<script>for (let i = 0; i < 2500; i++) console.log('line ' + i + 'x'.repeat(5000)); document.documentElement.id = 'done'</script>`,
    '/held': '<p>held<script>setTimeout(() => { for (;;); }, 50)</script>',
    '/held-for-ever': '<p>held<script>setInterval(() => { for (;;); }, 1)</script>',
    '/secret': `<body id="done"><script>console.log(location.search); fetch('/missing' + location.search)</script>`,
    '/broken': { status: 500, body: '<p>broken' },
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function fail(params: Readonly<Record<string, unknown>>): Promise<PlatenError> {
  const error: unknown = await host.render({ with_evidence: true, wait_for: 'css:#done', image_selector: '#none', ...params }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isPlatenError(error)) throw new Error('the render did not fail', { cause: error });
  return error;
}

async function read({ assets }: PlatenError, name: string): Promise<Buffer> {
  const asset = assets?.kept.find((one) => one.name === name);
  if (asset === undefined) throw new Error(`there is no ${name}`);
  return buffer(asset.open());
}

async function readLines(error: PlatenError, name: string) {
  const lines = (await read(error, name)).toString().split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

const namesOf = ({ assets }: PlatenError) => assets?.kept.map(({ name, extension }) => `${name} ${extension}`).sort();
const ALL = ['console console.jsonl', 'evidence evidence.png', 'requests requests.jsonl'];

it('of a page to compare with is of that page', async () => {
  const error = await fail({ url: site.url('/quiet'), compare_url: site.url('/broken'), image_selector: undefined });
  expect(error).toMatchObject({ code: 'target_status', message: expect.stringContaining('the page of "compare_url"') as unknown });
  expect(namesOf(error)).toEqual(ALL);
  expect(await readLines(error, 'requests')).toMatchObject([{ url: site.url('/broken'), status: 500 }]);
});

describe('a render that fails', () => {
  it('shows the picture, the console with uncaught errors, and the requests that failed or have not ended', async () => {
    const error = await fail({ url: site.url('/') });
    expect([error.code, namesOf(error), error.assets?.missing]).toEqual(['selector_not_found', ALL, []]);
    const picture = await decodePicture(await read(error, 'evidence'));
    expect(picture).toMatchObject({ format: 'png', width: 1280, height: 720 });
    expect(isColour(picture.at(600, 300), [255, 0, 0], 2)).toBe(true);

    const told = await readLines(error, 'console');
    expect(told.map(({ type, text: said }) => `${String(type)}: ${String(said).split('\n')[0] ?? ''}`)).toEqual(
      expect.arrayContaining([
        'log: hello 42 {a: 1, b: x} [1, 2] Map(0)',
        'warning: careful',
        'uncaught: Uncaught (in promise) Error: unexpected',
        'info: from a worker',
        'uncaught: Uncaught ReferenceError: nothing is not defined',
        'browser: error (network): Failed to load resource: net::ERR_UNSAFE_PORT',
      ]),
    );
    expect(told[0]).toMatchObject({ url: site.url('/'), line: 4, time: expect.stringMatching(/^20.*Z$/) });

    const requests = await readLines(error, 'requests');
    expect(requests.map(({ url, type, status, error: reason }) => [url, type, status, reason])).toEqual(
      expect.arrayContaining([
        [site.url('/missing'), 'Fetch', 404, null],
        ['http://127.0.0.1:1/', 'Fetch', null, 'net::ERR_UNSAFE_PORT'],
        ['http://none.invalid/', 'Fetch', null, 'net::ERR_NAME_NOT_RESOLVED'],
        ['ws://127.0.0.1:1/socket', 'WebSocket', null, expect.stringContaining('net::ERR_UNSAFE_PORT')],
        [site.url('/never?key=1'), 'Fetch', null, 'not finished'],
      ]),
    );
    // What has ended well is left out, also the script of the worker, and nothing shows a password.
    expect(requests.map(({ url }) => url)).not.toEqual(expect.arrayContaining([site.url('/worker.js')]));
    expect(JSON.stringify(requests)).not.toContain('pass@');
  });

  it.each<readonly [string, string, Readonly<Record<string, unknown>>]>([
    ['a condition that is not met', 'render_timeout', { timeout: 8 }],
    ['an error of the target', 'target_status', { url: '/broken' }],
    ['a target that does not respond', 'render_timeout', { url: '/never', timeout: 8 }],
    ['a script that is ended', 'render_timeout', { url: '/held', timeout: 8 }],
  ])('%s', async (_name, code, { url = '/quiet', ...params }) => {
    const error = await fail({ url: site.url(String(url)), ...params });
    expect([error.code, namesOf(error), error.assets?.missing]).toEqual([code, ALL, []]);
  });

  it('that a script holds for ever has no picture, and says so', async () => {
    const error = await fail({ url: site.url('/held-for-ever'), timeout: 8 });
    expect(namesOf(error)).toEqual(['console console.jsonl', 'requests requests.jsonl']);
    expect(error.assets?.missing).toEqual([{ name: 'evidence', reason: 'the page did not respond in time: a script may hold it' }]);
  });

  it('has the first and the last lines of a page that says much', async () => {
    const error = await fail({ url: site.url('/noisy') });
    const lines = await readLines(error, 'console');
    expect(lines).toHaveLength(1001);
    expect(lines[0]?.['text']).toMatch(/^line 0x/);
    expect(lines[200]).toEqual({ omitted: expect.any(Number) });
    expect((await read(error, 'console')).length).toBeLessThan(6_000_000);
  });

  it('does not show the secrets of the request', async () => {
    const error = await fail({ url: site.url('/secret?code=swordfish%20seven'), door_code: 'swordfish seven' });
    const written = `${String(await read(error, 'console'))}${String(await read(error, 'requests'))}`;
    expect(written).toContain('?code=***');
    expect(written).not.toContain('swordfish');
  });

  it('has nothing to show of a browser that was not asked, and of a request that is refused', async () => {
    expect(() => host.kernel.validate({ url: site.url('/'), with_evidence: 'maybe' }, 'body')).toThrow('with_evidence');
    const error = await fail({ url: site.url('/quiet'), with_evidence: false, wait_for: 'load' });
    expect(error.assets).toBeUndefined();
  });
});

it('a render that succeeds has no such assets, and misses none', async () => {
  const { assets, bytes } = await host.render({ url: site.url('/loaded'), with_evidence: true, output_type: 'html' });
  expect(assets).toEqual({ kept: [], missing: [] });
  expect(String(await bytes())).toContain('loaded');
});

it('the output is the same as without evidence', async () => {
  const renderText = async (with_evidence: boolean) =>
    String(await (await host.render({ url: site.url('/loaded'), with_evidence, output_type: 'html' })).bytes());
  expect(await renderText(true)).toBe(await renderText(false));
});
