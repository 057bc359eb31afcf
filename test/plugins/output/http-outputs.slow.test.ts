import { type Plugin, silentLogger } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import apng from '@platen/plugin-apng';
import avif from '@platen/plugin-image/avif';
import bmp from '@platen/plugin-image/bmp';
import ffmpegPlugin from '@platen/plugin-ffmpeg';
import frames from '@platen/plugin-frames';
import gif from '@platen/plugin-gif';
import jpegxl from '@platen/plugin-jpegxl';
import jpg from '@platen/plugin-image/jpg';
import mkv from '@platen/plugin-video/mkv';
import mp4 from '@platen/plugin-video/mp4';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import tiff from '@platen/plugin-image/tiff';
import webm from '@platen/plugin-video/webm';
import webp from '@platen/plugin-image/webp';
import { createServer } from '@platen/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../helpers/site.js';
import { block, decodePicture, isColour, page, type Picture } from '../capture/pictures.js';
import { decodeVideo, pixelAt, probeVideo } from './decode-film.js';
import { AVIFDEC, decodeStill, DJXL, ffmpeg, imageMagick } from './decode-still.js';

const plugins: readonly Plugin[] = [
  ...[pixels, frames, ffmpegPlugin],
  ...[png, jpg, webp, avif, tiff, bmp, jpegxl, gif, apng, webm, mkv, mp4],
];
const host = createTestKernel({ plugins });
const server = createServer({ kernel: host.kernel, log: silentLogger, flags: { 'server-bind-port': 0 } });
let base: string;
let site: Site;

/** Three fields of known colours, and an element of a known place. */
const HTML = page(
  block('left:0;top:0;width:50vw;height:50vh;background:#c81e1e') +
    block('left:50vw;top:0;width:50vw;height:50vh;background:#1ec81e') +
    block('left:0;top:50vh;width:50vw;height:50vh;background:#1e1ec8') +
    '<div id="it" style="position:absolute;left:700px;top:400px;width:101px;height:51px;background:#c8c81e"></div>',
);
const FIELDS = [
  [320, 180, [200, 30, 30]],
  [960, 180, [30, 200, 30]],
  [320, 540, [30, 30, 200]],
] as const;

beforeAll(async () => {
  site = await openSite({ '/docs/page': HTML });
  base = await server.listen();
});
afterAll(async () => {
  await server.close(0);
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

function get(params: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(`${base}/?${new URLSearchParams({ url: site.url('/docs/page'), ...params }).toString()}`);
}

/** What every answer with a picture says of itself. */
function expectHead({ status, headers }: Response, contentType: string, extension: string): void {
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe(contentType);
  expect(headers.get('content-disposition')).toBe(`inline; filename="127.0.0.1-docs-page.${extension}"`);
  expect(headers.get('server-timing')).toMatch(/capture;dur=.*encode;dur=/);
}

interface Still {
  readonly type: string;
  readonly contentType: string;
  readonly extension?: string;
  readonly tolerance: number;
  readonly decode: (bytes: Buffer) => Promise<Picture>;
}

const stills: readonly Still[] = [
  { type: 'png', contentType: 'image/png', tolerance: 0, decode: decodePicture },
  { type: 'jpg', contentType: 'image/jpeg', tolerance: 4, decode: decodePicture },
  { type: 'webp', contentType: 'image/webp', tolerance: 5, decode: decodePicture },
  { type: 'avif', contentType: 'image/avif', tolerance: 4, decode: (bytes) => decodeStill(bytes, AVIFDEC) },
  { type: 'tiff', contentType: 'image/tiff', tolerance: 0, decode: (bytes) => decodeStill(bytes, ffmpeg('tiff')) },
  { type: 'bmp', contentType: 'image/bmp', tolerance: 0, decode: (bytes) => decodeStill(bytes, imageMagick('bmp')) },
  { type: 'jpegxl', contentType: 'image/jxl', extension: 'jxl', tolerance: 6, decode: (bytes) => decodeStill(bytes, DJXL) },
];

describe.each(stills)('GET / with output_type=$type', ({ type, contentType, extension = type, tolerance, decode }) => {
  it('answers the picture of the viewport', async () => {
    const response = await get({ output_type: type });
    expectHead(response, contentType, extension);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
    const { width, height, at } = await decode(bytes);
    expect([width, height]).toEqual([1280, 720]);
    for (const [x, y, colour] of FIELDS) expect(isColour(at(x, y), colour, tolerance), String(at(x, y))).toBe(true);
  });

  it('answers the picture of an element, in the size that was asked for', async () => {
    const response = await get({ output_type: type, image_selector: '#it', image_width: '202' });
    const { width, height, at } = await decode(Buffer.from(await response.arrayBuffer()));
    expect([width, height]).toEqual([202, 102]);
    for (const [x, y] of [
      [4, 4],
      [197, 97],
    ] as const)
      expect(isColour(at(x, y), [200, 200, 30], 8), String(at(x, y))).toBe(true);
  });
});

const films = [
  { type: 'gif', contentType: 'image/gif', codec: 'gif', kind: 'image' },
  { type: 'apng', contentType: 'image/apng', codec: 'apng', kind: 'image' },
  { type: 'avif', contentType: 'image/avif', codec: 'av1', kind: 'image' },
  { type: 'webp', contentType: 'image/webp', codec: undefined, kind: 'image' },
  { type: 'webm', contentType: 'video/webm', codec: 'vp9', kind: 'video' },
  { type: 'mkv', contentType: 'video/matroska', codec: 'h264', kind: 'video' },
  { type: 'mp4', contentType: 'video/mp4', codec: 'h264', kind: 'video' },
] as const;

describe.each(films)('GET / with output_type=$type and a duration', ({ type, contentType, codec, kind }) => {
  it('answers the film', async () => {
    const response = await get({
      ...{ output_type: type, [`${kind}_duration`]: '0.5', [`${kind}_framerate`]: '10', [`${kind}_width`]: '640' },
    });
    expectHead(response, contentType, type);
    expect(response.headers.get('x-capture-method')).toBe('deterministic');
    const bytes = Buffer.from(await response.arrayBuffer());
    const film = await decodeVideo(bytes, type);
    expect([film.width, film.height]).toEqual([640, 360]);
    const pixel = (x: number, y: number) => pixelAt(film, film.frames.at(-1), [Math.floor(x / 2), Math.floor(y / 2)]);
    for (const [x, y, colour] of FIELDS) expect(isColour([...pixel(x, y), 255], colour, 6), String(pixel(x, y))).toBe(true);
    // libwebp makes one picture of equal frames; ffprobe reads none of it.
    if (codec === undefined) return;
    expect(film.frames).toHaveLength(5);
    const probe = await probeVideo(bytes, type);
    expect(probe).toMatchObject({ codec_name: codec, r_frame_rate: '10/1' });
  });
});

describe('a key of a picture or film whose value makes no sense is a 400 that says what would', () => {
  it.each([
    [{ image_width: '0' }, 'image_width', /1/],
    [{ image_width: '100000' }, 'image_width', /16384/],
    [{ image_width: '1e3' }, 'image_width', /integer|whole/],
    [{ image_height: '-1' }, 'image_height', /1/],
    [{ output_type: 'gif', image_duration: 'NaN' }, 'image_duration', /number/],
    [{ output_type: 'gif', image_duration: '0' }, 'image_duration', /0/],
    [{ output_type: 'gif', image_duration: '-1' }, 'image_duration', /0/],
    [{ output_type: 'gif', image_duration: '0.05' }, 'image_duration', /at least 0.1 s/],
    [{ output_type: 'gif', image_duration: '1000' }, 'image_duration', /at most 600 frames: at most 120 s/],
    [{ output_type: 'apng', image_framerate: '0' }, 'image_framerate', /1/],
    [{ output_type: 'apng', image_framerate: '1000' }, 'image_framerate', /60/],
    [{ output_type: 'mp4', video_framerate: '0' }, 'video_framerate', /1/],
    [{ output_type: 'mp4', video_framerate: '1000' }, 'video_framerate', /60/],
    [{ output_type: 'mp4', video_duration: '145' }, 'video_duration', /at most 3600 frames: at most 144 s/],
    [{ output_type: 'mp4', video_duration: '6', timeout: '5' }, 'video_duration', /must not exceed the "timeout" of 5 s/],
    [{ output_type: 'mp4', video_width: '10000' }, 'video_width', /8192/],
    [{ full_page: 'true', image_selector: '#it' }, 'full_page', /mutually exclusive/],
    [{ image_selector: 'p[' }, 'image_selector', /not a valid CSS selector/],
  ] as const)('%j', async (params, key, says) => {
    const response = await get(params);
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    const { code, errors }: { code: string; errors: readonly { parameter: string; detail: string }[] } = await response.json();
    expect(code).toBe('invalid_parameters');
    expect(errors.map(({ parameter }) => parameter)).toContain(key);
    expect(errors.map(({ detail }) => detail).join()).toMatch(says);
  });
});

it.each([
  ['jpeg', 'jpg'],
  ['JPG', 'jpg'],
  ['tif', 'tiff'],
  ['webb', 'webp'],
  ['x-matroska', 'mkv'],
])('says of "output_type=%s" that %s was probably meant', async (output_type, meant) => {
  const answer = await get({ output_type });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain(`: did you mean \\"${meant}\\"?`);
});

it.each(['/nowhere/ffmpeg', '/etc'])('a server does not start with --ffmpeg-path %s, and names the flag', async (path) => {
  const flags = { 'server-bind-port': 0, 'ffmpeg-path': path };
  await using wrong = createTestKernel({ plugins, flags });
  expect(() => createServer({ kernel: wrong.kernel, log: silentLogger, flags })).toThrow(
    expect.objectContaining({ code: 'boot_invalid_flag', message: `--ffmpeg-path is not a program that can be run: ${path}` }) as Error,
  );
});
