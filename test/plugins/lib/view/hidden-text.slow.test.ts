import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openViewProber, type ViewProber } from './view-prober.js';

let prober: ViewProber;
beforeAll(() => {
  prober = openViewProber();
});
afterAll(() => prober[Symbol.asyncDispose]());

async function read(body: string): Promise<string> {
  const html = `<!doctype html><style>body{margin:0;font:16px sans-serif;background:#fff}</style>${body}`;
  return (await prober.probe({ url: `data:text/html;charset=utf-8,${encodeURIComponent(html)}` })).text;
}

/** A long text wraps into several lines. */
const OBEY = 'obey this text '.repeat(40);
const GIF = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const COVER = '<div style="position:absolute;inset:0;background:#fff"></div>';

/** Ways to hide an element from users, as its style. */
const HIDDEN = [
  'font-size:1px',
  'font-size:2px',
  'font-size:1px;line-height:40px',
  'font-size:1px;letter-spacing:9px',
  'font-size:1px;writing-mode:vertical-rl;height:90px',
  'font-size:1px;transform:rotate(90deg);display:inline-block',
  'font-size:1px;transform:rotate(30deg);display:inline-block',
  'transform:scale(.05);display:inline-block',
  'zoom:.05',
  'color:transparent',
  'color:#12345600',
  'color:rgb(0 0 0 / 0)',
  'opacity:0',
  'filter:opacity(0)',
  'visibility:hidden',
  'position:absolute;left:-9999px',
  'position:absolute;top:-9999px',
  'position:fixed;left:-9999px',
  'display:inline-block;text-indent:-9999px;overflow:hidden;width:200px',
  'position:absolute;clip:rect(0,0,0,0)',
  'position:absolute;clip:rect(1px,1px,1px,1px);width:1px;height:1px;overflow:hidden',
  'position:absolute;width:1px;height:1px;overflow:hidden',
  'position:absolute;width:2px;height:2px;overflow:hidden',
  'display:inline-block;clip-path:inset(100%)',
  'display:inline-block;clip-path:inset(50%)',
  'display:inline-block;clip-path:circle(0)',
  'display:inline-block;clip-path:polygon(0 0,0 0,0 0)',
  'display:inline-block;height:0;overflow:hidden',
  'display:inline-block;height:2px;overflow:hidden',
  'display:inline-block;transform:scale(0)',
  'display:inline-block;translate:-9999px',
  'display:inline-block;content-visibility:hidden',
  'display:inline-block;mask-image:linear-gradient(transparent,transparent)',
];

/** Where hidden text may get into a line of its own or into another one. */
const CARRIERS: readonly (readonly [name: string, body: (style: string) => string])[] = [
  ['a paragraph', (style) => `<p style="${style}">${OBEY}</p>`],
  ['a part of a paragraph', (style) => `<p>Seen <span style="${style}">${OBEY}</span></p>`],
  ['below its style', (style) => `<div style="${style}"><div><b>${OBEY}</b></div></div>`],
  ['a part of a heading', (style) => `<h2>Seen <span style="${style}">${OBEY}</span></h2>`],
  ['a heading', (style) => `<h2 style="${style}">${OBEY}</h2>`],
  ['a part of a link', (style) => `<a href=/>Seen <span style="${style}">${OBEY}</span></a>`],
  ['a link in a heading', (style) => `<h2><a href=/>Seen <span style="${style}">${OBEY}</span></a></h2>`],
  ['a link', (style) => `<a href=/ style="${style}">${OBEY}</a>`],
  ['a part of a button', (style) => `<button>Seen <span style="${style}">${OBEY}</span></button>`],
  ['all of a button', (style) => `<button style="width:80px;height:20px"><span style="${style}">${OBEY}</span></button>`],
  ['a part of something clickable', (style) => `<div onclick="1">Seen <span style="${style}">${OBEY}</span></div>`],
  ['a cell', (style) => `<table><tr><th>Seen<td>Seen <span style="${style}">${OBEY}</span></table>`],
  ['a list item', (style) => `<ul><li>Seen <span style="${style}">${OBEY}</span><li>Seen</ul>`],
  ['a legend', (style) => `<fieldset><legend style="${style}">${OBEY}</legend><label><input type=radio> Seen</label></fieldset>`],
  ['the label of an element', (style) => `<div role=region aria-label="${OBEY}" style="${style}"><p>text</div>`],
  ['the label of a button', (style) => `<button aria-label="${OBEY}" style="${style};padding:0;border:0"></button>`],
];

describe('text that a user cannot see is not in the snapshot', () => {
  it.each(HIDDEN)('%s', async (style) => {
    const leaks: string[] = [];
    const text = await read(CARRIERS.map(([, body]) => `<div style="position:relative">${body(style)}</div>`).join('\n'));
    if (text.includes('obey')) {
      for (const [name, body] of CARRIERS) if ((await read(body(style))).includes('obey')) leaks.push(name);
    }
    expect(leaks).toEqual([]);
    expect(text.match(/Seen/g)?.length).toBeGreaterThan(5);
  });

  it.each(CARRIERS)('%s, covered', async (_name, body) => {
    const text = await read(`<div style="position:relative">${body('')}${COVER}</div><p>after`);
    expect(text).toContain('after');
    expect(text).not.toContain('obey');
  });

  it.each([
    ['the alternative of a tracking pixel', `<img src="${GIF}" width=1 height=1 alt="obey">`],
    ['the alternative of a transparent image', `<img src="${GIF}" width=99 height=99 alt="obey" style="opacity:0">`],
    [
      'the alternative of a hidden image in a link',
      `<a href=/>Seen <img src="${GIF}" width=99 height=99 alt="obey" style="opacity:0"></a>`,
    ],
    ['the label of a control of one pixel', '<a href=/ aria-label="obey" style="display:block;width:1px;height:1px"></a>'],
    ['the label of a transparent control', '<button aria-label="obey" style="opacity:0">x</button>'],
    ['the label of a control off the canvas', '<button aria-label="obey" style="position:absolute;left:-999px">x</button>'],
    ['a transparent field', '<input aria-label="obey" placeholder="obey" value="obey" style="opacity:0">'],
    ['a transparent list', '<select style="opacity:0"><option>obey</select>'],
    ['a hidden option', '<select><option>Seen<option hidden>obey<option style="display:none">obey</select>'],
    ['a hidden frame', '<iframe srcdoc="<p>obey" title="obey" style="opacity:0"></iframe>'],
    ['a frame of one pixel', '<iframe srcdoc="<p>obey" title="obey" width=1 height=1></iframe>'],
    ['in a frame', '<iframe srcdoc="<p>Seen<p style=color:#0000>obey<h2>Seen <b style=font-size:1px>obey</b></h2>"></iframe>'],
    ['in a frame that is scaled down', '<iframe srcdoc="<p>obey" style="transform:scale(.1)"></iframe>'],
    ['in a drawing', '<svg viewBox="0 0 100 100" width=100><text y=50 font-size=1>obey</text></svg>'],
    ['in a shadow root', '<p><template shadowrootmode=closed><h2>Seen <b style="font-size:1px">obey</b></h2></template></p>'],
    ['before an element', '<style>h2::before{content:"obey";opacity:0}</style><h2>Seen</h2>'],
    ['before a paragraph', '<style>p::before{content:"obey";font-size:1px}</style><p>Seen'],
  ])('%s', async (_name, body) => {
    const text = await read(`${body}<p>after`);
    expect(text).toContain('after');
    expect(text).not.toContain('obey');
  });
});

describe('text that a user can see stays', () => {
  it.each([
    ['a short word in small print', '<p style="font-size:8px">i', 'text "i"'],
    ['vertical text', '<p style="writing-mode:vertical-rl">Along', 'text "Along"'],
    ['rotated text', '<p style="rotate:90deg;width:99px">Upright', 'text "Upright"'],
    ['enlarged text', '<div style="width:9px;font-size:1px;transform:scale(20);transform-origin:0 0">Big</div>', 'text "Big"'],
    ['text of an enlarged drawing', '<svg viewBox="0 0 10 10" width=500><text y=5 font-size=1>Drawn</text></svg>', 'text "Drawn"'],
    ['dense text', `<p style="line-height:1px">One line`, 'text "One line"'],
    ['the rest of a name', '<a href=/>Cat <b style="opacity:0">a</b> and bat</a>', 'link "Cat and bat"'],
    ['one of two equal words', '<h2>Twice <b style="opacity:0">Twice</b></h2>', 'heading "Twice"'],
    [
      'the name of an icon',
      '<button><svg width=9 height=9><rect width=9 height=9 /></svg><i style="position:absolute;left:-999px">Close</i></button>',
      'button "Close"',
    ],
    ['the label of an icon', '<button aria-label="Close">×</button>', 'button "Close"'],
    [
      'the label of an icon with the same text',
      '<button aria-label="Close all">×<i style="opacity:0">Close</i></button>',
      'button "Close all"',
    ],
    ['the hidden label of a field', '<label for=q style="position:absolute;left:-999px">Search</label><input id=q>', 'textbox "Search"'],
    ['the label of a link over a card', '<a href=/ aria-label="Chair" style="display:block;height:99px"></a>', 'link "Chair"'],
    [
      'a hidden box that a label stands for',
      '<label><input type=checkbox style="opacity:0;position:absolute">Agree</label>',
      'checkbox "Agree"',
    ],
    ['text of a link without a height', '<a href=/ style="display:block;height:0">Floating</a>', 'link "Floating"'],
  ])('%s', async (_name, body, line) => {
    expect((await read(body)).replaceAll(/\[ref=e\d+\]/g, '')).toContain(line);
  });
});
