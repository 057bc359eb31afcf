import { readFile } from 'node:fs/promises';
import { silentLogger, type Plugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import ffmpegPlugin from '@platen/plugin-ffmpeg';
import frames from '@platen/plugin-frames';
import gif from '@platen/plugin-gif';
import mp4 from '@platen/plugin-video/mp4';
import pixels from '@platen/plugin-screenshot';
import { createServer } from '@platen/server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openSite, type Site } from '../../helpers/site.js';
import { block, isColour, page } from '../capture/pictures.js';
import { decodeVideo, pixelAt, probeVideo, type DecodedVideo } from './decode-film.js';
import { readDelays } from './frame-delays.js';

const plugins: readonly Plugin[] = [pixels, frames, ffmpegPlugin, gif, mp4];
const host = createTestKernel({ plugins });
const server = createServer({ kernel: host.kernel, log: silentLogger, flags: { 'server-bind-port': 0 } });
let base: string;
let site: Site;

/** CSS pixels a second: one frame at 12.5 a second is 32 of them. */
const SPEED = 400;
const MOVING = page(
  block('left:0;top:0;width:100vw;height:300px;background:#c81e1e') +
    block('left:0;top:400px;width:40px;height:200px;background:#000;animation:go 3s linear infinite'),
  `<style>@keyframes go{to{transform:translateX(${String(SPEED * 3)}px)}}</style>`,
);
const PLAYING = page(
  '<div style="height:1000px;background:#fff"><video src="/video" autoplay muted loop onplaying="fetch(\'/plays\')"></video></div>' +
    '<div style="height:500px;background:#1e1ec8"></div><img src="/gate" style="position:absolute;left:0;top:0">',
);
/** No frame comes back once the page waits for an answer, without letting go. */
const HANGS = page("<script>setTimeout(()=>{const x=new XMLHttpRequest();x.open('GET','/never',false);x.send()},300)</script>");

beforeAll(async () => {
  const video = await readFile(new URL('../../fixtures/frames/block.webm', import.meta.url));
  let playing: () => void = () => undefined;
  const plays = new Promise<void>((resolve) => {
    playing = resolve;
  });
  site = await openSite({
    '/moving': MOVING,
    '/playing': PLAYING,
    '/hangs': HANGS,
    '/spins': '<h1>page</h1><script>for(;;);</script>',
    '/spins-later': '<h1>page</h1><script>addEventListener("load", () => setTimeout(() => { for(;;); }))</script>',
    '/never': () => undefined,
    '/video': { headers: { 'content-type': 'video/webm' }, body: video },
    '/plays': () => {
      playing();
      return 'thanks';
    },
    // The page is loaded when its video plays.
    '/gate': () => plays.then(() => 'no picture'),
  });
  base = await server.listen();
});
afterAll(async () => {
  await server.close(0);
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

function get(path: string, params: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(`${base}/?${new URLSearchParams({ url: site.url(path), ...params }).toString()}`);
}

/** Where the left edge of the black block is. */
function placeOf({ width }: DecodedVideo, frame: Buffer): number {
  const row = frame.subarray(500 * width * 3, 501 * width * 3);
  return Math.round(row.findIndex((value) => value < 128) / 3);
}

/** An animation and a video: animated.slow.test.ts and video.slow.test.ts compare the frames of every format with those it is made of. */
const films = [
  { type: 'gif', kind: 'image' },
  { type: 'mp4', kind: 'video' },
] as const;

const FRAMERATE = 12;
const COUNT = 12;

describe.each(films)('GET / with output_type=$type of a page on which a block moves', ({ type, kind }) => {
  let bytes: Buffer;
  beforeAll(async () => {
    const response = await get('/moving', {
      ...{ output_type: type, [`${kind}_duration`]: '1', [`${kind}_framerate`]: String(FRAMERATE) },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-capture-method')).toBe('deterministic');
    bytes = Buffer.from(await response.arrayBuffer());
  }, 60_000);

  it('shows it in every frame where it is at the frame\u2019s moment', async () => {
    const film = await decodeVideo(bytes, type);
    expect([film.width, film.height, film.frames.length]).toEqual([1280, 720, COUNT]);
    for (const frame of film.frames) expect(isColour([...pixelAt(film, frame, [600, 100]), 255], [200, 30, 30], 6)).toBe(true);
    const places = film.frames.map((frame) => placeOf(film, frame));
    const turn = SPEED * 3;
    for (const [index, place] of places.entries()) {
      const wanted = ((places[0] ?? NaN) + (index * SPEED) / FRAMERATE) % turn;
      const error = Math.abs(place - wanted);
      expect(Math.min(error, turn - error), String(places)).toBeLessThanOrEqual(3);
    }
  });

  it('shows every frame as long as it lasts', async () => {
    if (kind === 'video') {
      const probe = await probeVideo(bytes, type);
      expect(probe).toMatchObject({ r_frame_rate: `${String(FRAMERATE)}/1`, nb_read_frames: String(COUNT) });
      expect(Math.abs(probe.duration - 1)).toBeLessThan(0.002);
      return;
    }
    const delays = await readDelays.gif(bytes);
    expect(delays).toHaveLength(COUNT);
    const total = delays.reduce((sum, seconds) => sum + seconds, 0);
    expect(total).toBeCloseTo(1, 2);
    // A hundredth of a second is the finest that a gif knows.
    for (const seconds of delays) expect(Math.abs(seconds - 1 / FRAMERATE)).toBeLessThan(0.0101);
  });
});

it.each([
  ['while the page loads', '/spins', 'wait', 'load'],
  ['once it has loaded', '/spins-later', 'capture', 'images and fonts'],
])(
  'a page whose script never ends, %s, is a 504 that says what was waited for, and leaves nothing behind',
  async (_when, path, phase, unmet) => {
    const response = await get(path, { output_type: 'mp4', video_duration: '1', timeout: '3' });
    const problem = (await response.json()) as Readonly<Record<string, unknown>>;
    expect(problem).toMatchObject({ status: 504, code: 'render_timeout', phase, unmet });
    expect(problem.detail).toBe(
      `the render did not finish within 4 s: it was in phase "${phase}", waiting for ${unmet}; a script blocks the page and may not end`,
    );
    await vi.waitFor(
      () => {
        const { browsers, ...rest } = host.kernel.status();
        expect(rest).toMatchObject({ busy: 0, waiting: 0, inFlight: 0 });
        // A film's own one has ended; that of other renders stays.
        expect(browsers).toBeLessThanOrEqual(1);
      },
      { timeout: 20_000 },
    );
  },
);

it.each(['mp4', 'gif'])('a live film of a full page shows all of it: %s', async (output_type) => {
  const response = await get('/playing', {
    ...{ output_type, full_page: 'true', image_duration: '1', video_duration: '1', video_framerate: '5' },
  });
  expect([response.status, response.headers.get('x-capture-method')]).toEqual([200, 'live']);
  const film = await decodeVideo(Buffer.from(await response.arrayBuffer()), output_type);
  expect([film.width, film.height, film.frames.length]).toEqual([1280, 1500, 5]);
  for (const frame of film.frames) {
    const [above, below, end] = [990, 1010, 1495].map((y) => [...pixelAt(film, frame, [900, y]), 255]);
    expect(isColour(above ?? [], [255, 255, 255], 6)).toBe(true);
    for (const pixel of [below, end]) expect(isColour(pixel ?? [], [30, 30, 200], 6), String(pixel)).toBe(true);
  }
});

it.each([
  ['gif', 5],
  ['mp4', 25],
])('a %s whose time is up is a 504 that says which frame was waited for', async (output_type, count) => {
  const response = await get('/hangs', { output_type, image_duration: '1', video_duration: '1', timeout: '8' });
  expect(response.status).toBe(504);
  const problem: { code: string; detail: string; unmet: string } = await response.json();
  expect(problem.code).toBe('render_timeout');
  expect(problem.detail).toMatch(
    new RegExp(`^the render did not finish within 9 s: it was in phase "encode", waiting for frame \\d+ of ${String(count)}$`),
  );
});
