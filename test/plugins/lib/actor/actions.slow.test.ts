import { describe, expect, it } from 'vitest';
import { dataUrl, openActor, type Step } from './with-actor.js';

const withActor = openActor();

/** Notes what only real input has: trust, and the user's activation. */
const recorder = (...types: string[]) => `<script>log = [];
  for (const type of ${JSON.stringify(types)}) addEventListener(type, (event) => log.push(type + (event.isTrusted ? '' : ' untrusted')), true);</script>`;

interface Row {
  readonly html: string;
  readonly steps: readonly Step[];
  /** Of the page's main world; `log` by default. */
  readonly read?: string;
  readonly expected: unknown;
}

const ROWS: Readonly<Record<string, Row>> = {
  'a click has user activation': {
    html: `<button onclick="log.push(navigator.userActivation.isActive)">Go</button>${recorder('mousedown', 'mouseup', 'click')}`,
    steps: [['button "Go"', { kind: 'click' }]],
    expected: ['mousedown', 'mouseup', 'click', true],
  },
  'a double click with modifiers': {
    html: `<button onclick="log.push(event.detail, event.ctrlKey, event.shiftKey)">Go</button>${recorder('dblclick')}`,
    steps: [['button "Go"', { kind: 'click', count: 2, modifiers: ['Control', 'Shift'] }]],
    expected: [1, true, true, 2, true, true, 'dblclick'],
  },
  'three clicks': {
    html: `<button onclick="log.push(event.detail)">Go</button>${recorder()}`,
    steps: [['button "Go"', { kind: 'click', count: 3 }]],
    expected: [1, 2, 3],
  },
  'the right and the middle button': {
    html: `<button>Go</button>${recorder('contextmenu', 'auxclick', 'click')}`,
    steps: [
      ['button "Go"', { kind: 'click', button: 'right' }],
      ['button "Go"', { kind: 'click', button: 'middle' }],
    ],
    expected: ['contextmenu', 'auxclick', 'auxclick'],
  },
  'hovering shows a menu, whose entry is clicked': {
    html: `<style>nav ul { display: none } nav:hover ul { display: block }</style>
      <nav><a href="#">Menu</a><ul><li><button onclick="log.push('entry')">Entry</button></ul></nav>${recorder()}`,
    steps: [
      ['link "Menu"', { kind: 'hover' }],
      ['button "Entry"', { kind: 'click' }],
    ],
    expected: ['entry'],
  },
  'a link that wraps, beside an inner button': {
    html: `<div style="cursor:pointer;width:300px;height:60px" onclick="log.push(event.target.nodeName)">Card<button style="position:absolute;left:110px;top:20px;width:120px;height:40px">Inner</button></div>${recorder()}`,
    steps: [['clickable [ref', { kind: 'click' }]],
    expected: ['DIV'],
  },
  'below a bar at the edge of the viewport': {
    html: `<body style="height:4000px"><header style="position:fixed;inset:0 0 auto;height:400px;background:#ccc"></header>
      <button style="position:absolute;top:1500px" onclick="log.push('clicked')">Go</button>${recorder()}`,
    steps: [['button "Go"', { kind: 'click' }]],
    expected: ['clicked'],
  },
  'in a box that scrolls smoothly': {
    html: `<style>* { scroll-behavior: smooth }</style><div style="height:200px;overflow:auto"><div style="height:3000px"></div><button onclick="log.push('clicked')">Go</button></div>${recorder()}`,
    steps: [['button "Go"', { kind: 'click' }]],
    expected: ['clicked'],
  },
  'enabled, uncovered and still after a while': {
    html: `<style>@keyframes move { from { translate: 0 } to { translate: 400px } }</style>
      <button id="one" disabled onclick="log.push('enabled')">One</button>
      <button id="two" style="animation: move .4s linear forwards" onclick="log.push('still')">Two</button>
      <button onclick="log.push('uncovered')">Three</button><div id="veil" style="position:fixed;inset:0;background:#0001;pointer-events:none"></div>${recorder()}
      <script>addEventListener('focusin', () => {}); const start = () => { veil.style.pointerEvents = 'auto'; setTimeout(() => { one.disabled = false; veil.remove(); }, 500); return 0; }</script>`,
    steps: ['start()', ['button "One"', { kind: 'click' }], ['button "Two"', { kind: 'click' }], ['button "Three"', { kind: 'click' }]],
    expected: ['enabled', 'still', 'uncovered'],
  },
  'again while the page replaces it': {
    html: `<main><button onclick="log.push('clicked')">Go</button></main>${recorder()}<script>
      const main = document.querySelector('main'), html = main.innerHTML;
      function replace(times) { main.innerHTML = html; if (times > 1) requestAnimationFrame(() => replace(times - 1)); }</script>`,
    steps: [['button "Go"', { kind: 'click' }, 'replace(60)']],
    expected: ['clicked'],
  },
  keys: {
    html: `<input aria-label="Word" value="old" onkeydown="log.push(event.key, event.code, event.keyCode)">${recorder('submit')}`,
    steps: [
      ['textbox "Word"', { kind: 'press', keys: 'Control+a' }],
      [undefined, { kind: 'press', keys: 'Shift+B' }],
      [undefined, { kind: 'press', keys: '!' }],
      [undefined, { kind: 'press', keys: 'ArrowLeft' }],
      [undefined, { kind: 'press', keys: 'Backspace' }],
    ],
    read: `[...log.filter((one) => typeof one === 'string' && one.length < 12), document.querySelector('input').value]`,
    expected: [
      ...['Control', 'ControlLeft', 'a', 'KeyA', 'Shift', 'ShiftLeft', 'B', 'KeyB'],
      ...['!', 'Digit1', 'ArrowLeft', 'ArrowLeft', 'Backspace', 'Backspace', '!'],
    ],
  },
  'Enter submits, Tab leaves, Space presses': {
    html: `<form onsubmit="log.push('submit'); return false"><input aria-label="Word"></form><button onclick="log.push('space')">Go</button>${recorder()}`,
    steps: [
      ['textbox "Word"', { kind: 'press', keys: 'Enter' }],
      [undefined, { kind: 'press', keys: 'Tab' }],
      [undefined, { kind: 'press', keys: 'Space' }],
    ],
    expected: ['submit', 'space'],
  },
  'a page that replaces what scripts use sees nothing of it': {
    html: `<label>Name<input id="name"></label><button onclick="log.push('clicked')">Go</button>${recorder()}<script>
      const spy = (name) => () => { log.push('seen ' + name); throw new Error('no'); };
      for (const name of ['getBoundingClientRect', 'matches', 'closest', 'scrollIntoView', 'focus', 'select', 'querySelectorAll']) {
        for (const { prototype } of [Element, HTMLElement, HTMLInputElement, Document]) if (Object.hasOwn(prototype, name)) prototype[name] = spy(name);
      }
      requestAnimationFrame = spy('frame'); MutationObserver = spy('observer'); Array.from = spy('from'); getComputedStyle = spy('style');
      Object.defineProperty(Node.prototype, 'isConnected', { get: spy('connected') });
    </script>`,
    steps: [
      ['textbox "Name"', { kind: 'fill', value: 'Ada' }],
      ['button "Go"', { kind: 'click' }],
    ],
    read: `[...log, document.getElementById('name').value]`,
    expected: ['clicked', 'Ada'],
  },
};

describe('an action', () => {
  it.each(Object.entries(ROWS))('%s', async (_name, { html, steps, read = 'log', expected }) => {
    expect(await withActor(dataUrl(html), async ({ walk, read: readPage }) => [await walk(steps), await readPage(read)][1])).toEqual(
      expected,
    );
  });
});

const IMPOSSIBLE: readonly (readonly [string, string, Step, string | RegExp])[] = [
  ['disabled', '<button disabled>Go</button>', ['button "Go"', { kind: 'click' }], /^e\d+ is disabled$/],
  ['aria-disabled', '<button aria-disabled=true>Go</button>', ['button "Go"', { kind: 'click' }], /^e\d+ is disabled$/],
  [
    'covered by a dialog',
    '<button>Go</button><div id="later" role="dialog" aria-label="Cookies" style="position:fixed;inset:0" hidden><p>We use cookies</p></div>',
    ['button "Go"', { kind: 'click' }, 'later.hidden = false'],
    /^e\d+ is covered by dialog "Cookies"$/,
  ],
  [
    'covered by a plain element',
    '<button>Go</button><div id="later" style="position:fixed;inset:0" hidden></div>',
    ['button "Go"', { kind: 'click' }, 'later.hidden = false'],
    /^e\d+ is covered by another element \(div\)$/,
  ],
  ['gone', '<button>Go</button>', ['button "Go"', { kind: 'click' }, `document.querySelector('button').remove()`], /^e\d+ is gone$/],
  [
    'hidden',
    '<button>Go</button>',
    ['button "Go"', { kind: 'click' }, `document.querySelector('button').style.display = 'none'`],
    /^e\d+ is not visible$/,
  ],
  [
    'always moving',
    '<style>@keyframes m { to { translate: 600px } }</style><button>Go</button>',
    ['button "Go"', { kind: 'click' }, `document.querySelector('button').style.animation = 'm 1s linear infinite alternate'`],
    /^e\d+ does not stop moving$/,
  ],
  [
    'a drop-down list',
    '<select aria-label=Size><option>S<option>M</select>',
    ['combobox "Size"', { kind: 'click' }],
    /^e\d+ is a list: use select$/,
  ],
  ['no key', '<p>Text', [undefined, { kind: 'press', keys: 'Hello' }], /^"Hello" is not a key; keys are one character or a name/],
  ['unknown', '<p>Text', [undefined, { kind: 'click', ref: 'e99' }], 'there is no e99'],
  ['no history', '<p>Text', [undefined, { kind: 'back' }], 'there is no page to go back to'],
  [
    'another scheme',
    '<p>Text',
    [undefined, { kind: 'goto', url: 'file:///etc/passwd' }],
    'the URL must be an absolute one of http or https',
  ],
  ['no dialog', '<p>Text', [undefined, { kind: 'dialog', accept: true }], 'the page shows no dialog'],
  ['no such tab', '<p>Text', [undefined, { kind: 'tab', tab: 't2' }], 'there is no tab t2; there are: t1'],
  ['the first tab', '<p>Text', [undefined, { kind: 'tab', tab: 't1', close: true }], 't1 cannot be closed: it is the first tab'],
];

describe('an action that cannot be carried out says why', () => {
  it.each(IMPOSSIBLE)('%s', async (_name, html, step, message) => {
    const error = await withActor(dataUrl(html), ({ step: take }) =>
      take(step, 3_000).then(
        () => undefined,
        (thrown: unknown) => thrown,
      ),
    );
    expect(error).toMatchObject({ name: 'ActionError', message: typeof message === 'string' ? message : expect.stringMatching(message) });
  });
});
