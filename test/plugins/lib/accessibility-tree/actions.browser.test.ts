import type { TreeNode } from '@platen/lib-accessibility-tree';
import { isInteractive } from '@platen/lib-accessibility-tree';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { named, openReader, type TreeReader } from './trees.js';

let reader: TreeReader;
beforeAll(() => {
  reader = openReader();
});
afterAll(() => reader[Symbol.asyncDispose]());

const markers = (nodes: readonly TreeNode[]): readonly string[] =>
  nodes.flatMap(({ cursor, role, name }) => (cursor === undefined ? [] : [`${cursor} ${role} ${name.trim()}`]));
const CLEAR = 'opacity:0;position:absolute';
const LISTEN = `document.querySelector('#x').addEventListener('click', () => {})`;

describe('what the tree leaves out or takes for a container', () => {
  it.each([
    ['a click listener', `<div id=x>go</div><script>${LISTEN}</script>`, ['clickable generic go']],
    ['a mouse listener', `<div id=x>go</div><script>x.addEventListener('mousedown', () => {})</script>`, ['clickable generic go']],
    [
      'items of a list that listens',
      `<ul id=x><li>one<li>two <a href="/">link</a></ul><ul><li>three</ul><script>${LISTEN}</script>`,
      ['clickable listitem one'],
    ],
    [
      'cells of a grid that listens',
      `<table role=grid><tbody id=x><tr><td role=gridcell>1<td role=gridcell>2</table><script>${LISTEN}</script>`,
      ['clickable rowgroup ', 'clickable gridcell 1', 'clickable gridcell 2'],
    ],
    [
      'what can be dragged, and where to',
      '<ul aria-label=To><li draggable=true>a</ul><ul aria-label=Done></ul><p draggable=false>b</p>',
      ['drag list To', 'drag listitem a', 'drag list Done'],
    ],
    ['a cursor for dragging', '<div style="cursor:grab">go</div>', ['clickable generic go']],
    ['an onclick attribute', '<div onclick="go()">go</div>', ['clickable generic go']],
    ['cursor:pointer', '<span style="cursor:pointer">go <b>now</b></span>', ['clickable generic go now']],
    ['tabindex', '<div tabindex=0>go</div><div tabindex=-1>not</div>', ['focusable generic go']],
    ['contenteditable', '<div contenteditable>text <b>bold</b></div>', ['editable generic text bold']],
    ['contenteditable=false', '<div contenteditable=false>text</div>', []],
    ['a custom element', `<my-button id=x>go</my-button><script>${LISTEN}</script>`, ['clickable generic go']],
    ['a picture', '<img alt=go src="data:," onclick="1" style="width:9px;height:9px">', ['clickable image go']],
    ['a container of a plugin', `<div id=x><object></object>go</div><script>${LISTEN}</script>`, ['clickable generic ']],
    ['a summary of nothing with a listener', '<summary onclick="1">go</summary>', ['clickable generic go']],
    ['a canvas', `<canvas id=x title=game></canvas><script>${LISTEN}</script>`, ['clickable Canvas game']],
    ['a label whose check box is hidden', '<label><input type=checkbox style="display:none">go</label>', ['clickable LabelText go']],
    [
      'a label around a radio button that is cut away',
      `<label><input type=radio style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)">Monthly</label>`,
      ['clickable generic Monthly'],
    ],
    ['a label around a transparent file field', `<label><input type=file style="${CLEAR}">Upload</label>`, ['clickable LabelText Upload']],
    ['a label whose check box is seen', '<label><input type=checkbox>go</label>', []],
    ['something hidden from assistive technology', '<div aria-hidden=true onclick="1">go</div>', ['clickable generic go']],
    ['something of role none', '<div role=none onclick="1">go</div>', ['clickable generic go']],
    ['a button hidden from assistive technology', '<button aria-hidden=true>go</button>', ['clickable generic go']],
    [
      'in an open shadow root',
      `<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<div style="cursor:pointer">go</div>'</script>`,
      ['clickable generic go'],
    ],
  ])('%s is added', async (_, body, expected) => {
    expect(markers(await reader.readBody(body))).toEqual(expected);
  });

  it.each([
    ['body with a listener', '<body onclick="1"><p>text'],
    ['a container that listens for its links', `<div id=x><a href=/1>1</a><a href=/2>2</a></div><script>${LISTEN}</script>`],
    ['a page that listens as a whole', `<div id=x style="min-height:100vh"><h1>t</h1><p>text</div><script>${LISTEN}</script>`],
    ['a plugin', '<object data="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width=9 height=9></object><embed src="data:text/html,x">'],
    ['a summary of nothing', '<summary>text</summary><details><summary>f</summary><summary>second</summary></details>'],
    ['what is in a link', '<a href=/><span style="cursor:pointer" onclick="1">go</span></a>'],
    ['what is in a button', `<button><b id=x>go</b></button><script>${LISTEN}</script>`],
    ['what is not displayed', '<div onclick="1" style="display:none">go</div>'],
    ['what is not visible', '<div onclick="1" style="visibility:hidden">go</div>'],
    ['what takes no clicks', '<div onclick="1" style="pointer-events:none">go</div>'],
    ['what is inert', '<div inert><div onclick="1">go</div></div>'],
    ['what is behind a modal dialog', '<div onclick="1">behind</div><dialog id=d>text</dialog><script>d.showModal()</script>'],
    [
      'ordinary controls',
      '<a href=/>a</a><a onclick="1">listens</a><button>b</button><input aria-label=c><select aria-label=d></select><textarea aria-label=e></textarea><details><summary>f</summary></details>',
    ],
  ])('%s is not', async (_, body) => {
    expect(markers(await reader.readBody(body))).toEqual([]);
  });

  it('is where it stands in the document, with what is in it in it', async () => {
    const nodes = await reader.readBody(
      '<p>before</p><section aria-label=s><p>one</p><div role=none onclick="1"><h2>head</h2><p>inner</p></div><p>two</p></section>',
    );
    expect(named(nodes, 's').children.map(({ role, cursor }) => cursor ?? role)).toEqual(['paragraph', 'clickable', 'paragraph']);
    const added = nodes.find(({ cursor }) => cursor === 'clickable');
    expect(added?.children.map(({ role }) => role)).toEqual(['heading', 'paragraph']);
    expect(added?.bounds?.width).toBeGreaterThan(0);
  });

  it('in an open modal dialog is still added', async () => {
    expect(markers(await reader.readBody('<dialog id=d><div onclick="1">go</div></dialog><script>d.showModal()</script>'))).toEqual([
      'clickable generic go',
    ]);
  });

  it.each([
    ['<input id=c type=checkbox style="opacity:0"><label for=c>go</label>', 'checkbox go'],
    [`<label><input type=radio style="${CLEAR}">go</label>`, 'radio go'],
    [`<label><input type=checkbox role=switch style="${CLEAR}"><i style="background:red"></i>I <b>go</b></label>`, 'switch I go'],
    [`<div style="width:9px;height:9px;background:red"><input type=checkbox aria-label=go style="${CLEAR}"></div>`, 'checkbox go'],
    [`<div>Size<input type=range aria-label=go style="${CLEAR}"></div>`, 'slider go'],
  ])('a transparent control that is drawn beside it is seen itself: %s', async (body, control) => {
    const nodes = await reader.readBody(body);
    const seen = nodes.filter(({ visible, role, cursor }) => visible && (cursor !== undefined || isInteractive(role)));
    expect(seen.map(({ role, name }) => `${role} ${name}`)).toEqual([control]);
  });

  it.each(['opacity:0', 'opacity:0;pointer-events:none', 'opacity:0;position:absolute;left:-999px'])(
    'one that is hidden with what is around it, or takes no clicks, is not: %s',
    async (style) => {
      const inside = style === 'opacity:0' ? `<div style="${style}"><input type=checkbox></div>` : `<input type=checkbox style="${style}">`;
      const nodes = await reader.readBody(`<p>x</p>${inside}`);
      expect(nodes.filter(({ role, visible }) => role === 'checkbox' && visible)).toEqual([]);
    },
  );
});

it('says of an option that it is chosen, also where nobody can choose it', async () => {
  const nodes = await reader.readBody(
    '<select><option disabled selected>Choose</option><option>a</option><option disabled>b</option></select>',
  );
  const options = nodes.filter(({ role }) => role === 'option');
  expect(options.map(({ state, visible }) => [state.selected, state.disabled, visible])).toEqual([
    [true, true, true],
    [false, undefined, false],
    [undefined, true, false],
  ]);
});
