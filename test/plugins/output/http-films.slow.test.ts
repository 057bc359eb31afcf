import { readFile } from 'node:fs/promises';
import { silentLogger, type Plugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import ffmpegPlugin from '@platen/plugin-ffmpeg';
import frames from '@platen/plugin-frames';
import gif from '@platen/plugin-gif';
import mp4 from '@platen/plugin-video/mp4';
import pixels from '@platen/plugin-screenshot';
import { createServer } from '@platen/server';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openSite, type Site } from '../../helpers/site.js';
import { isColour, page } from '../capture/pictures.js';
import { decodeVideo, pixelAt } from './decode-film.js';

const plugins: readonly Plugin[] = [pixels, frames, ffmpegPlugin, gif, mp4];
const host = createTestKernel({ plugins });
const server = createServer({ kernel: host.kernel, log: silentLogger, flags: { 'server-bind-port': 0 } });
let base: string;
let site: Site;

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
