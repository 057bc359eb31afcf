import { createTestKernel } from '@platen/kernel/testing';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import { afterAll, describe, expect, it } from 'vitest';
import { BLUE, dataUrl, decodePicture, expectColumn, GREEN, RED, WHITE, YELLOW } from '../pictures.js';
import view from '../view-plugin.js';

const host = createTestKernel({ plugins: [pixels, png, view] });
afterAll(() => host[Symbol.asyncDispose]());

async function render(params: Readonly<Record<string, unknown>>) {
  return decodePicture(await (await host.render({ full_page: true, ...params })).bytes());
}

const gap = (height: number, colour: string) => `<div style="height:${String(height)}px;background:${colour}"></div>`;

describe('a full page that scrolls in a box', () => {
  it.each([
    ['that is the body', 'html,body{height:100%;overflow-x:hidden}', 'div'],
    ['of an application', 'html,body{height:100%;overflow:hidden}main{height:100%;overflow:auto}', 'main'],
  ])('%s, and is higher than what the browser paints of a viewport', async (_, style, tag) => {
    const rows = gap(2900, 'red') + gap(2900, 'blue') + gap(100, 'green');
    const url = dataUrl(`<${tag}>${rows}</${tag}>`, `<style>${style}</style>`);
    const picture = await render({ url, view_scale: 3 });
    expect([picture.width, picture.height]).toEqual([3840, 17_700]);
    expectColumn(picture, 2000, [8700, RED], [8700, BLUE], [300, GREEN]);
  });

  it.each([
    ['100vh', '#root{height:100vh;overflow-y:auto}#hero{min-height:100vh}'],
    ['100% of a box that is fixed', '#root{position:fixed;inset:0;overflow-y:auto}#hero{min-height:100%}'],
    ['100% of a flexible box', 'body{height:100vh;display:flex;flex-direction:column}#root{flex:1;overflow-y:auto}#hero{min-height:100%}'],
  ])('and holds an element of %s: which keeps its height, with all that follows', async (_, style) => {
    const root = `<div id="root"><div id="hero" style="background:yellow"></div>${gap(2000, 'red')}${gap(100, 'blue')}</div>`;
    const picture = await render({ url: dataUrl(root, `<style>${style}</style>`) });
    expectColumn(picture, 600, [720, YELLOW], [2000, RED], [100, BLUE]);
  });

  it('and is hidden by its body', async () => {
    const url = dataUrl(gap(2000, 'red') + gap(100, 'blue'), '<style>html,body{height:100%;overflow:hidden}</style>');
    expectColumn(await render({ url }), 600, [2000, RED], [100, BLUE]);
  });

  it('and is all there where the page puts something beside the box once all of it is in view', async () => {
    const app = `<div id="app">${gap(1500, 'red')}${gap(500, 'blue')}<div id="end" style="height:10px;background:green"></div></div>`;
    const script =
      '<script>new IntersectionObserver(([e],o)=>{if(e.isIntersecting){o.disconnect();document.body.insertAdjacentHTML("afterbegin",`<div style="height:40px;background:yellow"></div>`)}}).observe(end)</script>';
    const url = dataUrl(app + script, '<style>html,body{height:100%}#app{height:100vh;overflow:auto}</style>');
    expectColumn(await render({ url }), 600, [40, YELLOW], [1500, RED], [500, BLUE], [10, GREEN]);
  });

  it('within a shadow root', async () => {
    const app = (slotted: string) =>
      dataUrl(
        `<x-app>${slotted}</x-app><script>customElements.define('x-app',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'open'}).innerHTML='<div style="height:100%;display:flex;flex-direction:column">${gap(100, 'yellow;flex:none').replaceAll('"', '\\x22')}<div style="flex:1;min-height:0;overflow:auto"><slot></slot></div></div>'.replaceAll('\\x22','"')}})</script>`,
        '<style>html,body{height:100%}x-app{display:block;height:100%}</style>',
      );
    const picture = await render({ url: app(gap(1500, 'red') + gap(500, 'blue')) });
    expectColumn(picture, 600, [100, YELLOW], [1500, RED], [500, BLUE]);
  });

  it.each([
    ['from its upper end', 'column'],
    ['from its lower end', 'column-reverse'],
  ])('of a height of its own, %s: which grows', async (_, direction) => {
    const style = `<style>main{display:flex;flex-direction:${direction};height:400px;overflow:auto;background:yellow}main div{flex:none}</style>`;
    const [first, last] = direction === 'column' ? [RED, BLUE] : [BLUE, RED];
    const picture = await render({ url: dataUrl(`<main>${gap(600, 'red')}${gap(600, 'blue')}</main>`, style) });
    expectColumn(picture, 600, [600, first], [600, last]);
  });

  it('that cannot grow adds nothing to the page', async () => {
    const style = '<style>main{overflow:auto;background:yellow}</style>';
    const body = `<main style="height:500px!important;max-height:500px!important;min-height:0!important">${gap(3000, 'red')}</main>`;
    const picture = await render({ url: dataUrl(body + gap(100, 'blue'), style) });
    expectColumn(picture, 600, [500, RED], [100, BLUE], [120, WHITE]);
  });
});
