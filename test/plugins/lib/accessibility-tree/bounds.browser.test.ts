import type { Rect } from '@platen/kernel';
import { expect, describe, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { flatten, named, openReader } from './trees.js';

const at = (left: number, top: number, css = '') =>
  `position:absolute;left:${String(left)}px;top:${String(top)}px;width:60px;height:24px;padding:0;border:0;margin:0;${css}`;
const PAGE = `<!doctype html><title>Boxes</title><body style="margin:0;height:4000px;width:1500px">
  <button id=plain style="${at(10, 20)}">plain</button>
  <button id=low style="${at(30, 3000)}">low</button>
  <button id=turned style="${at(200, 100, 'transform:rotate(30deg)')}">turned</button>
  <button id=scaled style="${at(300, 100, 'transform:scale(2.5)')}">scaled</button>
  <button id=fixed style="${at(400, 10, 'position:fixed')}">fixed</button>
  <button id=zoomed style="${at(250, 150, 'zoom:2')}">zoomed</button>
  <div id=scroller style="position:absolute;left:20px;top:200px;width:200px;height:100px;overflow:auto;border:3px solid"><div style="height:900px;width:700px;position:relative">
    <button id=inside style="${at(50, 400)}">inside</button></div></div>
  <div style="position:absolute;left:700px;top:20px;width:120px;columns:2"><a id=link href=/x>a link that is broken over several lines</a></div>
  <svg style="position:absolute;left:600px;top:300px" width=100 height=100 viewBox="0 0 50 50"><rect id=shape role=img aria-label=shape x=10 y=10 width=20 height=10 fill=red></rect></svg>
  <script>scroller.scrollTop = 120; scroller.scrollLeft = 30; scrollTo(15, 250)</script>`;

/** A frame of another process may have no size yet: Chromium then sometimes ignores `scrollTo`, so the frame scrolls again once it has one. */
const scrolled = (y: number) => `<script>scrollTo(0,${String(y)}); onload = onresize = () => scrollTo(0,${String(y)})</script>`;

const NAMES = ['plain', 'low', 'turned', 'scaled', 'fixed', 'zoomed', 'inside', 'a link that is broken over several lines', 'shape'];
const ids: Readonly<Record<string, string>> = { 'a link that is broken over several lines': 'link' };

function expectClose(given: Rect | null, expected: Rect): void {
  for (const side of ['x', 'y', 'width', 'height'] as const)
    expect(Math.abs((given?.[side] ?? NaN) - expected[side]), `${side}: ${JSON.stringify([given, expected])}`).toBeLessThan(0.6);
}

describe('bounds', () => {
  it.each([
    ['at scale 1', {}, false],
    ['at scale 2', { device_scale_factor: 2 }, false],
    ['in a browser of scale 2', { device_scale_factor: 2 }, true],
    [
      'in a mobile viewport that is zoomed out',
      { emulate_mobile: true, device_scale_factor: 3, browser_width: 390, browser_height: 844 },
      false,
    ],
  ])('are what getBoundingClientRect says, with scrolling added, %s', async (_, params, scaled) => {
    await using site = await openSite({ '/': PAGE });
    await using reader = openReader({ scaled });
    const { tree, rects } = await reader.read({ url: site.url('/'), ...params });
    const nodes = flatten(tree.root);
    for (const name of NAMES) {
      const { bounds } = named(nodes, name, name === 'shape' ? 'image' : undefined);
      const expected = rects[ids[name] ?? name];
      for (const side of ['x', 'y', 'width', 'height'] as const) {
        expect(
          Math.abs((bounds?.[side] ?? NaN) - (expected?.[side] ?? NaN)),
          `${name}.${side}: ${JSON.stringify([bounds, expected])}`,
        ).toBeLessThan(0.2);
      }
    }
  });

  it.each([
    ['of the same process', '127.0.0.1', {}, false],
    ['of another process', 'localhost', {}, false],
    ['of another process at scale 2', 'localhost', { device_scale_factor: 2 }, false],
    ['of another process in a browser of scale 2', 'localhost', { device_scale_factor: 2 }, true],
  ])('in frames %s are those of the page: borders, paddings, scrolling and nesting counted', async (_, host, params, scaled) => {
    await using site = await openSite({
      '/': () =>
        `<!doctype html><body style="margin:0;height:3000px"><iframe src="${site.url('/nest', host)}" style="position:absolute;left:100px;top:400px;width:500px;height:300px;border:7px solid;padding:11px"></iframe><script>scrollTo(0,130)</script>`,
      '/nest':
        () => `<!doctype html><body style="margin:0;height:2000px"><button style="${at(40, 50)}">first</button><iframe src="${site.url('/deep')}" style="position:absolute;left:30px;top:200px;width:200px;height:100px;border:2px solid;transform-origin:0 0;transform:scale(.5)"></iframe>
        ${scrolled(60)}`,
      '/deep': `<!doctype html><body style="margin:0"><button style="${at(20, 10)}">second</button>`,
    });
    await using reader = openReader({ scaled });
    const { tree } = await reader.read({ url: site.url('/'), ...params });
    const nodes = flatten(tree.root);
    expect(named(nodes, 'first').bounds).toEqual({ x: 100 + 7 + 11 + 40, y: 400 + 7 + 11 + 50 - 60, width: 60, height: 24 });
    expect(named(nodes, 'second').bounds).toEqual({ x: 118 + 30 + (2 + 20) / 2, y: 418 - 60 + 200 + (2 + 10) / 2, width: 30, height: 12 });
  });

  it.each([
    ['of the same process', '127.0.0.1'],
    ['of another process', 'localhost'],
  ])('in frames %s that are zoomed count the zoom once', async (_, host) => {
    await using site = await openSite({
      '/': () =>
        `<!doctype html><body style="margin:0"><div style="zoom:1.5"><iframe src="${site.url('/nest', host)}" style="position:absolute;left:100px;top:40px;width:400px;height:300px;border:4px solid;padding:6px;zoom:2"></iframe></div>`,
      '/nest':
        () => `<!doctype html><body style="margin:0;height:2000px"><button style="${at(20, 30)}">first</button><button style="${at(20, 60, 'zoom:1.5')}">own</button>
        <iframe src="${site.url('/deep')}" style="position:absolute;left:40px;top:200px;width:200px;height:100px;border:2px solid;transform-origin:0 0;transform:scale(.5);zoom:1.25"></iframe>${scrolled(10)}`,
      '/deep': `<!doctype html><body style="margin:0"><button style="${at(20, 8)}">second</button>`,
    });
    await using reader = openReader();
    const nodes = flatten((await reader.read({ url: site.url('/') })).tree.root);
    const left = 3 * (100 + 4 + 6);
    const top = 3 * (40 + 4 + 6 - 10);
    expect(named(nodes, 'first').bounds).toEqual({ x: left + 3 * 20, y: top + 3 * 30, width: 3 * 60, height: 3 * 24 });
    expect(named(nodes, 'own').bounds).toEqual({ x: left + 4.5 * 20, y: top + 4.5 * 60, width: 4.5 * 60, height: 4.5 * 24 });
    const deep = 3.75 / 2;
    // The browser gives the size before the transformation in whole pixels.
    expectClose(named(nodes, 'second').bounds, {
      x: left + 3.75 * 40 + deep * (2 + 20),
      y: top + 3.75 * 200 + deep * (2 + 8),
      width: deep * 60,
      height: deep * 24,
    });
  });

  it.each([
    ['the body is zoomed', 'zoom:1.5', 1.5],
    ['the body is zoomed a little', 'zoom:1.02', 1.02],
  ])('in a frame are zoomed once where %s', async (_, css, zoom) => {
    await using reader = openReader();
    const inner = `<body style='margin:0'><button style='${at(20, 10)}'>go</button>`;
    const nodes = await reader.readBody(
      `<body style="margin:0;${css}"><iframe srcdoc="${inner}" style="border:0;position:absolute;left:10px;top:20px"></iframe>`,
    );
    expectClose(named(nodes, 'go').bounds, { x: 30 * zoom, y: 30 * zoom, width: 60 * zoom, height: 24 * zoom });
  });

  it.each([
    ['from right to left', '<html dir=rtl><body style="margin:0"><div style="width:3000px;height:50px">x', { x: -1720, y: 0, width: 3000 }],
    [
      'whose body runs from right to left',
      '<body dir=rtl style="margin:0"><div style="width:3000px;height:50px">x',
      { x: -1720, y: 0, width: 3000 },
    ],
    [
      'whose body runs against it',
      '<html dir=rtl><body dir=ltr style="margin:0"><div style="width:3000px;height:50px">x',
      { x: 0, y: 0, width: 3000 },
    ],
    [
      'in columns from right to left',
      '<body style="margin:0;writing-mode:vertical-rl"><div style="width:3000px;height:50px">x',
      { x: -1720, y: 0, width: 3000 },
    ],
    [
      'in columns from below',
      '<html dir=rtl><body style="margin:0;writing-mode:vertical-lr"><div style="width:3000px;height:2000px">x',
      { x: 0, width: 3000, height: 2000 },
    ],
  ])("of a document %s: the root's hold all that it can be scrolled to", async (_, body, expected) => {
    await using reader = openReader();
    const [root] = await reader.readBody(body);
    expect(root?.bounds).toMatchObject(expected);
    const { y = NaN, height = NaN } = root?.bounds ?? {};
    expect(y === 0 || y + height < 2000).toBe(true);
  });

  it('are null for what has no box, and the whole document for the root', async () => {
    await using reader = openReader();
    const nodes = await reader.readBody(
      '<body style="margin:0"><select aria-label=s><option>hidden option</select><div style="height:3000px"></div>',
    );
    expect(named(nodes, 'hidden option').bounds).toBeNull();
    expect(nodes[0]?.bounds).toMatchObject({ x: 0, y: 0, width: 1280 });
    expect(nodes[0]?.bounds?.height).toBeGreaterThan(3000);
  });

  it.each([
    ['at scale 1', '', { x: 108, y: 208 }, 1, 'alt=map'],
    ['that is zoomed', 'zoom:2', { x: 216, y: 416 }, 2, ''],
    ['that is scaled', 'transform-origin:0 0;transform:scale(.5)', { x: 79, y: 154 }, 0.5, 'alt=map'],
  ])('of areas of an image map are where they lie on a picture %s', async (_, css, corner, scale, alt) => {
    const area = (alt: string, attributes: string) => `<area alt=${alt} href=http://a.test/${alt} ${attributes}>`;
    const areas = [
      area('rectangle', 'coords="60,80 10;20"'),
      area('circle', 'shape=CIRCLE coords=100,50,20'),
      area('polygon', 'shape=poly coords=150,0,190,30,150,60'),
      area('edge', 'coords=190,90,999,999'),
      area('default', 'shape=default'),
      area('outside', 'coords=300,0,310,10'),
      area('wrong', 'shape=poly coords=1,2,3,4'),
    ];
    await using reader = openReader();
    const nodes = await reader.readBody(
      `<body style="margin:0"><map name=m>${areas.join('')}</map><div style="position:absolute;left:50px;top:100px;${css}">
        <img usemap=#m ${alt} width=200 height=100 style="position:absolute;left:50px;top:100px;border:5px solid;padding:3px"></div>`,
    );
    const on = (x: number, y: number, width: number, height: number) => ({
      x: corner.x + scale * x,
      y: corner.y + scale * y,
      width: scale * width,
      height: scale * height,
    });
    const links = nodes.filter(({ role }) => role === 'link');
    const seen = links.filter(({ visible }) => visible).map(({ name }) => name);
    expect(seen).toEqual(['rectangle', 'circle', 'polygon', 'edge', 'default']);
    expectClose(named(nodes, 'rectangle').bounds, on(10, 20, 50, 60));
    expectClose(named(nodes, 'circle').bounds, on(80, 30, 40, 40));
    expectClose(named(nodes, 'polygon').bounds, on(150, 0, 40, 60));
    expectClose(named(nodes, 'edge').bounds, on(190, 90, 10, 10));
    expectClose(named(nodes, 'default').bounds, on(0, 0, 200, 100));
  });

  it('of areas of an image map say what a person sees of them', async () => {
    const area = (name: string, coords: string) => `<area alt=${name} href=http://a.test/ coords=${coords}>`;
    const picture = '<img usemap=#m style="display:block;background:red" width=200 height=200>';
    const cover = '<div style="position:absolute;top:0;left:0;width:500px;height:100px;background:#fff"></div>';
    await using reader = openReader();
    const nodes = await reader.readBody(
      `<body style="margin:0"><map name=m>${area('under', '0,0,99,50')}${area('beside', '0,120,99,150')}${area('cut', '0,170,99,190')}</map>
        <div style="overflow:hidden;height:160px">${picture}</div>${cover}`,
    );
    expect(['under', 'beside', 'cut'].map((name) => named(nodes, name).visible)).toEqual([false, true, false]);
  });

  it('of areas of an image map lie on the first picture that uses it, by what follows the first #', async () => {
    const picture = (map: string, css: string) => `<img usemap="${map}" style="display:block;background:red;${css}" width=200 height=200>`;
    const map = (name: string) => `<map name=${name}><area alt=${name} href=http://a.test/ coords=0,0,50,50></map>`;
    await using reader = openReader();
    const nodes = await reader.readBody(
      `<body style="margin:0">${map('m')}${map('n')}${picture('#m', '')}${picture('#m', '')}${picture('page.html#n', '')}`,
    );
    expect(named(nodes, 'm')).toMatchObject({ visible: true, bounds: { x: 0, y: 0 } });
    expect(named(nodes, 'n')).toMatchObject({ visible: true, bounds: { x: 0, y: 400 } });
  });
});
