import type { Rect } from '@platen/kernel';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openViewProber, type Probed, type ProbeOptions, type ViewProber } from './view-prober.js';

let prober: ViewProber;
beforeAll(() => {
  prober = openViewProber();
});
afterAll(() => prober[Symbol.asyncDispose]());

const SECRET = 'hunter two';
const redact = (text: string): string => text.replaceAll(SECRET, '***').replaceAll('hunter%20two', '***');

const probe = (body: string, options: ProbeOptions): Promise<Probed> => {
  const html = `<!doctype html><style>body{margin:0;background:#fff;font:16px/20px sans-serif}</style>${body}`;
  return prober.probe({ url: `data:text/html;charset=utf-8,${encodeURIComponent(html)}` }, options);
};

const at = (y: number): string =>
  `style="position:absolute;left:20px;top:${String(y)}px;width:300px;height:20px;margin:0;border:0;padding:0"`;
const rectAt = (y: number): Rect => ({ x: 20, y, width: 300, height: 20 });

/** What a page writes, the lines of its snapshot, and the masks, of which texts give the upper left corner alone. */
const REDACTED: readonly (readonly [what: string, body: string, line: string, mask: Partial<Rect> | undefined])[] = [
  ['the title', `<title>${SECRET}</title>`, 'Page: ***', undefined],
  ['a text', `<p ${at(40)}>Hello ${SECRET}`, 'text "Hello ***"', { x: 20 }],
  ['a text over two lines', `<p ${at(40)}>hunter\n two`, 'text "***"', { x: 20 }],
  ['a value', `<input aria-label=User value="${SECRET}" ${at(40)}>`, 'textbox "User" [ref] value="***"', rectAt(40)],
  ['a placeholder', `<input placeholder="${SECRET}" ${at(40)}>`, 'textbox "***" [ref]', rectAt(40)],
  ['a name', `<button ${at(40)}>${SECRET}</button>`, 'button "***" [ref]', rectAt(40)],
  [
    'the selected option',
    `<select ${at(40)}><option>${SECRET}</select>`,
    'combobox [ref] [expanded=false] value="***" options=["***"]',
    rectAt(40),
  ],
  [
    'the URL of a link',
    `<a href="/${encodeURIComponent(SECRET)}" ${at(40)}>x</a>`.replace('href="', 'href="http://a.test'),
    'link "x" [ref] url=http://a.test/***',
    undefined,
  ],
  [
    'an alternative',
    `<img alt="${SECRET}" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>" ${at(40)}>`,
    'image "***"',
    rectAt(40),
  ],
  ['below the viewport', `<button ${at(900)}>${SECRET}</button>`, 'button "***" [ref]', undefined],
  ['invisible', `<button ${at(40).replace('style="', 'style="opacity:0;')}>${SECRET}</button><p>after`, 'text "after"', undefined],
];

describe('a secret', () => {
  it.each(REDACTED)('%s: is redacted, and its box a mask', async (_what, body, line, mask) => {
    const { text, masks } = await probe(body, { redact });
    expect(text).not.toMatch(/hunter/);
    expect(text.replaceAll(/\[ref=e\d+\]/g, '[ref]').split('\n')).toContain(line);
    expect(masks).toHaveLength(mask === undefined ? 0 : 1);
    if (mask !== undefined) expect(masks[0]).toMatchObject(mask);
  });

  it('has a mask of the innermost element, also if the text has no room for it', async () => {
    const row = `<table ${at(40)}><tr><td>${SECRET}<td><button>Remove</button></table>`;
    const { text, masks } = await probe(row, { redact, maxTokens: 20 });
    expect(text).toContain('not listed');
    expect(masks).toHaveLength(1);
    expect(masks[0]?.width).toBeLessThan(200);
  });

  it.each([
    ['with labels', `<input value="${SECRET}" ${at(40)}><button ${at(100)}>Next</button>`],
    [
      'without any element to label',
      `<div ${at(40)}><img alt="${SECRET}" width=300 height=20 src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>"></div>`,
    ],
  ])('is painted over in the screenshot, %s', async (_name, body) => {
    const { image, view, boxes, masks } = await probe(body, { redact });
    expect(image).not.toEqual(view.screenshot?.data);
    expect(masks).toEqual([rectAt(40)]);
    expect(boxes.length === 0).toBe(body.startsWith('<div'));
    const { data, info } = await sharp(image)
      .extract({ left: 60, top: 44, width: 230, height: 12 })
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info.channels).toBe(1);
    expect(Math.max(...data)).toBeLessThan(40);
    const [corner = 0] = await sharp(image).extract({ left: 600, top: 400, width: 1, height: 1 }).greyscale().raw().toBuffer();
    expect(corner).toBeGreaterThan(250);
  });

  it('has a mask also where a part of the same element has one', async () => {
    const { masks } = await probe(
      `<a href=/ ${at(40)}>${SECRET} <img alt="${SECRET}" width=9 height=9 src="data:image/svg+xml,<svg/>"></a>`,
      { redact },
    );
    expect(masks).toContainEqual(rectAt(40));
  });

  it('has no mask without a function that redacts', async () => {
    const { text, masks } = await probe(`<p>${SECRET}`, {});
    expect([text.includes(SECRET), masks]).toEqual([true, []]);
  });
});

describe('a link that may not be chosen', () => {
  it.each([
    ['is text', '<a href="http://b.test/x">Go there</a>', 'text "Go there"'],
    ['in a heading is a part of it', '<h2><a href="http://b.test/">Go there</a></h2>', 'heading "Go there" [level=2]'],
    ['with content keeps it', '<a href="http://b.test/" aria-label=Go><h3>There</h3></a>', 'text "Go"\n heading "There" [level=3]'],
    ['without a name is nothing', '<p>before</p><a href="http://b.test/" style="display:block;height:9px"></a>', 'text "before"'],
    [
      'has nothing in it that may',
      '<a href="http://b.test/" aria-label=Go>x<button>There</button></a>',
      'text "Go"\n text "x"\n button "There"',
    ],
    ['is not one that may', '<a href="http://a.test/">Stay</a>', 'link "Stay" [ref] url=http://a.test/'],
    ['without a URL may be chosen', '<a onclick="1">Stay</a>', 'link "Stay" [ref]'],
  ])('%s', async (_name, body, lines) => {
    const { text, boxes } = await probe(body, { allowsUrl: (url) => new URL(url).host === 'a.test' });
    const [, , ...rest] = text
      .replaceAll(/\[ref=e\d+\]/g, '[ref]')
      .trim()
      .split('\n');
    expect(rest.join('\n')).toBe(lines);
    expect(boxes).toHaveLength(lines.includes('[ref]') ? 1 : 0);
  });
});
