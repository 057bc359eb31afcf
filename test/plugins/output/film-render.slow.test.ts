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
import { dataUrl } from '../capture/pictures.js';

const outputs: readonly Plugin[] = [gif, apng, avif, webp, webm, mkv, mp4];
const companions = [pixels, frames, ffmpeg];

const host = createTestKernel({ plugins: [...companions, ...outputs] });
afterAll(() => host[Symbol.asyncDispose]());

const MOVING = dataUrl(
  '<h1 style="animation:move 2s linear infinite">x</h1>',
  '<style>@keyframes move{to{transform:translateX(800px)}}</style>',
);

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

// The other plugins' contracts are tested in ../contract.browser.test.ts.
describe.each([gif, apng, webm, mkv, mp4])('the plugin $name', (plugin) => {
  for (const check of pluginContract({ plugin, manifest: readPluginManifest(plugin), companions })) it(check.name, check.run);
});
