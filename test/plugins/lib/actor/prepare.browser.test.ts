import { describe, expect, it } from 'vitest';
import { dataUrl, openActor } from './with-actor.js';

const withActor = openActor();
const signal = new AbortController().signal;

/** Settles, with the given script while the page is read. */
function settleOn(html: string, script: string) {
  return withActor(dataUrl(html), async ({ actor, read }) => {
    const wanted: boolean[] = [];
    const { prepared } = await actor.settle(signal, async (settled) => {
      await read(script);
      wanted.push(await settled);
      return 'prepared';
    });
    return { prepared: await prepared, wanted, told: await read('self.told') };
  });
}

describe('work that begins while the page comes to rest', () => {
  it('is used if nothing has changed since', async () => {
    expect(await settleOn('<p>', '0')).toMatchObject({ prepared: 'prepared', wanted: [true] });
  });

  it.each([
    ['in the document', `document.body.append('late')`],
    ['in a shadow root', `document.querySelector('p').shadowRoot.append('late')`],
    ['in a frame', `frames[0].document.body.append('late')`],
    ['by a request', `void fetch('data:text/plain,').then(() => fetch('https://nowhere.invalid/').catch(() => 0))`],
  ])('is not used after a change %s', async (_where, change) => {
    const html = `<p><template shadowrootmode=open></template></p><iframe srcdoc="frame"></iframe>
      <script>document.querySelector('p').shadowRoot ?? document.querySelector('p').attachShadow({ mode: 'open' })</script>`;
    expect(await settleOn(html, change)).toMatchObject({ prepared: undefined, wanted: [false] });
  });

  it('blocks the page, which is not taken for a page at rest', async () => {
    const script = `setTimeout(() => { told = 'late'; document.body.append('late') }, 150);
      for (const end = performance.now() + 400; performance.now() < end; ); 0`;
    expect(await settleOn('<p>', script)).toEqual({ prepared: undefined, wanted: [false], told: 'late' });
  });

  it('does not begin beside a dialog', async () => {
    const begun = await withActor(dataUrl('<button onclick="alert(1)">Ask</button>'), async ({ actor, on }) => {
      const calls: string[] = [];
      await on('button "Ask"', { kind: 'click' });
      const { prepared } = await actor.settle(signal, async () => calls.push('begun'));
      await actor.perform({ kind: 'dialog', accept: true }, { signal, timeoutMs: 5_000 });
      return [prepared, calls];
    });
    expect(begun).toEqual([undefined, []]);
  });
});
