import { describe, expect, it } from 'vitest';
import { document, openContentProbe, useContentReader } from './content-probe.js';

const read = useContentReader();
const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
const DIALOG = '<dialog id=d><p>a</p></dialog><script>d.showModal()</script>';
const POPOVER = '<div id=d popover><p>a</p></div><script>d.showPopover()</script>';
const HOLDERS = [
  'opacity:0',
  'filter:opacity(0)',
  'mask-image:linear-gradient(transparent,transparent)',
  'clip-path:inset(50%)',
  'position:absolute;clip:rect(0 0 0 0)',
  'overflow:hidden;height:0;position:relative',
  'transform:scale(0);width:99px;height:99px',
  'transform:translateX(-3000px);overflow:hidden;height:0;width:99px',
  'position:absolute;left:-9999px',
  'contain:strict',
  'overflow:hidden;transform:translateZ(0);height:9px;width:9px',
];

describe('what is laid over everything else is read', () => {
  it.each(HOLDERS.flatMap((css) => [DIALOG, POPOVER].map((top) => [css, top])))('in a box of %s: %s', async (css, top) => {
    const lost = /opacity|mask|clip|scale|-9999/.test(css) ? 'x' : '';
    const picture = "<img alt=x width=9 height=9 src='data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22/>'>";
    const html = await read(`<p>b</p><div style="${css}"><p>${lost}</p>${lost === '' ? '' : picture}${top}</div>`);
    expect(plain(html)).toBe('b a');
    expect(html).not.toContain('<img');
  });

  it('within hidden boxes in one another', async () => {
    const body = `<div style="overflow:hidden;height:0"><p>x</p><div style="opacity:0">x<div style="scale:0">${DIALOG}</div>x</div></div>`;
    expect(plain(await read(`<p>b</p>${body}`))).toBe('b a');
  });

  it('with what is fixed in it, but without what it hides itself', async () => {
    const inside = '<i style="position:fixed;bottom:0">b</i><i style="position:absolute;left:-9999px">x</i><p style="opacity:0">x</p>';
    const body = `<div style="transform:translateX(-3000px);overflow:hidden;width:9px">${DIALOG.replace('</dialog>', `${inside}</dialog>`)}</div>`;
    expect(plain(await read(body))).toBe('a b');
  });

  it('in a shadow tree, with what is put into it', async () => {
    const shadow = '<template shadowrootmode=open><div style="opacity:0">x<dialog><slot></slot><p>b</dialog></div></template>';
    const body = `<div id=h>${shadow}a</div><script>h.shadowRoot.querySelector('dialog').showModal()</script>`;
    expect(plain(await read(body))).toBe('a b');
  });

  it.each([
    ['one in a part that is not displayed', `<div hidden>${DIALOG}</div>`],
    ['one in a closed part', `<details><summary>s</summary>${POPOVER}</details>`],
    ['one whose content is skipped', `<div style="content-visibility:hidden">${POPOVER}</div>`],
    ['one that is transparent itself', `<div style="opacity:0">${DIALOG.replace('id=d', 'id=d style="opacity:0"')}</div>`],
    ['one that was closed', `<div style="opacity:0">${POPOVER.replace('d.show', 'd.hidePopover();d.title;0&&d.show')}</div>`],
  ])('but not %s', async (_what, body) => {
    expect(plain(await read(`<p>s</p>${body}`)).replaceAll('s s', 's')).toBe('s');
  });

  it('where a selector asks for it or for a part of it', async () => {
    await using probe = openContentProbe();
    const url = document(`<div style="opacity:0"><div style="transform:scale(0)">${DIALOG}</div></div>`);
    for (const css of ['#d', '#d p']) {
      const { html } = await probe.capture(url, { selector: { css, parameter: 'selector' } });
      expect(plain(html)).toBe('a');
    }
  });
});
