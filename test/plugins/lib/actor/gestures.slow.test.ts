import { describe, expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { dataUrl, openActor, type Step } from './with-actor.js';

const withActor = openActor();

const TALL = '<div style="height:4000px;width:4000px"></div>';

describe('scrolling', () => {
  const box = `<body style="margin:0"><div id=box style="height:200px;width:300px;overflow:auto"><button>In the box</button>${TALL}</div>${TALL}<script>
    wheels = 0; addEventListener('wheel', () => wheels++, { passive: true }); ends = 0; addEventListener('scrollend', () => ends++, true)</script>`;
  it.each<[name: string, html: string, steps: readonly Step[], read: string, expected: unknown]>([
    [
      'the page by 80 % of its height',
      box,
      [[undefined, { kind: 'scroll', dir: 'down' }]],
      '[scrollY, box.scrollTop, wheels]',
      [576, 0, 1],
    ],
    ['the page to the right', box, [[undefined, { kind: 'scroll', dir: 'right', amount: 300 }]], '[scrollX, scrollY]', [300, 0]],
    [
      'down and up again',
      box,
      [
        [undefined, { kind: 'scroll', dir: 'down', amount: 700 }],
        [undefined, { kind: 'scroll', dir: 'up', amount: 500 }],
      ],
      'scrollY',
      200,
    ],
    ['the box of an element', box, [['button "In the box"', { kind: 'scroll', dir: 'down' }]], '[scrollY, box.scrollTop]', [0, 160]],
    [
      'a page that scrolls smoothly has stopped',
      `<style>* { scroll-behavior: smooth }</style>${box}`,
      [[undefined, { kind: 'scroll', dir: 'down', amount: 400 }]],
      '[scrollY, ends]',
      [400, 1],
    ],
    [
      'a page whose content is in a box',
      `<body style="margin:0;height:100vh;overflow:hidden"><main style="height:100vh;overflow:auto">${TALL}</main>`,
      [[undefined, { kind: 'scroll', dir: 'down', amount: 250 }]],
      `document.querySelector('main').scrollTop`,
      250,
    ],
    [
      'a disabled box',
      `<textarea id=box disabled aria-label=Terms style="height:50px">${'x '.repeat(2000)}</textarea>`,
      [['textbox "Terms"', { kind: 'scroll', dir: 'down', amount: 100 }]],
      '[scrollY, box.scrollTop]',
      [0, 100],
    ],
    ['a page at its end stays', '<p>Short', [[undefined, { kind: 'scroll', dir: 'down' }]], 'scrollY', 0],
    [
      'the page, not the frame or list in its middle',
      `<body style="margin:0"><iframe srcdoc='${TALL}' style="position:absolute;left:300px;top:100px;width:640px;height:300px"></iframe>${TALL}`,
      [[undefined, { kind: 'scroll', dir: 'down', amount: 250 }]],
      '[scrollY, frames[0].scrollY]',
      [250, 0],
    ],
  ])('%s', async (_name, html, steps, read, expected) => {
    expect(
      await withActor(dataUrl(html), async ({ step, read: readPage }) => {
        for (const one of steps) await step(one);
        return readPage(read);
      }),
    ).toEqual(expected);
  });

  it('a frame of another site', async () => {
    await using site = await openSite({
      '/': ({ headers: { host = '' } }) =>
        `<iframe src="http://localhost:${host.split(':')[1] ?? ''}/list" style="width:400px;height:300px"></iframe>${TALL}`,
      '/list': `<button>Top</button>${TALL}<script>onscrollend = () => parent.postMessage(scrollY, '*')</script>`,
    });
    const seen = await withActor(site.url('/'), async ({ on, read }) => {
      await read(`told = new Promise((resolve) => { onmessage = ({ data }) => resolve(data) }); 0`);
      await on('button "Top"', { kind: 'scroll', dir: 'down', amount: 123 });
      return read('told.then((scrolled) => [scrolled, scrollY])');
    });
    expect(seen).toEqual([123, 0]);
  });
});

/** What pages do with HTML5 drag and drop. */
const NATIVE = `<div id=from draggable=true role=button aria-label=From style="width:80px;height:40px;background:red">From</div>
  <div id=to role=button aria-label=To tabindex=0 style="margin-top:200px;width:200px;height:100px;background:blue">To</div><script>log = [];
  for (const type of ['dragstart', 'dragenter', 'dragover', 'drop', 'dragend']) addEventListener(type, (event) => { if (log.at(-1) !== type) log.push(type); if (!event.isTrusted) log.push('untrusted'); });
  from.addEventListener('dragstart', (event) => event.dataTransfer.setData('text/plain', 'card 7'));
  to.addEventListener('dragover', (event) => event.preventDefault());
  to.addEventListener('drop', (event) => { event.preventDefault(); dropped = event.dataTransfer.getData('text/plain'); });
</script>`;
const POINTER = `<div id=from role=button aria-label=From tabindex=0 style="position:absolute;left:10px;top:10px;width:80px;height:40px;background:red;touch-action:none">From</div>
  <div id=to role=button aria-label=To tabindex=0 style="position:absolute;left:400px;top:300px;width:200px;height:100px">To</div><script>
  let start; moves = 0; dropped = '';
  from.onpointerdown = (event) => { start = event; from.setPointerCapture(event.pointerId); };
  from.onpointermove = (event) => { if (!start) return; moves++; from.style.translate = (event.clientX - start.clientX) + 'px ' + (event.clientY - start.clientY) + 'px'; };
  from.onpointerup = () => { start = undefined; const a = from.getBoundingClientRect(), b = to.getBoundingClientRect(); if (a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom) dropped = 'inside'; };
</script>`;

describe('dragging', () => {
  const drag = async (url: string, read: string) =>
    withActor(url, async ({ perform, ref, read: readPage }) => {
      const done = await perform({ kind: 'drag', from: await ref('button "From"'), to: await ref('button "To"') });
      return { done, seen: await readPage(read) };
    });

  it('by HTML5 drag and drop', async () => {
    const { seen, done } = await drag(dataUrl(NATIVE), '[dropped, ...log]');
    expect(seen).toEqual(['card 7', 'dragstart', 'dragenter', 'dragover', 'drop', 'dragend']);
    expect(done).toMatchObject({ element: { name: 'From' }, to: { name: 'To' } });
  });

  it('by pointer events', async () => {
    expect((await drag(dataUrl(POINTER), '[dropped, moves > 3]')).seen).toEqual(['inside', true]);
  });

  it('by HTML5 drag and drop in a frame of another site', async () => {
    await using site = await openSite({
      '/': ({
        headers: { host = '' },
      }) => `<iframe src="http://localhost:${host.split(':')[1] ?? ''}/board" style="width:600px;height:500px"></iframe>
        <script>onmessage = ({ data }) => { told = data }</script>`,
      '/board': `${NATIVE}<script>addEventListener('drop', () => parent.postMessage(dropped, '*'))</script>`,
    });
    expect((await drag(site.url('/'), 'told')).seen).toBe('card 7');
  });
});

describe('uploading', () => {
  const files = [{ name: 'ä b.txt', type: 'text/plain', data: Buffer.from([0, 1, 254, 255]) }];
  const told = `<script>addEventListener('change', async ({ target }) => { for (const file of target.files) got = [file.name, file.type, ...new Uint8Array(await file.arrayBuffer())]; }, true)</script>`;
  it.each([
    ['to the input', `<input type=file aria-label=F>${told}`, 'button "F'],
    ['to the hidden input of a label', `<label style="cursor:pointer">Choose<input type=file hidden></label>${told}`, 'clickable "Choose"'],
    [
      'to the hidden input in a button-like box',
      `<div role=button tabindex=0>Choose<input type=file style="display:none"></div>${told}`,
      'button "Choose"',
    ],
    [
      'to the input that a button opens',
      `<input type=file hidden id=i><button onclick="i.click()">Choose</button>${told}`,
      'button "Choose"',
    ],
    [
      'to an input that is in no document',
      `<button onclick="i = document.createElement('input'); i.type = 'file'; i.onchange = async () => { const [file] = i.files; got = [file.name, file.type, ...new Uint8Array(await file.arrayBuffer())] }; i.click()">Choose</button>`,
      'button "Choose"',
    ],
  ])('%s', async (_name, html, line) => {
    const got = await withActor(dataUrl(`<script>got = null</script>${html}`), async ({ on, actor, read }) => {
      await on(line, { kind: 'upload', files });
      await actor.settle(new AbortController().signal);
      return read('got');
    });
    expect(got).toEqual(['ä b.txt', 'text/plain', 0, 1, 254, 255]);
  });

  it('reports a click that opened a file chooser, which hangs nothing', async () => {
    const html = '<input type=file hidden id=i><button onclick="i.click()">Choose</button><button onclick="clicked = 1">Next</button>';
    const seen = await withActor(dataUrl(html), async ({ walk, actor, read }) => {
      await walk([['button "Choose"', { kind: 'click' }]]);
      const first = actor.openedFileChooser;
      await walk([['button "Next"', { kind: 'click' }]]);
      const second = actor.openedFileChooser;
      await walk([['button "Choose"', { kind: 'upload', files }]]);
      return [first, second, await read('clicked'), await read('i.files.length')];
    });
    expect(seen).toEqual([true, false, 1, 1]);
  });

  it.each([
    ['two files to an input of one', '<input type=file aria-label=F>', 'button "F', [...files, ...files], / takes only one file$/],
    ['another element', '<button>F</button>', 'button "F"', files, / does not take files$/],
  ])('refuses %s', async (_name, html, line, given, message) => {
    expect(await withActor(dataUrl(html), ({ step }) => step([line, { kind: 'upload', files: given }]).then(String, String))).toMatch(
      message,
    );
  });
});

describe('a phone', () => {
  it('taps, also where the layout is wider than the screen', async () => {
    const html = `<meta name=viewport content="width=1300"><button style="position:absolute;left:900px;top:2800px" onclick="log.push(event.pointerType, event.isTrusted)">Go</button>
      <label style="position:absolute;left:500px;top:1000px"><input type=checkbox>Agree</label><script>log = []; ontouchstart = () => log.push('touch')</script>`;
    const seen = await withActor(
      dataUrl(html),
      async ({ walk, read }) => {
        await walk([
          ['button "Go"', { kind: 'click' }],
          ['checkbox "Agree"', { kind: 'check', on: true }],
        ]);
        return read(`[...log, document.querySelector('input').checked]`);
      },
      { mobile: true, touchPoints: 5, width: 390, height: 844, deviceScaleFactor: 3 },
    );
    expect(seen).toEqual(['touch', 'touch', true, 'touch', true]);
  });
});
