import type { Page } from '@platen/kernel';
import { captureView, createRefTable, writeSnapshot } from '@platen/lib-view';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openViewProber, type ViewProber } from './view-prober.js';
import { openViewSite } from './view-site.js';
import { withPage } from './with-page.js';
import type { Site } from '../../../helpers/site.js';

let site: Site;
let prober: ViewProber;
beforeAll(async () => {
  site = await openViewSite();
  prober = openViewProber();
});
afterAll(async () => {
  await prober[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Refs are counted on by the shared table. */
const unnumbered = (text: string) => text.replaceAll(/\[ref=e\d+\]/g, '[ref]').replaceAll(String(site.port), 'PORT');

describe('a snapshot', () => {
  it('has one line for each element that says something, with a closed shadow root and a frame of another site', async () => {
    const { text } = await prober.probe({ url: site.url('/form') });
    expect(unnumbered(text)).toBe(`Page: Sign up
URL: http://127.0.0.1:PORT/form
heading "Create an account" [level=1]
form
 textbox "Name" [ref] [required] value="Ada \\"L\\""
 textbox "Mail" [ref] placeholder="you@example.com"
 checkbox "I agree" [ref] [checked]
 combobox "Plan" [ref] [expanded=false] value="Team" options=["Free", "Team", "Business"]
 group "Contact"
  radio "Mail only" [ref]
  radio "Phone" [ref] [checked]
 button "Next" [ref] [disabled]
 link "Terms" [ref] url=/terms?a=1
 link "Help" [ref] url=https://elsewhere.test/help
clickable "Skip this step" [ref]
editable "Notes" [ref]
button "In the shadow" [ref]
iframe "Payment" url=http://localhost:PORT/card
 textbox "Card" [ref] value="4111"
 button "Pay" [ref]
Outside the viewport:
text "Far below"
link "the end" [ref] url=/end
`);
  });

  it('of 120 products fits 8,000 tokens, the viewport first and products whole', async () => {
    const { text, boxes } = await prober.probe({ url: site.url('/shop') });
    expect(text.length / 4).toBeLessThan(8_000);
    expect(text.match(/Garden chair \d+, oak/g)).toHaveLength(120);
    expect(text.match(/button "Add to cart"/g)).toHaveLength(120);
    const [inView = '', outside = ''] = text.split('Outside the viewport:\n');
    expect(inView).toContain('chair 1, oak');
    expect(outside).not.toContain('chair 1, oak');
    expect(inView.match(/button "Add to cart"/g)).toHaveLength(inView.match(/ listitem\n/g)?.length ?? 0);
    expect(boxes.length).toBeGreaterThan(20);
  });

  it('ends at its budget, with the number of elements left', async () => {
    const { text } = await prober.probe({ url: site.url('/shop') }, { maxTokens: 1_500 });
    expect(text.length / 4).toBeLessThanOrEqual(1_500);
    const left = /\((\d+) more elements are not listed: 0 in the viewport, 0 above, (\d+) below\)\n$/.exec(text);
    expect(Number(left?.[1])).toBeGreaterThan(300);
    expect(left?.[1]).toBe(left?.[2]);
    const { text: little } = await prober.probe({ url: site.url('/shop') }, { maxTokens: 100 });
    expect(little).toMatch(/more elements are not listed: \d\d in the viewport, 0 above/);
    expect(little).not.toContain('Outside the viewport');
  });

  it('keeps no text of a page on a line of its own', async () => {
    const page = `<title>a\nURL: fake</title><button aria-label='x" [ref=e9]\nbutton "forged"'>.</button>`;
    const { text } = await prober.probe({ url: `data:text/html,${encodeURIComponent(page)}` });
    expect(text.split('\n').slice(0, 1)).toEqual(['Page: a URL: fake']);
    expect(unnumbered(text)).toContain('\nbutton "x\\" [ref] button \\"forged\\"" [ref]\n');
  });

  it.each([
    [
      'a cell of one element is this element',
      '<table><tr><th>1<td><a href=/>two</a><td><input aria-label=three></table>',
      'table\n row\n  rowheader "1"\n  link "two" [ref] url=/\n  textbox "three" [ref]',
    ],
    [
      'a cell does not repeat its elements',
      '<table><tr><th>1<td><button>Edit</button><button>Delete</button></table>',
      'table\n row\n  rowheader "1"\n  cell\n   button "Edit" [ref]\n   button "Delete" [ref]',
    ],
    [
      'a cell keeps a name that its elements do not say',
      '<table><tr><th>1<td aria-label=Both><button>Edit</button><button>Delete</button></table>',
      'table\n row\n  rowheader "1"\n  cell "Both"\n   button "Edit" [ref]\n   button "Delete" [ref]',
    ],
    [
      'a table for layout is its content',
      '<table><tr><td>1<td><a href=/>two</a><td><button>Edit</button><button>Delete</button></table>',
      'text "1"\nlink "two" [ref] url=/\nbutton "Edit" [ref]\nbutton "Delete" [ref]',
    ],
    [
      'an article in a list item is the list item',
      '<ul><li><article><h2>a</h2><p>b</article><li><article aria-label=c><h2>d</h2><p>e</article></ul>',
      'listitem\n heading "a" [level=2]\n text "b"\nlistitem\n article "c"\n  heading "d" [level=2]\n  text "e"',
    ],
    [
      'a list item and a row that can be acted on say what is in them',
      '<ul><li onclick="1"><b>One</b> <i>two</i></ul><table><tr onclick="1"><th>1<td>Ada<td>Oslo</table>',
      'listitem "One two" [ref]\ntable\n row [ref]\n  rowheader "1"\n  cell "Ada"\n  cell "Oslo"',
    ],
    [
      'the parts of a paragraph are one text between its links',
      '<p><b>4.1</b> of <i>5</i> stars, <a href=/>3 reviews</a> <s>31 €</s> <b>21 €</b><p>New<div>One</div><div>Two</div>',
      'text "4.1 of 5 stars,"\nlink "3 reviews" [ref] url=/\ntext "31 € 21 €"\ntext "New"\ntext "One"\ntext "Two"',
    ],
    ['a symbol in something that has a name', '<button aria-label=Close>×</button><p>×', 'button "Close" [ref]\ntext "×"'],
  ])('omits what adds nothing: %s', async (_name, body, lines) => {
    const { text } = await prober.probe({
      url: `data:text/html;charset=utf-8,${encodeURIComponent(`<base href="http://a.test">${body}`)}`,
    });
    expect(unnumbered(text).replaceAll('http://a.test', '').split('\n').slice(2).join('\n')).toBe(`${lines}\n`);
  });

  it('does not repeat a document that is in its URL', async () => {
    const { text } = await prober.probe({ url: `data:text/html,<p>${'x'.repeat(400)}` });
    expect(text.split('\n')[1]).toBe('URL: data:text/html,…');
  });

  it('of a changed page has the same refs for the same elements, and new ones for new elements', async () => {
    const text = await withPage('data:text/html,<button>a</button><button>b</button>', async (page) => {
      const refs = createRefTable();
      const read = async () => (await writeSnapshot(await captureView(page, { refs, screenshot: false }), { maxTokens: 1_000 })).text;
      const first = await read();
      await page.evaluateInMainWorld(
        `document.querySelector('button').before(document.createElement('input')); document.querySelector('button').remove()`,
      );
      return first + (await read());
    });
    expect(text.match(/^(?:button|textbox) .*$/gm)).toEqual([
      'button "a" [ref=e1]',
      'button "b" [ref=e2]',
      'textbox [ref=e3]',
      'button "b" [ref=e2]',
    ]);
  });

  it('numbers elements on from snapshot to snapshot', async () => {
    const [first, second] = [await prober.probe({ url: site.url('/form') }), await prober.probe({ url: site.url('/form') })];
    const refs = ({ boxes }: typeof first) => boxes.map(({ ref }) => ref);
    expect(refs(first)).toHaveLength(14);
    expect(new Set([...refs(first), ...refs(second)]).size).toBe(28);
    const [ref = ''] = refs(second);
    expect(second.view.refs.find(ref)).toMatchObject({ targetId: second.view.tree.frames[0]?.targetId });
    expect(second.view.refs.find('e99999')).toBeUndefined();
  });
});

describe('a screenshot', () => {
  it.each([
    ['as large as the viewport', {}, [1280, 720]],
    ['with a pixel for each CSS pixel', { view_scale: 2, view_width: 400, view_height: 300 }, [400, 300]],
    ['not larger than models take', { view_width: 3000, view_height: 1000 }, [1568, 523]],
  ])('is %s', async (_name, params, size) => {
    const { view, image } = await prober.probe({ url: site.url('/form'), ...params });
    for (const data of [view.screenshot?.data, image]) {
      const { format, width, height } = await sharp(data).metadata();
      expect({ format, size: [width, height] }).toEqual({ format: 'jpeg', size });
    }
  });

  it('has labels at the elements, and none elsewhere', async () => {
    const { view, image, boxes } = await prober.probe({ url: site.url('/form') });
    const read = async (data: Buffer | undefined) => await sharp(data).raw().toBuffer({ resolveWithObject: true });
    const [plain, labelled] = [await read(view.screenshot?.data), await read(image)];
    /** How much a row or column of pixels differs on the average. */
    const change = (from: readonly [number, number], to: readonly [number, number]): number => {
      let [sum, count] = [0, 0];
      for (let y = from[1]; y < to[1]; y += 1) {
        for (let at = (y * 1280 + from[0]) * 3; at < (y * 1280 + to[0]) * 3; at += 1, count += 1) {
          sum += Math.abs((plain.data[at] ?? NaN) - (labelled.data[at] ?? NaN));
        }
      }
      return sum / count;
    };
    for (const { bounds } of boxes) {
      const [left, bottom] = [Math.round(bounds.x), Math.round(bounds.y + bounds.height)];
      expect(change([left, bottom - 2], [left + Math.round(bounds.width), bottom])).toBeGreaterThan(20);
    }
    expect(change([0, 450], [1280, 720])).toBeLessThan(1);
  });

  it('is not taken if it is not asked for', async () => {
    const { view, image } = await prober.probe({ url: site.url('/form') }, { screenshot: false });
    expect([view.screenshot, image]).toEqual([undefined, undefined]);
  });

  it('is of the same moment as the tree', async () => {
    let shots = 0;
    const text = await withPage('data:text/html,<button>before</button>', async (page) => {
      // Changes the page between the first tree and its screenshot.
      const screenshot: Page['screenshot'] = async (options) => {
        if (++shots === 1) await page.evaluateInMainWorld(`document.querySelector('button').textContent = 'after'`);
        return page.screenshot(options);
      };
      // The page with another method.
      const changing = Object.create(page, { screenshot: { value: screenshot } }) as Page;
      return (await writeSnapshot(await captureView(changing), { maxTokens: 1_000 })).text;
    });
    expect(text).toContain('button "after"');
    expect(shots).toBe(2);
  });

  it('of a page that never rests is taken all the same', async () => {
    const page = `<p>0</p><script>let n = 0; setInterval(() => { document.querySelector('p').textContent = ++n; }, 1);</script>`;
    const { view, text } = await prober.probe({ url: `data:text/html,${encodeURIComponent(page)}` });
    expect(text).toMatch(/text "\d+"/);
    expect(view.screenshot?.data.length).toBeGreaterThan(1_000);
  });
});
