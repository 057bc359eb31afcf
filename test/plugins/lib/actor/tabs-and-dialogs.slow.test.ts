import type { Performed } from '@platen/lib-actor';
import { describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { dataUrl, openActor } from './with-actor.js';

const withActor = openActor();

const LIMIT = { signal: new AbortController().signal, timeoutMs: 10_000 };

describe('a dialog', () => {
  const buttons = `<button onclick="asked = confirm('Sure?')">Ask</button><button onclick="name_ = prompt('Name?', 'Bob')">Name</button>
    <button onclick="alert('one'); alert('two')">Twice</button><button onmousedown="alert('down')">Down</button><input aria-label=F onchange="alert('changed')"><script>asked = name_ = 'none'</script>`;

  it('that an action opens is held, and nothing else can be done until it is answered', async () => {
    const seen = await withActor(dataUrl(buttons), async ({ on, ref, perform, read, actor }) => {
      const other = await ref('button "Name"');
      const asked = await on('button "Ask"', { kind: 'click' });
      const held = actor.dialog;
      await actor.settle(LIMIT.signal);
      const refused = await perform({ kind: 'click', ref: other }).then(String, String);
      const answered = await perform({ kind: 'dialog', accept: true });
      return { asked, held, refused, answered, after: actor.dialog, value: await read('asked') };
    });
    expect(seen.asked.dialog).toEqual({ type: 'confirm', message: 'Sure?', defaultPrompt: '' });
    expect(seen.held).toEqual({ type: 'confirm', message: 'Sure?', defaultPrompt: '', tab: 't1' });
    expect(seen.refused).toBe('ActionError: the page shows a dialog (confirm): answer it first');
    expect(seen.answered).not.toHaveProperty('dialog');
    expect([seen.after, seen.value]).toEqual([undefined, true]);
  });

  it.each([
    ['text', { accept: true, text: 'Ada' }, 'Ada'],
    ['the default', { accept: true }, 'Bob'],
    ['nothing', { accept: false }, null],
  ])('gets %s', async (_name, answer, expected) => {
    const value = await withActor(dataUrl(buttons), async ({ on, perform, read }) => {
      await on('button "Name"', { kind: 'click' });
      await perform({ kind: 'dialog', ...answer });
      return read('name_');
    });
    expect(value).toBe(expected);
  });

  it('that follows another is held, too; the mouse is released after the last; a change opens one', async () => {
    const seen = await withActor(dataUrl(buttons), async ({ on, perform, read }) => {
      const first = await on('button "Twice"', { kind: 'click' });
      const second = await perform({ kind: 'dialog', accept: true });
      const last = await perform({ kind: 'dialog', accept: true });
      await read(`ups = 0; addEventListener('mouseup', () => ups++, true); 0`);
      const down = await on('button "Down"', { kind: 'click' });
      await perform({ kind: 'dialog', accept: true });
      const ups = await read('ups');
      const changed = await on('textbox "F"', { kind: 'fill', value: 'x', submit: true });
      await perform({ kind: 'dialog', accept: true });
      return {
        messages: [first, second, last, down, changed].map(({ dialog }) => dialog?.message),
        ups,
        value: await read(`document.querySelector('input').value`),
      };
    });
    expect(seen).toEqual({ messages: ['one', 'two', undefined, 'down', 'changed'], ups: 1, value: 'x' });
  });

  it('that opens by itself ends a wait and settling', async () => {
    const seen = await withActor(
      dataUrl(`<script>later = () => { setTimeout(() => alert('late'), 300); return 0; }</script><p>Text`),
      async ({ perform, read }) => {
        await read('later()');
        return perform({ kind: 'wait', ms: 9_000 });
      },
    );
    expect(seen.dialog?.message).toBe('late');
    expect(seen.endedAt - seen.startedAt).toBeLessThan(9_000);
  });

  it('before unloading never asks', async () => {
    await using site = await openSite({
      '/': '<input aria-label=F><script>onbeforeunload = (event) => event.preventDefault()</script>',
      '/next': '<title>Next</title>',
    });
    const title = await withActor(site.url('/'), async ({ on, perform, actor, read }) => {
      await on('textbox "F"', { kind: 'fill', value: 'x' });
      await perform({ kind: 'goto', url: site.url('/next') });
      await actor.settle(LIMIT.signal);
      return read('document.title');
    });
    expect(title).toBe('Next');
  });
});

describe('a popup', () => {
  const openShop = (): Promise<Site> =>
    openSite({
      '/': `<a href="/blank" target=_blank>Blank</a><a href="/blank" target=_blank rel=opener>Kept</a><button onclick="window.open('/popup')">Open</button><button onclick="setTimeout(() => window.open('/popup'), 50)">Later</button>`,
      '/blank': '<title>Blank</title><button onclick="document.title += 1">Count</button>',
      '/popup': `<title>Popup</title><button onclick="window.open('/inner')">Inner</button><button onclick="opener.document.title = 'told'; window.close()">Close</button><button onclick="alert('hi')">Alert</button>`,
      '/inner': '<title>Inner</title><button onclick="window.close()">Close</button>',
    });

  it('becomes current, its own too, and gives its opener back when it closes', async () => {
    await using site = await openShop();
    const seen = await withActor(site.url('/'), async ({ walk, actor, read, perform }) => {
      const heard: string[] = [];
      actor.onTab(({ id }) => heard.push(id));
      const list = () => actor.tabs.map(({ id, url, isCurrent }) => `${id} ${new URL(url).pathname}${isCurrent ? ' *' : ''}`);
      const opened = await walk([
        ['button "Open"', { kind: 'click' }],
        ['button "Inner"', { kind: 'click' }],
      ]);
      const all = list();
      const alert = await walk([
        [undefined, { kind: 'tab', tab: 't2' }],
        ['button "Alert"', { kind: 'click' }],
      ]);
      const held = actor.dialog?.tab;
      await perform({ kind: 'dialog', accept: true });
      await walk([
        [undefined, { kind: 'tab', tab: 't3' }],
        ['button "Close"', { kind: 'click' }],
      ]);
      const afterInner = list();
      const closed = await walk([['button "Close"', { kind: 'click' }]]);
      return {
        heard,
        opened: opened.map((one) => one?.openedTab),
        all,
        alert: alert[1]?.tab,
        held,
        afterInner,
        closed: closed[0],
        last: list(),
        title: await read('document.title'),
      };
    });
    expect(seen).toMatchObject({
      heard: ['t2', 't3'],
      opened: ['t2', 't3'],
      all: ['t1 /', 't2 /popup', 't3 /inner *'],
      ...{ alert: 't2', held: 't2' },
      afterInner: ['t1 /', 't2 /popup *'],
      closed: { tab: 't2' },
      last: ['t1 / *'],
      title: 'told',
    });
  });

  it.each(['link "Blank"', 'link "Kept"', 'button "Later"'])('opened by %s, is switched from and closed', async (line) => {
    await using site = await openShop();
    const seen = await withActor(site.url('/'), async ({ walk, actor, read, ref, perform }) => {
      await walk([[line, { kind: 'click' }]]);
      const first = [actor.tabs.length, await read('location.pathname')];
      const other = await ref(line.includes('Later') ? 'button "Inner"' : 'button "Count"');
      await walk([[undefined, { kind: 'tab', tab: 't1' }]]);
      const second = await read('location.pathname');
      expect(await perform({ kind: 'click', ref: other }).then(String, String)).toMatch(/^ActionError: e\d+ is not in the current tab$/);
      const [closed] = await walk([[undefined, { kind: 'tab', tab: 't2', close: true }]]);
      return [...first, second, closed?.closedTab, actor.tabs.length];
    });
    expect(seen).toEqual([2, line.includes('Later') ? '/popup' : '/blank', '/', 't2', 1]);
  });
});

describe('navigation', () => {
  it('by links, back, and to a URL', async () => {
    await using site = await openSite({
      '/': '<a href="/two#part">Two</a>',
      '/two': '<title>Two</title><a href="#other">Other</a><a href="/none">None</a>',
    });
    const paths = await withActor(site.url('/'), async ({ walk, actor, perform }) => {
      const path = () => actor.tabs[0]?.url.slice(site.url('').length);
      const seen = [path()];
      for (const step of [
        ['link "Two"', { kind: 'click' }],
        ['link "Other"', { kind: 'click' }],
        [undefined, { kind: 'back' }],
        [undefined, { kind: 'back' }],
        [undefined, { kind: 'goto', url: site.url('/two?x') }],
      ] as const) {
        await walk([step]);
        seen.push(path());
      }
      const { urlBefore, urlAfter } = await perform({ kind: 'goto', url: site.url('/two?y') });
      const refused = await perform({ kind: 'goto', url: 'http://127.0.0.1:1/' }).then(String, String);
      await walk([[undefined, { kind: 'goto', url: site.url('/two?z') }]]);
      return { seen, urls: [urlBefore, urlAfter], refused };
    });
    expect(paths.seen).toEqual(['/', '/two#part', '/two#other', '/two#part', '/', '/two?x']);
    expect(paths.urls).toEqual([site.url('/two?x'), site.url('/two?y')]);
    expect(paths.refused).toMatch(/^ActionError: the page cannot be opened: /);
  });

  it.each([
    ['a download', { headers: { 'content-disposition': 'attachment' }, body: 'x' }, 'the URL is a download, not a page'],
    ['a response without content', { status: 204 }, 'the page cannot be opened: net::ERR_ABORTED'],
  ])('to %s leaves the page as it was', async (_name, answer, reason) => {
    await using site = await openSite({ '/': '<title>One</title>', '/other': answer });
    const seen = await withActor(site.url('/'), async ({ perform, page, read }) => {
      const refused = await perform({ kind: 'goto', url: site.url('/other') }).then(String, String);
      await page.lifecycle.reached('load');
      return [refused, await read('document.title')];
    });
    expect(seen).toEqual([`ActionError: ${reason}`, 'One']);
  });

  it('with a user name and password, which no URL of a tab has', async () => {
    await using site = await openSite({ '/': '<a href="#part">Part</a><a href="/two" target=_blank>Two</a>', '/two': '' });
    const urls = await withActor(site.url('/').replace('//', '//ada:secret@'), async ({ walk, actor }) => {
      const of = (steps: readonly (Performed | undefined)[]) => steps.flatMap((step) => [step?.urlBefore, step?.urlAfter]);
      const seen = of(
        await walk([
          ['link "Part"', { kind: 'click' }],
          ['link "Two"', { kind: 'click' }],
        ]),
      );
      return [...seen, ...actor.tabs.map(({ url }) => url)];
    });
    expect(urls.join(' ')).toContain(site.url('/two'));
    expect(urls.join(' ')).not.toContain('secret');
  });

  it('ends with its limit or signal', async () => {
    await using site = await openSite({ '/': '<p>Text', '/slow': () => undefined });
    const seen = await withActor(site.url('/'), async ({ actor, perform }) => {
      const late = await perform({ kind: 'goto', url: site.url('/slow') }, 400).then(String, String);
      const stop = new AbortController();
      const waiting = actor.perform({ kind: 'wait', ms: 9_000 }, { signal: stop.signal, timeoutMs: 10_000 }).then(String, String);
      stop.abort(new Error('enough'));
      return [late, await waiting];
    });
    expect(seen).toEqual(['ActionError: the page did not respond in time', 'Error: enough']);
  });
});
