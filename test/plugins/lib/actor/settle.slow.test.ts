import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { openActor } from './with-actor.js';

const withActor = openActor();

const SCRIPTS = {
  'a request and what it adds': `fetch('/slow').then((response) => response.text()).then(done)`,
  'requests one after another': `fetch('/slow').then(() => fetch('/slow')).then(() => done('slow'))`,
  'changes after a request that follows a change': `const change = (left, then) => { document.body.append('.'); setTimeout(() => left ? change(left - 1, then) : then(), 60); };
     change(3, () => fetch('/slow').then(() => change(4, () => done('slow'))))`,
  'a request that a change starts': `new MutationObserver(() => fetch('/slow').then(() => done('slow'))).observe(document.body, { childList: true });
     setTimeout(() => document.body.append('.'), 60)`,
  'changes by a timer': `let left = 6; const next = () => { document.body.append('.'); if (--left) setTimeout(next, 60); else done('slow'); }; next()`,
  'changes in a shadow root': `const root = document.querySelector('p').attachShadow({ mode: 'open' }); root.innerHTML = '<i></i>'; let left = 6;
     const next = () => { root.firstChild.textContent += '.'; if (--left) setTimeout(next, 60); else done('slow'); }; requestAnimationFrame(next)`,
  'a frame that loads': `const frame = document.createElement('iframe'); frame.src = OTHER + '/slow'; frame.onload = () => done('slow'); document.body.append(frame)`,
};

/** The server answers slowly: when the page says so, by a request that does not count. */
const RELEASE = `setTimeout(() => navigator.sendBeacon('/release'), 350);`;

function slowly(answer: string): { readonly slow: () => Promise<string>; readonly release: () => string } {
  let released: (answer: string) => void = () => undefined;
  const answered = new Promise<string>((resolve) => {
    released = resolve;
  });
  return {
    slow: () => answered,
    release() {
      released(answer);
      return '';
    },
  };
}

describe('settling waits for', () => {
  it.each(Object.entries(SCRIPTS))('%s', async (_name, script) => {
    const { slow, release } = slowly('slow');
    await using site = await openSite({
      '/': ({ headers: { host = '' } }) => `<p></p><button>Go</button><script>const OTHER = 'http://localhost:${host.split(':')[1] ?? ''}';
        told = ''; const done = (text) => { told = text; }; document.querySelector('button').onclick = () => { ${RELEASE} ${script} };</script>`,
      '/slow': slow,
      '/release': release,
    });
    const told = await withActor(site.url('/'), async ({ walk, read }) => {
      await walk([['button "Go"', { kind: 'click' }]]);
      return read('told');
    });
    expect(told).toBe('slow');
  });

  it.each([
    ['a combobox', '<input role="combobox" aria-label="City">', 'combobox "City"'],
    ['a search', '<input type="search" aria-label="City">', 'searchbox "City"'],
    ['a field without the suggestions of the browser', '<input autocomplete="off" aria-label="City">', 'textbox "City"'],
  ])('suggestions that come after a pause in typing: %s', async (_name, html, line) => {
    await using site = await openSite({
      '/': `${html}<script>let timer, told = ''; oninput = () => { clearTimeout(timer); timer = setTimeout(() => { told = 'suggested' }, 300) }</script>`,
    });
    const told = await withActor(site.url('/'), async ({ walk, read }) => {
      await walk([[line, { kind: 'fill', value: 'Par' }]]);
      return read('told');
    });
    expect(told).toBe('suggested');
  });

  it('a page that starts a worker, but not for the worker', async () => {
    await using site = await openSite({
      '/': '<button onclick="new Worker(\'/worker.js\')">Go</button>',
      '/worker.js': { headers: { 'content-type': 'text/javascript' }, body: 'setInterval(() => 0, 100)' },
    });
    const order = await withActor(site.url('/'), async ({ walk }) => {
      const settled = walk([['button "Go"', { kind: 'click' }]]).then(() => 'settled');
      return Promise.race([settled, once(AbortSignal.timeout(4_000), 'abort').then(() => 'waited')]);
    });
    expect([order, site.requests.length]).toEqual(['settled', 2]);
  });

  it('a page that asks for one URL all the time, but not as long as it does', async () => {
    let polls = 0;
    await using site = await openSite({
      '/': `<script>const poll = () => fetch('/poll?at=' + performance.now()).then(poll); poll()</script>`,
      '/poll': () => String((polls += 1)),
    });
    const order = await withActor(site.url('/'), async ({ actor }) => {
      const settled = actor.settle(new AbortController().signal).then(() => 'settled');
      return Promise.race([settled, once(AbortSignal.timeout(4_000), 'abort').then(() => 'waited')]);
    });
    expect([order, polls > 4]).toEqual(['settled', true]);
  });

  it.each([
    ['a link', '<a href="/next">Next</a>', 'link "Next"'],
    ['a form', '<form action="/next"><button>Next</button></form>', 'button "Next"'],
    ['a script', `<button onclick="setTimeout(() => { location.href = '/next' }, 50)">Next</button>`, 'button "Next"'],
    ['a redirect by a document', '<a href="/redirect">Next</a>', 'link "Next"'],
    ['a popup', '<a href="/next" target=_blank>Next</a>', 'link "Next"'],
  ])('a navigation by %s', async (_name, html, line) => {
    const { slow, release } = slowly(
      `<title>Loading</title><script>setTimeout(() => { document.title = 'Ready'; document.body.append('!') }, 50)</script><body>`,
    );
    await using site = await openSite({
      '/': `<script>onclick = () => { ${RELEASE} }</script>${html}`,
      '/release': release,
      '/next': slow,
      '/redirect': `<script>${RELEASE} location.replace('/next')</script>`,
    });
    const title = await withActor(site.url('/'), async ({ walk, read }) => {
      await walk([[line, { kind: 'click' }]]);
      return read('document.title');
    });
    expect(title).toBe('Ready');
  });

  it('its signal, and neither for images and streams nor again for a request that never ends', async () => {
    const hold = () => undefined;
    await using site = await openSite({
      '/': `<script>start = () => { new Image().src = '/image'; new EventSource('/stream'); navigator.sendBeacon('/ping'); fetch('/poll'); return 0; }</script>`,
      ...{ '/image': hold, '/stream': hold, '/ping': hold, '/poll': hold },
    });
    const seen = await withActor(site.url('/'), async ({ actor, read }) => {
      await read('start()');
      const stop = new AbortController();
      stop.abort(new Error('enough'));
      const order: string[] = [];
      // The first waits for the poll to the end of its time, the second no longer.
      await actor.settle(new AbortController().signal);
      const second = actor.settle(new AbortController().signal).then(() => order.push('settled'));
      await Promise.race([second, once(AbortSignal.timeout(4_000), 'abort').then(() => order.push('waited'))]);
      return [await actor.settle(stop.signal).then(String, String), ...order];
    });
    expect(seen).toEqual(['Error: enough', 'settled']);
  });
});
