import { describe, expect, it } from 'vitest';
import { useContentReader } from './content-probe.js';

const read = useContentReader();
const words = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
const scroll = (what: string, side = 'Top', end = '9e9') => `<script>addEventListener('load',()=>{${what}.scroll${side}=${end}})</script>`;
const messages = (css: string) => ['a', 'b', 'c', 'd', 'e'].map((name) => `<div style="${css}">${name}</div>`).join('');
const ALL = 'a b c d e';

describe('what stands elsewhere than its box is read where it is seen', () => {
  it.each([
    [
      'an application in a box without a height',
      '<div style="overflow:hidden"><div style="position:absolute;inset:0;overflow:auto"><h1>a</h1><p>b</div></div>',
      'a b',
    ],
    ['what is fixed in one', '<div style="overflow-x:hidden"><div style="position:fixed;inset:0"><p>a</div></div>', 'a'],
    ['but what flows in it', '<div style="overflow:hidden;height:0">x<p>y</p><b style="position:absolute;top:9px">a</b></div>', 'a'],
    [
      'and what the box holds itself',
      '<p>a</p><div style="overflow:hidden;height:0;position:relative"><b style="position:absolute">x</b></div>',
      'a',
    ],
    [
      'what is fixed in a box that holds what is absolute',
      '<div style="position:absolute;width:0;height:0;overflow:hidden"><i style="position:fixed;top:9px">a</i>x</div>',
      'a',
    ],
    [
      'the end of a log',
      `<div id=r style="height:200px;overflow:auto">${messages('position:relative;height:100px')}</div>${scroll('r')}`,
      ALL,
    ],
    [
      'the end of a log in the whole window',
      `<style>body{margin:0}main{height:100vh;overflow-y:auto}</style><main id=r>${messages('position:relative;height:500px')}</main>${scroll('r')}`,
      ALL,
    ],
    [
      'but not before its beginning',
      `<div style="height:200px;overflow:auto;position:relative"><b style="position:absolute;top:-500px">x</b>a</div>`,
      'a',
    ],
    [
      'slides of a carousel',
      `<div style="overflow:hidden"><div style="display:flex;transform:translateX(-200vw)">${messages('position:relative;flex:0 0 100vw')}</div></div>`,
      ALL,
    ],
    [
      'a body that scrolls',
      `<style>html{overflow:hidden;height:100%}body{margin:0;overflow:auto;height:100%}</style>${messages('height:500px')}${scroll('document.body')}`,
      ALL,
    ],
    [
      'what is fixed in a box that is moved',
      '<div style="transform:translateZ(0)"><div style="height:2000px">a</div><footer style="position:fixed;bottom:0">b</footer></div>',
      'a b',
    ],
    [
      'what is fixed in one with a filter',
      '<div style="filter:blur(0px)"><div style="height:2000px">a</div><footer style="position:fixed;bottom:0">b</footer></div>',
      'a b',
    ],
    [
      'what is fixed in one that will be moved',
      '<div style="will-change:transform"><div style="height:2000px">a</div><p style="position:fixed;top:1500px">b</div>',
      'a b',
    ],
    [
      'the tab of a drawer',
      '<div style="position:fixed;left:0;width:300px;height:99px;transform:translateX(-100%)"><a style="position:absolute;left:100%" href="/a">a</a><p>x</p><img src="data:," alt=y></div>',
      'a',
    ],
    ['what a margin brings back', '<div style="margin-left:-2000px"><p style="margin-left:2000px">a</div>', 'a'],
    [
      'what its place brings back',
      '<div style="position:absolute;left:-9999px">x<span style="position:relative;left:10050px">a</span></div>',
      'a',
    ],
    ['a hanging indent', '<p style="text-indent:-1000px;padding-left:1010px">a', 'a'],
    ['but no word outdented off the page', '<p>a</p><p style="text-indent:-9999px;overflow:hidden">x', 'a'],
    [
      'a column from its end',
      `<div style="height:200px;overflow:auto;display:flex;flex-direction:column-reverse">${messages('position:relative;flex:none;height:400px')}</div>`,
      ALL,
    ],
    [
      'a row from its end',
      `<div style="width:200px;overflow:auto;display:flex;flex-direction:row-reverse">${messages('position:relative;flex:none;width:900px')}</div>`,
      ALL,
    ],
    [
      'in a shadow tree',
      '<div style="overflow:hidden"><template shadowrootmode=open><div style="position:absolute;top:9px"><slot></slot></div></template><p>a</div>',
      'a',
    ],
    [
      'a drawing',
      '<div style="overflow:hidden"><svg style="position:absolute;top:9px" width=99 height=99><text y=20>a</text></svg></div>',
      'a',
    ],
  ])('%s', async (_what, body, seen) => {
    expect(words(await read(body))).toBe(seen);
  });

  it('pictures with it', async () => {
    const picture = 'data:image/svg+xml,<svg%20xmlns=%22http://www.w3.org/2000/svg%22%20width=%229%22%20height=%229%22/>';
    const image = (css: string) => `<img src='${picture}' alt=i width=9 height=9 style="position:absolute;${css}">`;
    const html = await read(`<div style="overflow:hidden">${image('left:9px')}${image('left:-99px')}</div>`);
    expect(html.match(/<img/g)).toHaveLength(1);
  });
});

describe('what appears by itself is read', () => {
  const rule = (from: string) => `<style>@keyframes f{from{${from}}}</style>`;
  it.each([
    ['fades in', `${rule('opacity:0')}<p style="animation:f 1000s 1000s both">a`, 'a'],
    [
      'fades in from a style of its own',
      '<style>@keyframes f{to{opacity:1}}</style><p style="opacity:0;animation:f 1000s 1000s forwards">a',
      'a',
    ],
    [
      'fades in by a transition',
      '<p id=r style="opacity:0;transition:opacity 1000s 1000s">a<script>r.offsetTop;r.style.opacity=1</script>',
      'a',
    ],
    ['is uncovered', `${rule('clip-path:inset(0 100% 0 0)')}<p style="animation:f 1000s 1000s both;clip-path:inset(0)">a`, 'a'],
    [
      'is uncovered by a mask',
      `${rule('mask-image:linear-gradient(transparent,transparent)')}<p style="animation:f 1000s 1000s both">a`,
      'a',
    ],
    [
      'is uncovered when it is scrolled to',
      '<p>a</p><div style="height:2000px"></div><p style="clip-path:inset(0 100% 0 0);transition:clip-path 1s">b',
      'a b',
    ],
    ['but for what only moves', '<style>@keyframes f{to{translate:9px}}</style><p>a</p><p style="opacity:0;animation:f 1000s">x', 'a'],
    [
      'and for what has faded out',
      '<style>@keyframes f{to{opacity:0}}</style><p>a</p><p style="animation:f 1ms forwards" id=r>x<script>r.getAnimations()[0].finish()</script>',
      'a',
    ],
  ])('%s', async (_what, body, seen) => {
    expect(words(await read(body))).toBe(seen);
  });
});

it('a card turned by `rotate` shows its other side', async () => {
  const side = (turn: string, text: string) => `<p style="backface-visibility:hidden;rotate:${turn}">${text}</p>`;
  const card = (turn: string) =>
    `<div style="transform-style:preserve-3d;rotate:${turn}">${side('none', 'a')}${side('y 180deg', 'b')}</div>`;
  expect(words(await read(card('none')))).toBe('a');
  expect(words(await read(card('y 180deg')))).toBe('b');
  expect(words(await read(card('0 2 0 -180deg')))).toBe('b');
  expect(words(await read(card('180deg')))).toBe('a');
});
