import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { isColour, RED, svg } from '../pictures.js';
import { createVideoKernel, readVideo } from './videos.js';

const host = createVideoKernel();
let site: Site;
beforeAll(async () => {
  const picture = sharp({ create: { width: 1280, height: 720, channels: 3, background: 'red' } });
  const answer = async (format: 'png' | 'jpeg' | 'webp') => ({
    headers: { 'content-type': `image/${format}` },
    body: await picture.clone().toFormat(format).toBuffer(),
  });
  site = await openSite({ '/png': await answer('png'), '/jpeg': await answer('jpeg'), '/webp': await answer('webp'), '/svg': svg('red') });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});

it.each([
  ['png', 'live'],
  ['jpeg', 'live'],
  ['webp', 'live'],
  ['svg', 'deterministic'],
])('a document that is a picture (%s) is filmed at the first attempt, %s', async (type, method) => {
  const result = await host.render({ url: site.url(`/${type}`), output_type: 'test-animation', image_duration: 2, timeout: 20 });
  const { said, raw, frame } = await readVideo(result);
  expect(said).toMatchObject({ method, width: 1280, height: 720 });
  expect(raw).toHaveLength(10);
  expect(isColour((await frame(9)).at(50, 50), RED, 4)).toBe(true);
  expect(site.requests.filter(({ url }) => url === `/${type}`)).toHaveLength(1);
});
