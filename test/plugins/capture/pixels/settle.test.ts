import { createTestKernel } from '@platen/kernel/testing';
import pixels from '@platen/plugin-pixels';
import png from '@platen/plugin-png';
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { BLUE, decodePicture, isColour, page, RED, svg } from '../pictures.js';

const host = createTestKernel({ plugins: [pixels, png] });
afterAll(() => host[Symbol.asyncDispose]());

async function render(params: Readonly<Record<string, unknown>>) {
  const result = await host.render(params);
  return decodePicture(await result.bytes());
}

const background = '<body style="background:red">';

describe('what is waited for before the picture is taken', () => {
  it('is that large images are decoded', async () => {
    const noise = await sharp(randomBytes(2000 * 1500 * 3), { raw: { width: 2000, height: 1500, channels: 3 } })
      .png()
      .toBuffer();
    const blue = await sharp(noise)
      .composite([{ input: { create: { width: 400, height: 400, channels: 3, background: 'blue' } }, left: 0, top: 0 }])
      .png()
      .toBuffer();
    await using site = await openSite({
      '/': page(`${background}<script>onload = () => { document.body.innerHTML = '<img decoding="async" src="/large.png">'; }</script>`),
      '/large.png': { headers: { 'content-type': 'image/png' }, body: blue },
    });
    const { at } = await render({ url: site.url('/') });
    expect(isColour(at(200, 200), BLUE)).toBe(true);
  });

  it('is that images which a script adds are there', async () => {
    await using site = await openSite({
      '/': page(`${background}<script>onload = () => { document.body.innerHTML = '<img src="/late.svg">'; }</script>`),
      '/late.svg': svg('blue'),
    });
    const { at } = await render({ url: site.url('/') });
    expect(isColour(at(50, 50), BLUE)).toBe(true);
  });

  it('is not a broken image, nor a lazy one out of sight', async () => {
    await using site = await openSite({
      '/': page(`${background}<img src="/missing.png" alt=""><div style="height:20000px"></div><img loading="lazy" src="/lazy.svg">`),
      '/lazy.svg': svg('blue'),
    });
    const { at } = await render({ url: site.url('/') });
    expect(isColour(at(600, 600), RED)).toBe(true);
    expect(site.requests.map(({ url }) => url)).not.toContain('/lazy.svg');
  });

  it('is not an image that never ends', async () => {
    await using site = await openSite({
      '/': page(`${background}<script>onload = () => { document.body.innerHTML = '<img src="/endless.png">'; }</script>`),
      '/endless.png': () => undefined,
    });
    const { at } = await render({ url: site.url('/') });
    expect(isColour(at(600, 600), RED)).toBe(true);
  });
});
