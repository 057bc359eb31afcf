import { buffer } from 'node:stream/consumers';
import { isPlatenError, type PlatenError, type StoredAsset } from '@platen/kernel';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import avif from '@platen/plugin-image/avif';
import bmp from '@platen/plugin-image/bmp';
import jpg from '@platen/plugin-image/jpg';
import tiff from '@platen/plugin-image/tiff';
import webp from '@platen/plugin-image/webp';
import compare from '@platen/plugin-compare';
import ffmpeg from '@platen/plugin-ffmpeg';
import frames from '@platen/plugin-frames';
import png from '@platen/plugin-png';
import screenshot from '@platen/plugin-screenshot';
import target from '@platen/plugin-target';
import wait from '@platen/plugin-wait';
import txt from '@platen/plugin-txt';
import dom from '@platen/plugin-dom';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';

const PAGE = '<style>body { margin: 0; font: 20px sans-serif; background: #eef4ff }</style><h1 style="padding: 30px">Platen</h1>';
const BOX = '<div id=box style="position: absolute; left: 100px; top: 200px; width: 30px; height: 20px; background: #c00"></div>';
const SMALL = { browser_width: 400, browser_height: 300 };

let host: TestKernel;
let site: Site;
let baseline: Buffer;
beforeAll(async () => {
  const plugins = [compare, screenshot, png, jpg, webp, avif, tiff, bmp, frames, ffmpeg, target, wait, txt, dom];
  host = createTestKernel({ plugins, flags: { 'browser-concurrency': 1 } });
  site = await openSite({
    '/old': PAGE,
    '/new': PAGE + BOX,
    '/tall': `${PAGE}<div style="height: 3000px"></div>${BOX.replace('200px', '3000px')}`,
    '/cookie': ({ headers }) => ({ headers: { 'set-cookie': 'visited=1' }, body: PAGE + (headers.cookie?.includes('visited') ? BOX : '') }),
    '/greeted': ({ headers }) => PAGE + (headers['x-greeting'] === 'hello' ? BOX : ''),
    '/broken': { status: 500, body: 'no' },
    '/old.png': () => ({ headers: { 'content-type': 'image/png' }, body: baseline }),
  });
  baseline = await (await host.render({ url: site.url('/old'), ...SMALL })).bytes();
});
afterAll(() => Promise.all([host[Symbol.asyncDispose](), site[Symbol.asyncDispose]()]));

const dataUrl = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;
const render = (params: Readonly<Record<string, unknown>>) => host.render({ ...SMALL, ...params });

async function failureOf(rendering: Promise<unknown>): Promise<PlatenError> {
  const error = await rendering.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isPlatenError(error)) throw new Error('it did not fail', { cause: error });
  return error;
}

async function readAssets(kept: readonly StoredAsset[]): Promise<Readonly<Record<string, Buffer>>> {
  return Object.fromEntries(await Promise.all(kept.map(async (asset) => [asset.name, await buffer(asset.open())] as const)));
}

describe('an image compared with a baseline', () => {
  it.each(['png', 'jpg', 'webp', 'avif', 'tiff', 'bmp'])('is equal to itself as %s, whose losses do not count', async (type) => {
    const { headers, output } = await render({ url: site.url('/old'), compare: site.url('/old.png'), output_type: type });
    expect(headers['X-Compare']).toBe('equal=true; pixels=0; ratio=0; regions=0');
    expect(output.extension).toBe(type);
  });

  it('differs in the pixels of what is new', async () => {
    const { headers, assets } = await render({ url: site.url('/new'), compare: dataUrl(baseline), with_comparison: true, with_diff: true });
    expect(headers['X-Compare']).toBe('equal=false; pixels=600; ratio=0.005; regions=1');
    const { comparison, diff } = await readAssets(assets.kept);
    expect(JSON.parse(String(comparison))).toEqual({
      ...{ equal: false, pixels: 600, ratio: 0.005, width: 400, height: 300, baseline: { width: 400, height: 300 } },
      regions: [{ x: 100, y: 200, width: 30, height: 20 }],
    });
    expect(await sharp(diff).metadata()).toMatchObject({ format: 'png', width: 3 * 400 + 32, height: 300 });
  });

  it.each([
    ['full_page', { url: '/tall', full_page: true }],
    ['image_selector', { url: '/new', image_selector: '#box' }],
    ['scale 2', { url: '/new', device_scale_factor: 2 }],
  ])('is the whole image of %s', async (_, { url, ...params }) => {
    const first = await (await render({ url: site.url(url), ...params })).bytes();
    const { headers } = await render({ url: site.url(url), ...params, compare: dataUrl(first) });
    expect(headers['X-Compare']).toBe('equal=true; pixels=0; ratio=0; regions=0');
    const second = await render({ url: site.url(url), ...params, compare: dataUrl(baseline), with_comparison: true });
    const { width, height } = await sharp(first).metadata();
    expect(JSON.parse(String((await readAssets(second.assets.kept))['comparison']))).toMatchObject({ equal: false, width, height });
  });

  it('has a transparent background', async () => {
    const params = { url: 'data:text/html,<p>clear', image_transparent: true };
    const first = await (await render(params)).bytes();
    expect((await render({ ...params, compare: dataUrl(first) })).headers['X-Compare']).toContain('equal=true');
    expect((await render({ url: params.url, compare: dataUrl(first) })).headers['X-Compare']).toContain('equal=false');
  });
});

describe('a limit', () => {
  it.each([
    ['compare_max_pixels', 599],
    ['compare_max_ratio', 0.0049],
  ])('by %s fails the render, which links to everything', async (key, limit) => {
    const params = { url: site.url('/new'), compare: dataUrl(baseline), output_type: 'webp', [key]: limit };
    const error = await failureOf(render(params));
    expect(error).toMatchObject({
      code: 'picture_differs',
      message: 'the image differs from the baseline: 600 pixels (0.5 %) differ, in 1 region',
      details: { report: { equal: false, pixels: 600, ratio: 0.005, regions: 1 } },
    });
    const found = await readAssets(error.assets?.kept ?? []);
    expect(Object.keys(found).sort()).toEqual(['comparison', 'diff', 'output']);
    expect(error.assets?.missing).toEqual([]);
    expect((await sharp(found['output']).metadata()).format).toBe('webp');
    expect((await sharp(found['diff']).metadata()).width).toBe(3 * 400 + 32);
    // Those that were asked for are there once.
    const asked = await failureOf(render({ ...params, with_diff: true, with_comparison: true }));
    expect(asked.assets?.kept.map(({ name }) => name).sort()).toEqual(['comparison', 'diff', 'output']);
  });

  it('is kept by what is just within it', async () => {
    const params = { url: site.url('/new'), compare: dataUrl(baseline), compare_max_pixels: 600, compare_max_ratio: 0.005 };
    expect((await render(params)).headers['X-Compare']).toContain('pixels=600');
  });
});

describe('a page as the baseline', () => {
  it('is rendered first with the same parameters, in the only slot', async () => {
    const { headers } = await render({ url: site.url('/new'), compare_url: site.url('/old'), output_type: 'jpg', image_quality: 50 });
    expect(headers['X-Compare']).toBe('equal=false; pixels=600; ratio=0.005; regions=1');
    const both = { url: site.url('/greeted'), compare_url: site.url('/new'), header: ['X-Greeting: hello'] };
    expect((await render(both)).headers['X-Compare']).toContain('equal=true');
  });

  it('shares no cookies with the page', async () => {
    const { headers } = await render({ url: site.url('/cookie'), compare_url: site.url('/cookie') });
    expect(headers['X-Compare']).toContain('equal=true');
  });

  it.each([
    ['/broken', 'target_status'],
    ['/missing', 'target_status'],
  ])('that fails says so: %s', async (path, code) => {
    const error = await failureOf(render({ url: site.url('/old'), compare_url: site.url(path) }));
    expect(error.code).toBe(code);
    expect(error.message).toContain('"compare_url"');
  });

  it('that does not end is named by the timeout', async () => {
    const error = await failureOf(render({ url: site.url('/new'), compare_url: site.url('/old'), wait_for: 'css:#box', timeout: 3 }));
    expect(error).toMatchObject({ code: 'render_timeout', details: { unmet: 'the page of "compare_url"' } });
  });
});

describe('a request is refused', () => {
  it.each([
    [{ compare_threshold: 0.2 }, '"compare_threshold" needs a baseline: set "compare" or "compare_url" too'],
    [{ with_diff: true }, '"with_diff" needs a baseline: set "compare" or "compare_url" too'],
    [{ compare: 'https://a.test/', compare_url: 'https://b.test/' }, '"compare_url" and "compare" are mutually exclusive'],
    [{ compare_url: 'ftp://a.test/' }, '"compare_url" must be an http, https or data URL: "ftp:" is not allowed'],
    [{ compare_url: 'a.test/old' }, '"compare_url" needs a scheme: https://a.test/…'],
    [
      { compare: 'https://a.test/', output_type: 'txt' },
      '"compare" compares still images: the output type "txt" is none; use png, jpg, webp, avif, tiff, bmp or jpegxl',
    ],
    [
      { compare: 'https://a.test/', output_type: 'webp', image_duration: 1 },
      '"compare" compares still images: the output type "webp" is none; use png, jpg, webp, avif, tiff, bmp or jpegxl without "image_duration"',
    ],
    [{ compare_url: 'https://a.test/', output_type: 'txt' }, '"compare_url" compares still images'],
  ])('without a browser: %j', (params, message) => {
    const plan = () => host.kernel.plan(host.kernel.validate({ url: 'https://example.com/', ...params }, 'body'));
    expect(plan).toThrow(message);
  });

  it.each([
    ['no image', 'data:text/plain,hello', 'invalid_parameters', 'is not an image that can be compared: it is not png'],
    [
      'SVG',
      `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>')}`,
      'invalid_parameters',
      'it is svg',
    ],
    ['another scheme', 'ftp://a.test/', 'invalid_parameters', '"compare" must be'],
    ['an unknown asset', 'asset:none', 'not_found', '"compare"'],
  ])('if the baseline is %s', async (_, source, code, message) => {
    const error = await failureOf(render({ url: site.url('/old'), compare: source }));
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });

  it('if the baseline cannot be fetched, or is too large', async () => {
    expect(await failureOf(render({ url: site.url('/old'), compare: site.url('/broken') }))).toMatchObject({ status: 502 });
    await using small = createTestKernel({ plugins: [compare, screenshot, png, wait], flags: { 'compare-max-bytes': 100 } });
    const params = { url: site.url('/old'), compare: dataUrl(baseline) };
    expect(await failureOf(small.render(params))).toMatchObject({ code: 'payload_too_large' });
  });

  it('unless a switch is off', async () => {
    const { headers } = await render({ url: site.url('/old'), with_diff: false, compare_antialiasing: false });
    expect(headers['X-Compare']).toBeUndefined();
  });
});
