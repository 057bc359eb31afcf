import { createTestKernel } from '@platen/kernel/testing';
import pixels from '@platen/plugin-screenshot';
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

/** A picture that takes long to decode, blue in its corner. */
async function slowBlue(): Promise<Buffer> {
  const noise = sharp(randomBytes(3000 * 2000 * 3), { raw: { width: 3000, height: 2000, channels: 3 } });
  const corner = { create: { width: 1500, height: 1000, channels: 3, background: 'blue' } } as const;
  return noise
    .composite([{ input: corner, left: 0, top: 0 }])
    .jpeg({ quality: 95 })
    .toBuffer();
}

const background = '<body style="background:red">';

describe('what is waited for before the picture is taken', () => {
  it('is that large images which a script adds are decoded', async () => {
    await using site = await openSite({
      '/': page(`${background}<script>onload = () => { document.body.innerHTML = '<img decoding="async" src="/large.jpg">'; }</script>`),
      '/large.jpg': { headers: { 'content-type': 'image/jpeg' }, body: await slowBlue() },
    });
    const { at } = await render({ url: site.url('/') });
    expect(isColour(at(200, 200), BLUE, 3)).toBe(true);
  });

  it('is nothing for images that have loaded: they are painted with the page, asynchronously decoded ones too', async () => {
    const large = { headers: { 'content-type': 'image/jpeg' }, body: await slowBlue() };
    const images = Array.from({ length: 6 }, (_, index) => `<img decoding="async" width="400" height="300" src="/${String(index)}.jpg">`);
    await using site = await openSite({
      '/': page(`<body style="background:red">${images.join('')}`),
      ...Object.fromEntries(images.map((_, index) => [`/${String(index)}.jpg`, large])),
    });
    const { at } = await render({ url: site.url('/') });
    const corners = [10, 410, 810].flatMap((x) => [10, 320].map((y) => [x, y] as const));
    expect(corners.map(([x, y]) => isColour(at(x, y), BLUE, 3))).toEqual(corners.map(() => true));
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

  it('is that the background of an image document has faded in', async () => {
    const clear = sharp({ create: { width: 200, height: 200, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } });
    await using site = await openSite({ '/': { headers: { 'content-type': 'image/png' }, body: await clear.png().toBuffer() } });
    const { at } = await render({ url: site.url('/') });
    // Chromium's style sheet for an image document: hsl(0, 0%, 90%), by a transition of 300 ms.
    expect(isColour(at(640, 360), [230, 230, 230])).toBe(true);
  });

  it.each([
    ['a transition', 'transition:transform .6s', 'onload = () => { box.style.transform = "translateX(300px)"; }'],
    ['an animation from out of view', 'animation:in .6s both', ''],
  ])('is %s that ends, beside one that does not', async (_what, css, script) => {
    const styles = `<style>@keyframes in{from{transform:translateX(-2000px)}to{transform:translateX(300px)}}@keyframes spin{to{rotate:1turn}}#box{position:absolute;top:100px;width:100px;height:100px;background:blue;${css}}i{position:absolute;top:300px;width:9px;height:9px;animation:spin 1s infinite}</style>`;
    await using site = await openSite({ '/': page(`<div id="box"></div><i></i><script>${script}</script>`, styles) });
    const { at } = await render({ url: site.url('/') });
    expect([at(302, 150), at(398, 150)].map((pixel) => isColour(pixel, BLUE))).toEqual([true, true]);
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
