import type { Page } from '@platen/kernel';
import { captureView, createRefTable, findAgain, type RefTable, writeSnapshot } from '@platen/lib-view';
import { describe, expect, it } from 'vitest';
import { withPage } from './with-page.js';
import { openSite } from '../../../helpers/site.js';

const dataUrl = (html: string): string => `data:text/html,${encodeURIComponent(html)}`;
const BUY = '<button>Buy</button>';

async function read(page: Page, refs: RefTable): Promise<string> {
  return (await writeSnapshot(await captureView(page, { refs, screenshot: false }), { maxTokens: 1_000 })).text;
}

function refIn(text: string, line: string): string {
  const ref = new RegExp(`${line} \\[ref=(e\\d+)\\]`).exec(text)?.[1];
  if (ref === undefined) throw new Error(`no ${line} in ${text}`);
  return ref;
}

describe('an element that is rendered anew', () => {
  it('is found again while its page replaces it all the time, and keeps its ref', async () => {
    const page = `<main>${BUY}</main><button>Other</button><script>
      let replaced = 0;
      const timer = setInterval(() => { replaced += 1; document.querySelector('main').innerHTML = '${BUY}'; }, 150);
      const next = () => new Promise((resolve) => new MutationObserver(() => resolve()).observe(document.querySelector('main'), { childList: true }));
    </script>`;
    const seen = await withPage(dataUrl(page), async (loaded) => {
      const refs = createRefTable();
      const ref = refIn(await read(loaded, refs), 'button "Buy"');
      const first = refs.find(ref);
      await loaded.evaluateInMainWorld('next()');
      const second = await findAgain(loaded, refs, ref);
      const remembered = refs.find(ref);
      await loaded.evaluateInMainWorld('next().then(() => clearInterval(timer))');
      const third = await findAgain(loaded, refs, ref);
      return { ref, first, second, remembered, third, again: await findAgain(loaded, refs, ref), text: await read(loaded, refs) };
    });
    const { ref, first, second, third } = seen;
    expect(first).toMatchObject({ role: 'button', name: 'Buy' });
    expect(second).toEqual({ ...first, backendDOMNodeId: second?.backendDOMNodeId });
    expect(new Set([first, second, third].map((one) => one?.backendDOMNodeId)).size).toBe(3);
    expect([seen.remembered, seen.again]).toEqual([second, third]);
    expect(seen.text).toContain(`button "Buy" [ref=${ref}]\nbutton "Other"`);
  });

  it.each([
    ['the only one of that role and name', `${BUY}<a href=/>Buy</a><button>Buy more</button>`, true],
    ['with a hidden one beside it', `${BUY}<div style="opacity:0">${BUY}</div>`, true],
    ['in another place, and isConnected is not what it seems', `<section>${BUY}</section><script>LIE</script>`, true],
    ['gone', '<p>Sold out</p>', false],
    ['of another role', '<a href=/>Buy</a>', false],
    ['hidden', `<div style="opacity:0">${BUY}</div>`, false],
    ['twice', BUY + BUY, false],
  ])('%s', async (_name, after, isFound) => {
    const lie = `Object.defineProperty(Node.prototype, 'isConnected', { get: () => true }); 0`;
    const found = await withPage(dataUrl(BUY), async (page) => {
      const refs = createRefTable();
      const ref = refIn(await read(page, refs), 'button "Buy"');
      await page.evaluateInMainWorld(`document.body.innerHTML = ${JSON.stringify(after)}; ${after.includes('LIE') ? lie : ''}`);
      return { before: refs.find(ref), after: await findAgain(page, refs, ref), known: refs.find(ref) };
    });
    expect(found.after?.name).toBe(isFound ? 'Buy' : undefined);
    expect(found.after?.backendDOMNodeId).not.toBe(found.before?.backendDOMNodeId);
    expect(found.known).toEqual(found.after ?? found.before);
  });

  it('is found in a frame of another site that was loaded anew, and not if the frame is gone', async () => {
    await using site = await openSite({
      '/': (request) => `<iframe src="http://localhost:${request.headers.host?.split(':')[1] ?? ''}/pay"></iframe>
        <script>const reload = () => new Promise((resolve) => { const frame = document.querySelector('iframe'); frame.onload = () => resolve(); frame.src += '?'; })</script>`,
      '/pay': '<button>Pay</button>',
    });
    const found = await withPage(site.url('/'), async (page) => {
      const refs = createRefTable();
      const ref = refIn(await read(page, refs), ' button "Pay"');
      const find = () => findAgain(page, refs, ref);
      const before = await find();
      await page.evaluateInMainWorld('reload()');
      const after = await find();
      await page.evaluateInMainWorld(`document.querySelector('iframe').remove()`);
      return { before, after, last: await find(), mainFrameId: page.mainFrameId };
    });
    expect(found.before?.frameId).not.toBe(found.mainFrameId);
    expect([found.after?.name, found.after?.frameId]).toEqual(['Pay', found.before?.frameId]);
    expect(found.after?.backendDOMNodeId).not.toBe(found.before?.backendDOMNodeId);
    expect(found.last).toBeUndefined();
  });

  it('without a ref that was given is undefined', async () => {
    expect(await withPage(dataUrl(BUY), async (page) => [await findAgain(page, createRefTable(), 'e1')])).toEqual([undefined]);
  });
});
