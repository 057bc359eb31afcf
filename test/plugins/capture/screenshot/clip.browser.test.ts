import { createTestKernel } from '@platen/kernel/testing';
import ffmpeg from '@platen/plugin-ffmpeg';
import frames from '@platen/plugin-frames';
import webp from '@platen/plugin-image/webp';
import screenshot from '@platen/plugin-screenshot';
import { afterAll, expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';

const host = createTestKernel({ plugins: [screenshot, frames, ffmpeg, webp] });
afterAll(() => host[Symbol.asyncDispose]());

it('image_clip that is too large is refused before the page is scrolled', async () => {
  await using site = await openSite({
    '/': '<div style="height:30000px"></div><img loading=lazy style="position:absolute;top:15000px" src="/lazy.png">',
  });
  const rendering = host.render({ url: site.url('/'), output_type: 'webp', image_clip: '0,0,400,20000' });
  await expect(rendering).rejects.toMatchObject({ code: 'capture_too_large' });
  expect(site.requests.map(({ url }) => url)).toEqual(['/']);
});
