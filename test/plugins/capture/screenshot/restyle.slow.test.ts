import { createTestKernel } from '@platen/kernel/testing';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import { afterAll, describe, expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { BLUE, dataUrl, decodePicture, expectColumn, GREEN, page, RED, YELLOW } from '../pictures.js';

const host = createTestKernel({ plugins: [pixels, png] });
afterAll(() => host[Symbol.asyncDispose]());

async function render(params: Readonly<Record<string, unknown>>) {
  return decodePicture(await (await host.render(params)).bytes());
}

const gap = (height: number | string, colour = 'white', more = '') =>
  `<div style="height:${typeof height === 'number' ? `${String(height)}px` : height};background:${colour}"${more}></div>`;
const IT = gap(1500) + gap(300, 'red', ' id="it"') + gap(1500);
const BAR = '<div style="position:fixed;inset:0;margin:auto;height:200px;background:blue"></div>';
const INSERT = (root: string) =>
  `<script>{const root=${root};(function next(){root.prepend(document.createElement('i'));requestAnimationFrame(next)})()}</script>`;

describe('what is changed for a picture is that element, wherever the page moves it', () => {
  it('a box that scrolls, before which something is inserted when the page is walked through', async () => {
    const style =
      '<style>html,body{height:100%}#app{height:100vh;overflow:auto}nav{position:fixed;inset:0 0 auto;height:50px;background:yellow}</style>';
    const app = `<div id="app">${gap('100vh', 'blue', ' id="hero"')}${gap(2000, 'red')}${gap(1000, 'green')}</div>`;
    const script =
      '<script>new IntersectionObserver(([e])=>{if(!e.isIntersecting&&!document.querySelector("nav"))document.body.prepend(document.createElement("nav"))}).observe(hero)</script>';
    const picture = await render({ url: dataUrl(app + script, style), full_page: true });
    expectColumn(picture, 600, [50, YELLOW], [670, BLUE], [2000, RED], [1000, GREEN]);
  });

  it('a fixed box, before which something is inserted in every frame', async () => {
    expectColumn(await render({ url: dataUrl(IT + BAR + INSERT('document.body')), image_selector: '#it' }), 600, [300, RED]);
  });

  it('a fixed box that is put into another place in every frame', async () => {
    const wrap = `${'<div class="outer"></div>'.repeat(20)}<script>{const bar=document.querySelector('[style*=fixed]'),outers=document.querySelectorAll('.outer');let n=0;(function next(){n+=1;outers[n%20].append(bar);requestAnimationFrame(next)})()}</script>`;
    expectColumn(await render({ url: dataUrl(IT + BAR + wrap), image_selector: '#it' }), 600, [300, RED]);
  });

  it('a fixed box in a shadow root', async () => {
    const widget = `<x-bar><template shadowrootmode="open">${BAR}</template></x-bar>`;
    const url = dataUrl(IT + widget + INSERT('document.querySelector("x-bar").shadowRoot'));
    expectColumn(await render({ url, image_selector: '#it' }), 600, [300, RED]);
  });

  it('a fixed box of a page that replaces the adopted style sheets', async () => {
    const replace = '<script>(function next(){document.adoptedStyleSheets=[];requestAnimationFrame(next)})()</script>';
    const url = dataUrl(IT + BAR + replace + INSERT('document.body'));
    expectColumn(await render({ url, image_selector: '#it' }), 600, [300, RED]);
  });
});

describe('a fixed box stays where it stood, however its page places it', () => {
  const bar = (css: string, inner = '') => `<div style="position:fixed;background:blue;width:400px;height:100px;${css}">${inner}</div>`;
  // Each fills the lowest 100 pixels of the window, in its middle.
  const bars = [
    ['translate in percent', bar('bottom:0;left:50%;translate:-50%')],
    ['translate in percent, both ways', bar('top:100%;left:50%;translate:-50% -100%')],
    ['translate in percent and pixels', bar('top:100%;left:50%;translate:calc(-50% + 10px) calc(-50% - 50px)')],
    ['translate by functions', bar('top:100%;left:50%;translate:min(-50%, 3px) clamp(-900px, -100%, max(0px, 5%)) 3px')],
    ['transform in percent', bar('top:100%;left:50%;transform:translate(-50%,-100%)')],
    ['translate, transform and scale', bar('top:100%;left:50%;translate:-50% -50%;transform:translate(0,-50%);scale:1 1')],
    ['scale', bar('bottom:0;left:540px;width:200px;height:50px;scale:2;transform-origin:50% 100%')],
    ['translate and scale', bar('bottom:0;left:640px;width:200px;height:50px;translate:-50% -50%;scale:2')],
    ['translate and rotate', bar('bottom:0;left:640px;translate:-50%;rotate:180deg')],
    ['translate, rotate and scale', bar('bottom:-150px;left:640px;width:100px;height:200px;translate:-50% -50%;rotate:90deg;scale:1 2')],
    ['zoom', bar('bottom:0;left:320px;width:200px;height:50px;translate:-50%;zoom:2')],
    ['a zoomed box around it', `<div style="zoom:0.5">${bar('bottom:0;left:1280px;width:800px;height:200px;translate:-50%')}</div>`],
    ['offset-path', bar("offset:path('M640 670 L1280 670') 0deg;left:0;top:0;translate:0 0")],
    [
      'an animation of translate that does not end',
      `<style>@keyframes stay{from,to{translate:-50% -100%}}</style>${bar('top:100%;left:50%;animation:stay 1s infinite')}`,
    ],
    ['a transition of translate', bar('bottom:0;left:50%;translate:-50%;transition:translate 1s')],
    ['margins', bar('inset:auto 0 0;margin:auto')],
    [
      'a fixed box in a fixed box',
      `<div style="position:fixed;inset:0">${bar('bottom:0;left:50%;translate:-50%', bar('inset:auto 0 0;margin:auto'))}</div>`,
    ],
    [
      'the top layer',
      `<dialog id="d" style="all:unset;${bar('bottom:0;left:50%;translate:-50%').split('"')[1] ?? ''}"></dialog><script>d.show()</script>`,
    ],
  ] as const;

  it.each(bars)('by %s', async (_, html) => {
    const url = dataUrl(gap(600) + gap(300, 'red', ' id="it"') + html + gap(1500));
    expectColumn(await render({ url, image_selector: '#it' }), 600, [20, RED], [100, BLUE], [180, RED]);
  });
});

describe('rows that wait out of sight', () => {
  const STYLE = '<style>.row{content-visibility:auto;height:2px;background:red}.gone{content-visibility:hidden}</style>';
  /** Tells the site how many rules of ours there are, and how many elements of the page were changed. */
  const TELL =
    '<script>let n=0;new MutationObserver((l)=>{n+=l.length}).observe(document,{attributes:true,subtree:true});addEventListener("scroll",()=>fetch(`/told?rules=${document.adoptedStyleSheets.reduce((sum,{cssRules})=>sum+cssRules.length,0)}&changes=${n}`))</script>';

  it.each([
    ['side by side', '<div class="row"></div>'.repeat(2000)],
    ['with others between them', '<div class="row"></div><hr style="margin:0;border:0">'.repeat(2000)],
    ['each in a box of its own', '<section><div class="row first"></div></section>'.repeat(2000)],
  ])('are laid out by a rule for all, and the page is not changed: %s', async (_, rows) => {
    await using site = await openSite({ '/told': '', '/': page(gap('100vh', 'blue') + rows + gap(100, 'green') + TELL, STYLE) });
    expectColumn(await render({ url: site.url('/'), full_page: true }), 600, [720, BLUE], [4000, RED], [100, GREEN]);
    const told = site.requests.flatMap(({ url }) => (url.startsWith('/told') ? [url] : []));
    expect(new Set(told)).toEqual(new Set(['/told?rules=1&changes=0']));
  });

  it('do not bring along what looks alike and stays hidden', async () => {
    const rows = '<div class="row"></div>'.repeat(100);
    const gone = '<div class="row gone"><div style="height:2px;background:blue"></div></div>'.repeat(50);
    const url = dataUrl(gap('100vh', 'yellow') + rows + gone + gap(100, 'green'), STYLE);
    expectColumn(await render({ url, full_page: true }), 600, [720, YELLOW], [300, RED], [100, GREEN]);
  });
});
