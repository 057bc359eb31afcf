import { afterAll, beforeAll, expect, it } from 'vitest';
import { dataUrl } from '../actor/with-actor.js';
import { openViewProber, type ViewProber } from './view-prober.js';

const CUT = 'position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip:rect(0,0,0,0)';
const EDITOR = `<div style="position:relative;width:300px;height:60px">
  <textarea aria-label=Code style="position:absolute;width:1px;height:1px;padding:0;border:0;z-index:-10;color:transparent;resize:none"></textarea>
  <div aria-hidden=true style="position:absolute;inset:0;background:white"><div><span>const</span><span> a</span></div><div>let b</div></div></div>`;

let prober: ViewProber;
beforeAll(() => {
  prober = openViewProber();
});
afterAll(async () => {
  await prober[Symbol.asyncDispose]();
});

it.each([
  [
    'a price whose twin is out of sight',
    `<p>Price: <span style="${CUT}">$9.50</span><span aria-hidden=true>$<b>9</b><sup>.50</sup></span>`,
    ['text "Price: $9.50"'],
  ],
  [
    'text that is hidden in a link',
    `<a href=/>Kettle <span aria-hidden=true>4.2 stars</span></a>`,
    ['link "Kettle" [ref]', ' text "4.2 stars"'],
  ],
  [
    'the visible twin in a link',
    `<a href=/><span style="${CUT}">$9.50</span><span aria-hidden=true>$9<sup>.50</sup></span></a>`,
    ['link "$9.50" [ref]'],
  ],
  [
    'blocks in blocks',
    '<div aria-hidden=true>Hello <p>World <a href=/>go</a></p></div>',
    ['text "Hello"', 'text "World"', 'clickable "go" [ref]'],
  ],
  ['no cross in a button', '<button aria-label=Close><span aria-hidden=true>&times;</span></button>', ['button "Close" [ref]']],
  [
    'no name of an icon',
    '<button><i aria-hidden=true style="display:inline-block;font-size:20px;width:20px;overflow:hidden"><b style="letter-spacing:-99px">home</b></i>Start</button>',
    ['button "Start" [ref]'],
  ],
  [
    'nothing that is out of sight',
    '<p>a<span aria-hidden=true style="visibility:hidden">b</span><span aria-hidden=true style="opacity:0">c</span>',
    ['text "a"'],
  ],
  [
    'the state of a cut check box',
    `<label><input type=checkbox checked style="${CUT}"><span></span>News</label>`,
    ['checkbox "News" [ref] [checked]'],
  ],
  [
    'the state of a radio button that is not laid out',
    '<label><input type=radio hidden>A</label><label><input type=radio hidden checked>B</label>',
    ['radio "A" [ref]', 'radio "B" [ref] [checked]'],
  ],
  [
    'a switch beside its label',
    '<input type=checkbox role=switch id=c hidden disabled><label for=c>Wifi</label>',
    ['switch "Wifi" [ref] [disabled]'],
  ],
  ['the label of a hidden file field', '<label><input type=file hidden>Upload</label>', ['clickable "Upload" [ref]']],
  ['a code editor', EDITOR, ['textbox "Code" [ref]', 'text "const a"', 'text "let b"']],
  [
    'no content of a closed section',
    '<details><summary>More</summary><button>Erase</button></details><script>document.querySelector("button").offsetWidth</script>',
    ['summary "More" [ref] [expanded=false]'],
  ],
  [
    'that of an open one',
    '<details open><summary>More</summary><button>Erase</button></details>',
    ['summary "More" [ref] [expanded]', 'button "Erase" [ref]'],
  ],
  [
    'nothing until it is found',
    '<p>a<div hidden=until-found><button>x</button></div><script>document.querySelector("button").offsetWidth</script>',
    ['text "a"'],
  ],
])('a view has %s', async (_name, body, lines) => {
  const { text } = await prober.probe({ url: dataUrl(`<title>t</title>${body}`) }, { screenshot: false });
  expect(
    text
      .replaceAll(/\[ref=e\d+\]/g, '[ref]')
      .split('\n')
      .slice(2, -1),
  ).toEqual(lines);
});
