import { createTestKernel } from '@platen/kernel/testing';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import { afterAll, describe, expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { BLUE, dataUrl, decodePicture, expectColumn, GREEN, page, RED, svg, WHITE, YELLOW } from '../pictures.js';
import view from '../view-plugin.js';

const host = createTestKernel({ plugins: [pixels, png, view] });
afterAll(() => host[Symbol.asyncDispose]());

async function render(params: Readonly<Record<string, unknown>>) {
  return decodePicture(await (await host.render(params)).bytes());
}

const gap = (height: number | string, colour = 'white', more = '') =>
  `<div style="height:${typeof height === 'number' ? `${String(height)}px` : height};background:${colour}"${more}></div>`;

describe('what the page hides stays hidden, and what it shows is shown', () => {
  it('in an article that is cut off until one reads more', async () => {
    const article = `<div style="max-height:400px;overflow:hidden"><div id="it">${gap(300, 'red')}${gap(900, 'blue')}</div></div>`;
    const picture = await render({ url: dataUrl(gap(900) + article + gap(2000, 'green')), image_selector: '#it' });
    expect([picture.width, picture.height]).toEqual([1280, 1200]);
    expectColumn(picture, 600, [300, RED], [100, BLUE], [800, GREEN]);
  });

  it('in a card that is smaller than its picture', async () => {
    const card = `<div style="width:400px;height:300px;overflow:hidden"><div id="it" style="width:480px;height:600px">${gap(200, 'red')}${gap(400, 'blue')}</div></div>`;
    const picture = await render({ url: dataUrl(gap(300) + card + gap(2000, 'green')), image_selector: '#it' });
    expect([picture.width, picture.height]).toEqual([480, 600]);
    expectColumn(picture, 200, [200, RED], [100, BLUE], [300, GREEN]);
    expectColumn(picture, 440, [300, WHITE], [300, GREEN]);
  });

  it('in a hidden box within one that the user scrolls', async () => {
    const card = `<div style="height:300px;overflow:hidden"><div id="it">${gap(200, 'red')}${gap(400, 'blue')}</div></div>`;
    const main = `<main style="height:700px;overflow:auto">${gap(3000)}${card}${gap(2000, 'green')}</main>`;
    expectColumn(await render({ url: dataUrl(main), image_selector: '#it' }), 200, [200, RED], [100, BLUE], [200, GREEN], [100, WHITE]);
  });
});

describe('an element in a box that scrolls within a shadow root', () => {
  const app = (slotted: string) =>
    dataUrl(
      `<x-app>${slotted}</x-app><script>customElements.define('x-app',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'open'}).innerHTML='<div style="height:100%;display:flex;flex-direction:column">${gap(100, 'yellow;flex:none').replaceAll('"', '\\x22')}<div style="flex:1;min-height:0;overflow:auto"><slot></slot></div></div>'.replaceAll('\\x22','"')}})</script>`,
      '<style>html,body{height:100%}x-app{display:block;height:100%}</style>',
    );

  it('is shown as a whole', async () => {
    const picture = await render({ url: app(`<div id="it">${gap(1500, 'red')}${gap(500, 'blue')}</div>`), image_selector: '#it' });
    expectColumn(picture, 600, [1500, RED], [500, BLUE]);
  });
});

describe('a page that moves as it is scrolled', () => {
  const HEAD = gap(120, 'yellow', ' id="head"');
  const FIXED =
    '<script>addEventListener("scroll",()=>{head.style.cssText=scrollY>50?"background:yellow;position:fixed;top:0;left:0;right:0;height:60px":"background:yellow;height:120px"})</script>';
  const rows = `<div style="background:red">${'<p style="margin:0;height:50px"></p>'.repeat(20)}</div>`;

  it('a head that leaves the flow shifts nothing in an element that is captured in strips', async () => {
    const all = `<div id="it">${gap('100vh', 'blue')}${rows}${gap(100, 'green')}</div>`;
    const picture = await render({ url: dataUrl(HEAD + all + gap(900) + FIXED), image_selector: '#it' });
    expectColumn(picture, 600, [720, BLUE], [1000, RED], [100, GREEN]);
  });

  it('nor around a frame of another site in a full page', async () => {
    await using site = await openSite({
      '/red': '<body style="background:red;margin:0">',
      '/': () =>
        page(
          `${HEAD}${gap('100vh', 'blue')}${gap(900, 'green')}<iframe src="http://localhost:${String(site.port)}/red" style="display:block;border:0;width:100%;height:300px"></iframe>${gap(900, 'blue')}${FIXED}`,
        ),
    });
    const picture = await render({ url: site.url('/'), full_page: true });
    expectColumn(picture, 600, [120, YELLOW], [720, BLUE], [900, GREEN], [300, RED], [900, BLUE]);
  });

  it('an element that is pushed on whenever it comes into view is captured where it is then', async () => {
    const endless =
      '<script>new IntersectionObserver((l)=>{if(l[0].isIntersecting)main.insertAdjacentHTML("beforeend","<p style=\'margin:0;height:1000px\'></p>")}).observe(it)</script>';
    const url = dataUrl(`<main id="main">${gap(1000)}</main>${gap(100, 'red', ' id="it"')}${endless}`);
    expectColumn(await render({ url, image_selector: '#it' }), 600, [100, RED]);
  });
});

describe('what shows itself when it is scrolled to is waited for', () => {
  it('a transition that begins late', async () => {
    const style = '<style>#it{opacity:0;transition:opacity .6s .2s}#it.in{opacity:1}</style>';
    const script = '<script>new IntersectionObserver(([e])=>{if(e.isIntersecting)it.className="in"}).observe(it)</script>';
    const url = dataUrl(gap(1500) + gap(300, 'red', ' id="it"') + gap(1500) + script, style);
    expectColumn(await render({ url, image_selector: '#it' }), 600, [300, RED]);
  });

  it('also in an element that is in sight already', async () => {
    const style = '<style>#it{opacity:0;transition:opacity .6s}#it.in{opacity:1}</style>';
    const script = '<script>new IntersectionObserver(([e])=>{if(e.isIntersecting)it.className="in"}).observe(it)</script>';
    const url = dataUrl(gap(100) + gap(300, 'red', ' id="it"') + script, style);
    expectColumn(await render({ url, image_selector: '#it' }), 600, [300, RED]);
  });

  it('a lazy image that fades in when it has loaded', async () => {
    await using site = await openSite({
      '/image.svg': svg('red'),
      '/': page(
        `${gap(9000)}<img id="it" loading="lazy" src="/image.svg" style="display:block;width:400px;height:300px;opacity:0;transition:opacity .8s" onload="this.style.opacity=1">${gap(9000)}`,
      ),
    });
    const { at } = await render({ url: site.url('/'), image_selector: '#it' });
    expect(at(10, 10)).toEqual([...RED, 255]);
  });

  it('but not an animation without an end', async () => {
    const style = '<style>@keyframes turn{from{outline-color:red}}#it{animation:turn 1s infinite}</style>';
    const url = dataUrl(gap(1500) + gap(300, 'red', ' id="it"') + gap(1500), style);
    expectColumn(await render({ url, image_selector: '#it' }), 600, [300, RED]);
  });
});

describe('an element that others move as it is scrolled to is captured where it comes to rest', () => {
  const ROWS = gap(1500) + gap(300, 'red', ' id="it"') + gap(1500);
  const PROMO = gap(80, 'yellow;transition:height .5s', ' id="promo"');
  const onScroll = (script: string) => `<script>addEventListener('scroll',()=>{if(scrollY>50){${script}}})</script>`;
  const LONG = PROMO.replace('80px', '900px');

  it.each([
    [
      'a head that becomes less high, with a transition',
      `<div id="head" style="position:sticky;top:0;height:160px;background:yellow;transition:height .4s"></div>${ROWS}${onScroll('head.style.height="60px"')}`,
    ],
    ['a banner that is folded up', PROMO + ROWS + onScroll('promo.style.height=0')],
    ['a banner so high that the element is carried out of view', LONG + ROWS + onScroll('promo.style.height=0')],
    [
      'an animation in a shadow tree',
      `<x-b><template shadowrootmode="open">${PROMO}</template></x-b>${ROWS}${onScroll('document.querySelector("x-b").shadowRoot.firstChild.style.height=0')}`,
    ],
    [
      'a script, frame by frame',
      `${PROMO}${ROWS}${onScroll('if(!window.on){on=1;let h=80;(function fold(){promo.style.height=(h-=4)+"px";if(h>0)requestAnimationFrame(fold)})()}')}`.replace(
        'transition:height .5s',
        '',
      ),
    ],
    [
      'one after the other',
      `${PROMO}${ROWS}${onScroll('if(!window.on){on=1;promo.ontransitionend=()=>{promo.ontransitionend=null;promo.style.height="200px"};promo.style.height=0}')}`,
    ],
    [
      'a banner, beside what never ends',
      `<style>@keyframes turn{to{rotate:1turn}}</style><div style="position:fixed;top:0;width:9px;height:9px;animation:turn 1s infinite"></div>${PROMO}${ROWS}${onScroll('promo.style.height=0')}`,
    ],
    [
      'a banner, below a fixed box of which all changes have transitions',
      `<div style="position:fixed;inset:0;margin:auto;height:200px;background:blue;transition:all .5s"></div>${PROMO}${ROWS}${onScroll('promo.style.height=0')}`,
    ],
  ])('%s', async (_, body) => {
    expectColumn(await render({ url: dataUrl(body), image_selector: '#it' }), 600, [300, RED]);
  });
});

it('an element in a closed <details> is refused, with the reason', async () => {
  const url = dataUrl(`<details><summary>more</summary>${gap(300, 'red', ' id="it"')}</details>${gap(900, 'blue')}`);
  const failure = render({ url, image_selector: '#it' });
  await expect(failure).rejects.toMatchObject({ code: 'selector_empty', status: 422 });
  await expect(failure).rejects.toThrow(/closed <details>/);
});

describe('an element that is larger than a box which scrolls it', () => {
  it('is shown as a whole where the box takes a part of what the viewport grows by', async () => {
    const modal = `<div style="position:fixed;top:50%;left:50%;transform:translate(-50%,-50%);max-height:80vh;width:500px;overflow:auto"><div id="it">${gap(1000, 'red')}${gap(500, 'blue')}</div></div>`;
    expectColumn(await render({ url: dataUrl(modal + gap(3000)), image_selector: '#it' }), 200, [1000, RED], [500, BLUE]);
  });

  it('is cropped as the box crops it where no viewport shows more of it', async () => {
    const wrapper = `<div style="width:600px;overflow-x:auto"><div id="it" style="width:900px">${gap(100, 'red')}</div></div>`;
    const picture = await render({ url: dataUrl(gap(1500) + wrapper + gap(1500, 'blue')), image_selector: '#it' });
    expect([picture.width, picture.height]).toEqual([600, 100]);
    expectColumn(picture, 599, [100, RED]);
  });

  it('is refused where the box shows its end', async () => {
    const box = `<div id="box" style="height:400px;overflow:auto"><div id="it">${gap(2000, 'red')}</div></div><script>box.scrollTop=9999</script>`;
    const failure = render({ url: dataUrl(box), image_selector: '#it' });
    await expect(failure).rejects.toMatchObject({ code: 'capture_too_large', status: 422 });
    await expect(failure).rejects.toThrow(/request a smaller element, or the box/);
  });

  it('is refused with the bound where the viewport would be too large', async () => {
    const url = dataUrl(`<main style="height:100vh;overflow:auto"><div id="it">${gap(17_000, 'red')}</div></main>`);
    await expect(render({ url, image_selector: '#it' })).rejects.toThrow(/17000 device pixels, more than the maximum of 16384/);
    const doubled = dataUrl(`<main style="height:100vh;overflow:auto"><div id="it">${gap(9000, 'red')}</div></main>`);
    await expect(render({ url: doubled, image_selector: '#it', view_scale: 2 })).rejects.toThrow(/a lower "device_scale_factor"/);
  });
});
