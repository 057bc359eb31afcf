import type { Plugin } from '@platen/kernel';
import { createTestKernel, pluginContract } from '@platen/kernel/testing';
import apng from '@platen/plugin-apng';
import avif from '@platen/plugin-image/avif';
import ffmpeg from '@platen/plugin-ffmpeg';
import frames from '@platen/plugin-frames';
import gif from '@platen/plugin-gif';
import mkv from '@platen/plugin-video/mkv';
import mp4 from '@platen/plugin-video/mp4';
import pixels from '@platen/plugin-screenshot';
import webm from '@platen/plugin-video/webm';
import webp from '@platen/plugin-image/webp';
import { afterAll, describe, expect, it } from 'vitest';
import { readPluginManifest } from '../../architecture/workspaces.js';
import { block, dataUrl, isColour } from '../capture/pictures.js';
import { decodeVideo, pixelAt } from './decode-film.js';

const outputs: readonly Plugin[] = [gif, apng, avif, webp, webm, mkv, mp4];
const companions = [pixels, frames, ffmpeg];

const host = createTestKernel({ plugins: [...companions, ...outputs] });
afterAll(() => host[Symbol.asyncDispose]());

/** A red field, and a block that goes 400 pixels a second to the right. */
const MOVING = dataUrl(
  `${block('left:0;top:0;width:100vw;height:300px;background:#c81e1e')}${block('left:0;top:400px;width:100px;height:200px;background:#000;animation:move 2s linear infinite')}`,
  '<style>@keyframes move{to{transform:translateX(800px)}}</style>',
);

describe.each(outputs.map(({ name }) => name))('%s', (output_type) => {
  const isVideo = ['webm', 'mkv', 'mp4'].includes(output_type);
  const timing = isVideo ? { video_duration: 0.8, video_framerate: 10 } : { image_duration: 0.8, image_framerate: 10 };

  it('shows the page as it moves', async () => {
    const { output, bytes } = await host.render({ url: MOVING, output_type, ...timing });
    const plugin = outputs.find(({ name }) => name === output_type);
    expect(output.contentType).toBe(plugin?.outputs?.[0]?.contentType);
    const film = await decodeVideo(await bytes(), output_type);
    expect([film.width, film.height, film.frames.length]).toEqual([1280, 720, 8]);
    for (const frame of film.frames) expect(isColour([...pixelAt(film, frame, [600, 100]), 255], [200, 30, 30], 6)).toBe(true);
    const places = film.frames.map((frame) => {
      const row = frame.subarray(500 * 1280 * 3, 501 * 1280 * 3);
      return Math.round(row.findIndex((value) => value < 128) / 3);
    });
    places.slice(1).forEach((place, index) => {
      expect(Math.abs(place - (places[index] ?? NaN) - 40), String(places)).toBeLessThanOrEqual(8);
    });
  });
});

it('stops in the middle of a film when the client leaves', async () => {
  const client = new AbortController();
  const rendering = host.render(
    { url: MOVING, output_type: 'mp4', video_duration: 20 },
    {
      signal: client.signal,
      onPhase: (phase) => {
        if (phase === 'encode') client.abort();
      },
    },
  );
  await expect(rendering).rejects.toMatchObject({ code: 'client_closed' });
  await expect(host.render({ url: MOVING, output_type: 'gif', image_duration: 0.4 })).resolves.toBeDefined();
});

it('refuses a gif that is faster than players are, and no other film', () => {
  const plan = (params: object) => host.kernel.plan(host.kernel.validate({ url: MOVING, ...params }, 'body'));
  expect(() => plan({ output_type: 'gif', image_framerate: 51 })).toThrow(/"image_framerate" must be at most 50/);
  expect(() => plan({ output_type: 'gif', image_framerate: 50 })).not.toThrow();
  expect(() => plan({ output_type: 'apng', image_framerate: 60 })).not.toThrow();
});

it('says that ffmpeg is missing before it starts a browser, and makes stills without it', async () => {
  await using bare = createTestKernel({ plugins: [...companions, webp, mp4], flags: { 'ffmpeg-path': '/bin/false' } });
  const phases: string[] = [];
  const rendering = bare.render({ url: MOVING, output_type: 'mp4' }, { onPhase: (phase) => phases.push(phase) });
  await expect(rendering).rejects.toMatchObject({
    code: 'feature_unavailable',
    status: 501,
    message: expect.stringMatching(/program of --ffmpeg-path does not run as ffmpeg: correct --ffmpeg-path/) as string,
  });
  expect(phases).toEqual(['open']);
  await expect(bare.render({ url: MOVING, output_type: 'webp', image_duration: 1 })).rejects.toMatchObject({ code: 'feature_unavailable' });
  expect(bare.kernel.status()).toMatchObject({ browsers: 0, restarts: 0 });
  const still = await bare.render({ url: MOVING, output_type: 'webp' });
  expect((await still.bytes()).toString('latin1', 8, 12)).toBe('WEBP');
});

describe.each([ffmpeg, gif, apng, webm, mkv, mp4])('the plugin $name', (plugin) => {
  const others = plugin === ffmpeg ? { always: ['beforeOpen'] } : { companions };
  for (const check of pluginContract({ plugin, manifest: readPluginManifest(plugin), ...others })) it(check.name, check.run);
});
