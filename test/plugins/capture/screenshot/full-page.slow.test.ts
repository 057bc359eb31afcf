import { definePlugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import { afterAll, describe, expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { block, BLUE, dataUrl, decodePicture, GREEN, isColour, page, RED, svg, WHITE, YELLOW, type Picture } from '../pictures.js';
import view from '../view-plugin.js';

const host = createTestKernel({ plugins: [pixels, png, view] });
afterAll(() => host[Symbol.asyncDispose]());

async function render(params: Readonly<Record<string, unknown>>) {
  const result = await host.render({ full_page: true, ...params });
  return decodePicture(await result.bytes());
}

/** Rows of 100 pixels, each with a colour of its own. */
function rows(height: number, more = ''): string {
  const script = `for (let i = 0; i < ${String(height / 100)}; i++) {
    const row = document.createElement('div');
    row.style = 'height:100px;background:rgb(' + i % 256 + ',' + (i >> 8) * 40 + ',99)';
    document.body.append(row);
  }`;
  return dataUrl(`<body><script>${script}</script>${more}`);
}

function wrongRows({ at, width, height }: Picture, scale = 1): number {
  return Array.from({ length: height / 100 / scale }, (_, row) => row).filter(
    (row) => !isColour(at(Math.floor(width / 2), Math.floor((row * 100 + 50) * scale)), [row % 256, (row >> 8) * 40, 99]),
  ).length;
}

/** How many stretches of the colour there are from top to bottom. */
function countBars({ at, height }: Picture, x: number, colour: readonly number[]): number {
  const isBar = Array.from({ length: height }, (_, y) => isColour(at(x, y), colour));
  return isBar.filter((bar, y) => bar && isBar[y - 1] !== true).length;
}

describe("full_page's second load", () => {
  const tall = (colour: string, script = '') => page(`<div style="height:3000px;background:${colour}"></div><script>${script}</script>`);

  it('is of the target, whatever its scripts have made of the address', async () => {
    await using site = await openSite({ '/': tall('blue', "history.pushState(null, '', '/virtual')"), '/virtual': tall('red') });
    const { at, height } = await render({ url: site.url('/') });
    expect([height, isColour(at(10, 2990), BLUE)]).toEqual([3000, true]);
    expect(site.requests.map(({ url }) => url).filter((url) => url !== '/favicon.ico')).toEqual(['/', '/']);
  });

  it('is a load, also with a fragment in the URL', async () => {
    await using site = await openSite({ '/': tall('blue') });
    await render({ url: site.url('/#part') });
    expect(site.requests.filter(({ url }) => url === '/')).toHaveLength(2);
  });

  it('is judged by its status as the first one', async () => {
    await using site = await openSite({
      '/': () => (site.requests.filter(({ url }) => url === '/').length > 1 ? { status: 500 } : tall('blue')),
    });
    await expect(render({ url: site.url('/') })).rejects.toMatchObject({ code: 'target_status', details: { target: { status: 500 } } });
  });
});

describe('full_page', () => {
  it.each([
    [1000, 1],
    [20_000, 1],
    [45_000, 1],
    [9000, 2],
  ])('holds all of a page of %i pixels at scale %i', async (tall, view_scale) => {
    const picture = await render({ url: rows(tall), view_scale });
    expect([picture.width, picture.height]).toEqual([1280 * view_scale, tall * view_scale]);
    expect(wrongRows(picture, view_scale)).toBe(0);
  });

  it('resizes a page that is captured in tiles', async () => {
    const picture = await render({ url: rows(45_000), image_width: 960 });
    expect([picture.width, picture.height]).toEqual([960, 33_750]);
    expect(wrongRows(picture, 0.75)).toBe(0);
  });

  it('loads lazy images, and what waits to be scrolled to, down to the end', async () => {
    const observer = `<div id="seen" style="height:100px;background:red"></div><script>
      new IntersectionObserver(([entry]) => { if (entry.isIntersecting) entry.target.style.background = 'green'; }).observe(seen);
    </script>`;
    const lazy = (number: number) =>
      `<div style="height:3000px"></div><img loading="lazy" style="display:block" width="100" height="100" src="/lazy.svg?${String(number)}">`;
    await using site = await openSite({ '/': page([1, 2, 3, 4, 5, 6].map(lazy).join('') + observer), '/lazy.svg': svg('blue') });
    const picture = await render({ url: site.url('/') });
    expect(picture.height).toBe(6 * 3100 + 100);
    for (const number of [1, 2, 3, 4, 5, 6]) expect(isColour(picture.at(50, number * 3100 - 50), BLUE)).toBe(true);
    expect(isColour(picture.at(50, picture.height - 50), GREEN)).toBe(true);
  });

  it('loads them down to the end also below an element as high as the viewport', async () => {
    const sections = Array.from(
      { length: 12 },
      (_, number) =>
        `<div style="height:500px"></div><img loading="lazy" style="display:block" width="100" height="100" src="/lazy.svg?${String(number)}">`,
    );
    const observer = `<img id="seen" style="display:block" width="100" height="100"><script>
      new IntersectionObserver(([entry]) => { if (entry.isIntersecting) entry.target.src = '/observed.svg'; }).observe(seen);
    </script>`;
    const hero = '<div style="height:100vh;background:red"></div>';
    await using site = await openSite({
      '/': page(hero + sections.join('') + observer),
      '/lazy.svg': svg('blue'),
      '/observed.svg': svg('green'),
    });
    const { at, height } = await render({ url: site.url('/') });
    expect(height).toBe(720 + 12 * 600 + 100);
    expect(isColour(at(50, 719), RED)).toBe(true);
    const blue = sections.filter((_, number) => isColour(at(50, 720 + number * 600 + 550), BLUE));
    expect(blue).toHaveLength(12);
    expect(isColour(at(50, height - 50), GREEN)).toBe(true);
  });

  it('counts what lazy images without a size add below an element as high as the viewport', async () => {
    const lazy = '<div style="height:3000px"></div><img loading="lazy" style="display:block" src="/lazy.svg">';
    await using site = await openSite({
      '/': page(`<div style="height:100vh;background:red"></div>${lazy.repeat(3)}`),
      '/lazy.svg': svg('blue'),
    });
    const { at, height } = await render({ url: site.url('/') });
    expect(height).toBe(720 + 3 * 3100);
    for (const number of [1, 2, 3]) expect(isColour(at(50, 720 + number * 3100 - 50), BLUE)).toBe(true);
  });

  it('grows with lazy images that have no size of their own', async () => {
    await using site = await openSite({
      '/': page(
        '<div style="height:2000px"></div><img loading="lazy" style="display:block" src="/lazy.svg"><div style="height:10px;background:red"></div>',
      ),
      '/lazy.svg': {
        headers: { 'content-type': 'image/svg+xml' },
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="3000"><rect width="100" height="3000" fill="blue"/></svg>',
      },
    });
    const picture = await render({ url: site.url('/') });
    expect(picture.height).toBe(5010);
    expect(isColour(picture.at(50, 4990), BLUE)).toBe(true);
    expect(isColour(picture.at(50, 5005), RED)).toBe(true);
  });

  it.each([3000, 20_000])('shows what sticks or is fixed once, on a page of %i pixels', async (tall) => {
    const sticky = '<div style="position:sticky;top:0;height:50px;background:green"></div>';
    const fixed = '<div style="position:fixed;right:0;top:100px;width:50px;height:50px;background:blue"></div>';
    const footer = '<div style="position:fixed;left:0;right:100px;bottom:0;height:40px;background:red"></div>';
    const picture = await render({ url: dataUrl(`${sticky}<div style="height:${String(tall - 50)}px"></div>${fixed}${footer}`) });
    expect(picture.height).toBe(tall);
    expect(countBars(picture, 10, GREEN)).toBe(1);
    expect(isColour(picture.at(10, 0), GREEN)).toBe(true);
    expect(countBars(picture, 1270, BLUE)).toBe(1);
    expect(countBars(picture, 10, RED)).toBe(1);
    // A bar at the lower end of the viewport stands at the end of the picture, as long as the browser paints so high a viewport.
    expect(isColour(picture.at(10, tall - 1), RED)).toBe(tall === 3000);
  });

  it.each([
    ['100vh', 720],
    ['50vh', 360],
    ['min(100vh, 900px)', 720],
  ])('keeps %s the height of the browser', async (height, pixels) => {
    const url = dataUrl(`<div style="height:${height};background:red"></div><div style="height:3000px;background:blue"></div>`);
    const picture = await render({ url });
    expect(picture.height).toBe(pixels + 3000);
    expect(isColour(picture.at(9, pixels - 1), RED)).toBe(true);
    expect(isColour(picture.at(9, pixels), BLUE)).toBe(true);
    expect(isColour(picture.at(9, picture.height - 1), BLUE)).toBe(true);
  });

  it('shows the whole of an application that scrolls in a box of its own', async () => {
    const shell = `<style>html,body{height:100%;overflow:hidden}main{height:calc(100vh - 60px);overflow:auto}</style>
      <header style="height:60px;background:green"></header><main><div style="height:4000px;background:blue"></div><div style="height:100px;background:red"></div></main>`;
    const picture = await render({ url: dataUrl(shell) });
    expect(picture.height).toBe(4160);
    expect(isColour(picture.at(9, 30), GREEN)).toBe(true);
    expect(isColour(picture.at(9, 4100), RED)).toBe(true);
  });

  it('stays as wide as the browser where the page is wider', async () => {
    const { width, height, at } = await render({ url: dataUrl(block('left:0;top:0;width:3000px;height:2000px;background:blue')) });
    expect([width, height]).toEqual([1280, 2000]);
    expect(isColour(at(1279, 1999), BLUE)).toBe(true);
  });

  it.each([
    ['from right to left', 'vertical-rl', 1, '', 720],
    ['from left to right', 'vertical-lr', 1, '', 720],
    ['with a block as wide as the viewport', 'vertical-rl', 1, '<div style="width:100vw;background:green"></div>', 720],
    ['wider than what the browser paints of a viewport', 'vertical-rl', 5, '', 400],
  ])('is as wide as a page that is written from top to bottom: %s', async (_, mode, view_scale, first, view_height) => {
    const lines = `${first}<div style="width:2000px;background:red"></div><div style="width:1500px;background:blue"></div>`;
    const { width, height, at } = await render({
      url: dataUrl(lines, `<style>html{writing-mode:${mode}}</style>`),
      view_scale,
      view_height,
    });
    const whole = 3500 + (first === '' ? 0 : 1280);
    expect([width, height]).toEqual([whole * view_scale, view_height * view_scale]);
    const along = (x: number) => at((mode === 'vertical-rl' ? whole - 1 - x : x) * view_scale, 300);
    const begins = whole - 3500;
    if (begins > 0) expect([isColour(along(0), GREEN), isColour(along(begins - 1), GREEN)]).toEqual([true, true]);
    expect([begins, begins + 1999].map((x) => isColour(along(x), RED))).toEqual([true, true]);
    expect([begins + 2000, whole - 1].map((x) => isColour(along(x), BLUE))).toEqual([true, true]);
  });

  it('begins at the top where the address points further down', async () => {
    const { at, height } = await render({
      url: `${dataUrl('<div style="height:2000px;background:red"></div><div id="here" style="height:900px;background:blue"></div>')}#here`,
    });
    expect(height).toBe(2900);
    expect(isColour(at(9, 0), RED)).toBe(true);
    expect(isColour(at(9, 2899), BLUE)).toBe(true);
  });

  it('loads a page that scrolls twice, and one that does not once', async () => {
    await using site = await openSite({ '/long': page('<div style="height:2000px">'), '/short': page('<p>short') });
    expect((await render({ url: site.url('/long') })).height).toBe(2000);
    expect((await render({ url: site.url('/short') })).height).toBe(720);
    expect(site.requests.filter(({ url }) => url === '/long')).toHaveLength(2);
    expect(site.requests.filter(({ url }) => url === '/short')).toHaveLength(1);
  });

  it('shows the second load, however it differs from the first', async () => {
    let loads = 0;
    await using site = await openSite({
      '/': () => {
        loads += 1;
        return page(loads === 1 ? '<div style="height:1000px;background:red">' : '<div style="height:5000px;background:yellow">');
      },
    });
    const { height, at } = await render({ url: site.url('/') });
    expect(height).toBe(5000);
    expect(isColour(at(9, 0), YELLOW)).toBe(true);
    expect(isColour(at(9, 4999), YELLOW)).toBe(true);
  });

  it.each([
    ['that it scrolls', (height: number) => `<div style="height:${String(height)}px;background:blue"></div>`, 1500, 1500],
    ['that it does not scroll', (height: number) => `<div style="height:${String(height)}px;background:blue"></div>`, 300, 720],
    [
      'with a body as high as the viewport',
      (height: number) =>
        `<style>body{min-height:100vh;background:red}</style><div style="height:${String(height)}px;background:blue"></div>`,
      1500,
      1500,
    ],
    [
      'in a box of its own that scrolls',
      (height: number) =>
        `<style>html,body{height:100%;overflow:hidden}</style><main style="height:100vh;overflow:auto;background:red"><div style="height:${String(height)}px"><p style="margin:0;height:100%;background:blue"></p></div></main>`,
      1500,
      1500,
    ],
    [
      'and has an element as high as the viewport',
      (height: number) =>
        `<div style="height:100vh;background:blue"></div><div style="height:${String(height - 720)}px;background:blue"></div>`,
      1500,
      1500,
    ],
  ] as const)('is no higher than the second load: so short %s', async (_, html, second, height) => {
    let loads = 0;
    await using site = await openSite({ '/': () => page(html(++loads === 1 ? 5000 : second) + (loads === 1 ? '<p>first' : '')) });
    const picture = await render({ url: site.url('/') });
    expect([picture.width, picture.height]).toEqual([1280, height]);
    expect(isColour(picture.at(9, second - 1), BLUE)).toBe(true);
    if (height > second) expect(isColour(picture.at(9, second), WHITE)).toBe(true);
  });

  it('lets the wait conditions hold for the second load', async () => {
    const loadsSeen: number[] = [];
    await using site = await openSite({ '/': page('<div style="height:2000px">') });
    const wait = definePlugin({
      name: 'test-wait',
      apply({ hooks }) {
        hooks.waitFor.tapPromise('test-wait', async ({ page: { lifecycle } }) => {
          loadsSeen.push(site.requests.filter(({ url }) => url === '/').length);
          await lifecycle.reached('load');
          return { condition: 'test' };
        });
      },
    });
    await using waiting = createTestKernel({ plugins: [pixels, png, wait] });
    await waiting.render({ url: site.url('/'), full_page: true });
    expect(loadsSeen).toEqual([2]);
  });

  it('refuses a page with more pixels than a picture may have, before it loads it again', async () => {
    await using site = await openSite({ '/': page('<div style="height:300000px">') });
    await expect(render({ url: site.url('/') })).rejects.toMatchObject({ code: 'capture_too_large', status: 422 });
    expect(site.requests.filter(({ url }) => url === '/')).toHaveLength(1);
  });

  it('is white below a page that paints nothing', async () => {
    const { at, height } = await render({ url: dataUrl('<div style="height:2000px">') });
    expect(isColour(at(1279, height - 1), WHITE)).toBe(true);
  });
});
