import { describe, expect, it } from 'vitest';
import { useContentReader } from './content-probe.js';

const words = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
const placed = (css: string, content: string) => `<div style="position:absolute;width:100px;${css}">${content}</div>`;
const VIEWPORT = '<meta name=viewport content="width=device-width">';

describe.each([
  ['emulated', { emulate_mobile: true, browser_width: 390, browser_height: 844 }],
  ['a device', { device: 'iPhone 13' }],
])('a phone shows all of the width of a page: %s', (_what, params) => {
  const read = useContentReader(params);

  it.each([
    ['body{overflow-x:hidden}', VIEWPORT],
    ['html,body{overflow-x:hidden}', VIEWPORT],
    ['html{overflow-x:hidden}', '<meta name=viewport content="width=600">'],
    ['html{overflow-x:hidden}', ''],
  ])('that is no wider for whom may scroll it, with %s %s', async (rule, viewport) => {
    expect(words(await read(`<p>a</p>${placed('left:1100px', 'b')}`, `${viewport}<style>${rule}</style>`))).toBe('a b');
  });

  it('but not of what is before its beginning, nor beside the window of a frame', async () => {
    const frame = `<style>html{overflow:hidden}</style>b${placed('left:900px', 'x')}`;
    const body = `<p>a</p>${placed('left:-500px', 'x')}<iframe width=300 height=200 srcdoc='<!doctype html>${frame}'></iframe>`;
    expect(words(await read(body, VIEWPORT))).toBe('a b');
  });
});
