import { describe, expect, it } from 'vitest';
import { dataUrl, openActor, type Step } from './with-actor.js';

const withActor = openActor();

/** The value of the first field, and the events that it got. */
const events = `<script>log = []; for (const type of ['input', 'change']) addEventListener(type, (event) => log.push(type), true);</script>`;
const field = (html: string) => html + events;
const VALUE = `[document.querySelector('input, textarea, select').value, ...log]`;

const FILLS: readonly (readonly [name: string, html: string, line: string, value: string, expected: readonly string[]])[] = [
  ['text', '<input aria-label=F value=old>', 'textbox "F"', 'new', ['new', 'input', 'change']],
  ['email', '<input type=email aria-label=F>', 'textbox "F"', 'a@b.example', ['a@b.example', 'input', 'change']],
  ['lines', '<textarea aria-label=F>old</textarea>', 'textbox "F"', 'one\ntwo', ['one\ntwo', 'input', 'input', 'input', 'change']],
  ['nothing', '<input aria-label=F value=old>', 'textbox "F"', '', ['', 'input', 'change']],
  ['the same', '<input aria-label=F value=same>', 'textbox "F"', 'same', ['same', 'input']],
  ['cut by maxlength', '<input aria-label=F maxlength=3>', 'textbox "F"', 'abcdef', ['abc', 'input', 'change']],
  [
    'formatted by the page',
    `<input type=tel aria-label=F oninput="this.value = this.value.replace(/\\D/g, '').replace(/(...)(...)(.*)/, '($1) $2-$3')">`,
    'textbox "F"',
    '5551234567',
    ['(555) 123-4567', 'input', 'change'],
  ],
  ['date', '<input type=date aria-label=F>', 'datebox "F"', '2026-12-31', ['2026-12-31', 'input', 'change']],
  ['time', '<input type=time aria-label=F>', 'timebox "F"', '23:59', ['23:59', 'input', 'change']],
  ['month', '<input type=month aria-label=F>', 'datebox "F"', '2026-12', ['2026-12', 'input', 'change']],
  ['color', '<input type=color aria-label=F>', 'colorbox "F"', '#FF8800', ['#ff8800', 'input', 'change']],
  ['range', '<input type=range aria-label=F min=0 max=10>', 'slider "F"', '7', ['7', 'input', 'change']],
  ['number', '<input type=number aria-label=F>', 'spinbutton "F"', '42', ['42', 'input', 'change']],
  [
    'a field that its page controls, as libraries do',
    `<input aria-label=F><script>
      const own = document.querySelector('input'); const { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
      Object.defineProperty(own, 'value', { get() { return get.call(this); }, set(value) { throw new Error('set by a script: ' + value); } });
    </script>`,
    'textbox "F"',
    'new',
    ['new', 'input', 'change'],
  ],
];

/** As Monaco: a field of a pixel under what it draws, which it empties at each input. */
const EDITOR = `<div style="position:relative;width:300px;height:60px" onmousedown="event.preventDefault(); field.focus()">
  <textarea id=field aria-label=F style="position:absolute;width:1px;height:1px;padding:0;border:0;z-index:-10;color:transparent"></textarea>
  <div id=drawn aria-hidden=true style="position:absolute;inset:0;background:white">old</div></div><script>
  let isAll = false;
  field.onkeydown = ({ key, ctrlKey }) => { isAll ||= ctrlKey && key === 'a'; if (key === 'Delete' && isAll) drawn.textContent = ''; };
  field.oninput = () => { drawn.textContent = (isAll ? '' : drawn.textContent) + field.value; field.value = ''; isAll = false; };
</script>`;

describe('filling', () => {
  it.each(['new', ''])('a code editor: %j', async (value) => {
    const drawn = await withActor(dataUrl(EDITOR), async ({ walk, read }) => {
      await walk([
        ['textbox "F"', { kind: 'click' }],
        ['textbox "F"', { kind: 'fill', value }],
      ]);
      return read('drawn.textContent');
    });
    expect(drawn).toBe(value);
  });

  it.each(FILLS)('%s', async (_name, html, line, value, expected) => {
    const read = await withActor(dataUrl(field(html)), async ({ walk, read: readPage }) => {
      await walk([
        [line, { kind: 'fill', value }],
        [undefined, { kind: 'press', keys: 'Tab' }],
      ]);
      return readPage(VALUE);
    });
    expect(read).toEqual(expected);
  });

  it.each([
    [
      'an editable element',
      '<div contenteditable aria-label=F role=textbox>old <b>text</b></div>',
      'document.querySelector("div").innerText',
    ],
    [
      'one in a closed shadow root',
      `<p id=host></p><script>root = host.attachShadow({ mode: 'closed' }); root.innerHTML = '<div contenteditable aria-label=F role=textbox>old</div>'</script>`,
      'root.firstChild.innerText',
    ],
  ])('%s', async (_name, html, read) => {
    expect(
      await withActor(
        dataUrl(html),
        async ({ walk, read: readPage }) => [await walk([['textbox "F"', { kind: 'fill', value: 'new' }]]), await readPage(read)][1],
      ),
    ).toBe('new');
  });

  it('submits by Enter, and describes where that goes to', async () => {
    const html = `<form action="http://a.example/login" onsubmit="log.push('submitted'); return false"><input name=action><input aria-label=Name autocomplete=username><button formaction="http://b.example/x">Send</button></form>${events}`;
    const { facts, log } = await withActor(dataUrl(html), async ({ walk, read, actor, ref }) => {
      await walk([['textbox "Name"', { kind: 'fill', value: 'Ada', submit: true }]]);
      return {
        facts: [await actor.describe(await ref('textbox "Name"')), await actor.describe(await ref('button "Send"'))],
        log: await read('log'),
      };
    });
    expect(log).toEqual(['input', 'change', 'submitted']);
    expect(facts).toMatchObject([
      { role: 'textbox', name: 'Name', tag: 'input', inputType: 'text', autocomplete: 'username', formAction: 'http://b.example/x' },
      { role: 'button', name: 'Send', tag: 'button', formAction: 'http://b.example/x' },
    ]);
    expect(facts[0]?.frameUrls).toHaveLength(1);
    expect(facts[0]?.box.width).toBeGreaterThan(50);
  });

  it('hides a secret before it is inserted, also from the error', async () => {
    const html = `<input aria-label=Code oninput="seen = getComputedStyle(this).webkitTextSecurity; if (this.dataset.no) this.value = ''">`;
    const { seen, error } = await withActor(dataUrl(html), async ({ step, read }) => {
      await step(['textbox "Code"', { kind: 'fill', value: 's3cret', secret: { accept: () => undefined } }]);
      const seenFirst = await read('seen');
      const again: Step = [
        'textbox "Code"',
        { kind: 'fill', value: 'other', secret: { accept: () => undefined } },
        `document.querySelector('input').dataset.no = '1'; 0`,
      ];
      return { seen: seenFirst, error: await step(again).then(String, String) };
    });
    expect(seen).toBe('disc');
    expect(error).toMatch(/^ActionError: e\d+ is still empty: it does not take this value$/);
  });

  it.each([
    [
      'a date in another format',
      '<input type=date aria-label=F>',
      'datebox "F"',
      '31.12.2026',
      / does not take this value; it takes 2026-12-31$/,
    ],
    ['no number', '<input type=range aria-label=F>', 'slider "F"', 'much', / does not take this value; it takes a number$/],
    ['a read-only field', '<input aria-label=F readonly>', 'textbox "F"', 'x', / is read-only$/],
    ['a checkbox', '<input type=checkbox aria-label=F>', 'checkbox "F"', 'x', / is a checkbox: use check$/],
    ['a button', '<button>F</button>', 'button "F"', 'x', / is not a field$/],
    ['a list', '<select aria-label=F><option>1</select>', 'combobox "F"', 'x', / is a list: use select$/],
    [
      'a field that takes nothing',
      `<input aria-label=F value=old oninput="this.value = 'old'">`,
      'textbox "F"',
      'new',
      / still has its old value$/,
    ],
  ])('refuses %s', async (_name, html, line, value, message) => {
    const error = await withActor(dataUrl(html), ({ step }) => step([line, { kind: 'fill', value }]).then(String, String));
    expect(error).toMatch(message);
  });
});

/** A list as pages make them of other elements: closed, loads its options, marks the chosen one. */
const combobox = (input: string) => `${input}<ul id="list" role="listbox" hidden></ul>${events}<script>
  const box = document.querySelector('[role=combobox]');
  const show = () => setTimeout(() => {
    const typed = (box.value ?? '').toLowerCase();
    list.innerHTML = ['Red', 'Green', 'Blue'].filter((one) => one.toLowerCase().startsWith(typed)).map((one) => '<li role="option">' + one + '</li>').join('');
    list.hidden = false; box.setAttribute('aria-expanded', 'true');
  }, 100);
  box.addEventListener('click', show); box.addEventListener('input', show);
  list.onclick = (event) => { chosen = event.target.textContent; list.hidden = true; };
</script>`;

const SELECTS: readonly (readonly [
  name: string,
  html: string,
  line: string,
  values: readonly string[],
  read: string,
  expected: unknown,
])[] = [
  [
    'by label',
    field('<select aria-label=F><option value=1>One<option value=2>Two words</select>'),
    'combobox "F"',
    ['Two  words'],
    VALUE,
    ['2', 'input', 'change'],
  ],
  [
    'by value',
    field('<select aria-label=F><option value=1>One<option value=2>Two</select>'),
    'combobox "F"',
    ['2'],
    VALUE,
    ['2', 'input', 'change'],
  ],
  [
    'several',
    field('<select multiple aria-label=F><option selected>A<option>B<option>C</select>'),
    'listbox "F"',
    ['B', 'C'],
    `Array.from(document.querySelector('select').selectedOptions, (one) => one.value)`,
    ['B', 'C'],
  ],
  [
    'an option that is loaded later',
    field(
      `<select aria-label=F><option>A</select><script>setTimeout(() => document.querySelector('select').add(new Option('B')), 1200)</script>`,
    ),
    'combobox "F"',
    ['B'],
    VALUE,
    ['B', 'input', 'change'],
  ],
  [
    'in a list of other elements',
    combobox('<div role=combobox tabindex=0 aria-label=F aria-controls=list>Color</div>'),
    'combobox "F"',
    ['Green'],
    'chosen',
    'Green',
  ],
  ['after typing', combobox('<input role=combobox aria-label=F value="zzz">'), 'combobox "F"', ['Blue'], 'chosen', 'Blue'],
];

describe('selecting', () => {
  it.each(SELECTS)('%s', async (_name, html, line, values, read, expected) => {
    expect(
      await withActor(
        dataUrl(html),
        async ({ walk, read: readPage }) => [await walk([[line, { kind: 'select', values }]]), await readPage(read)][1],
      ),
    ).toEqual(expected);
  });

  it.each([
    ['no such option', '<select aria-label=F><option>A<option>B</select>', ['X'], / has no option "X"; it has: "A", "B"$/],
    [
      'one that is disabled',
      '<select aria-label=F><option>A<option disabled>B</select>',
      ['B'],
      / cannot take the option "B": it is disabled$/,
    ],
    ['two of a single list', '<select aria-label=F><option>A<option>B</select>', ['A', 'B'], / takes exactly one option$/],
    [
      'no such option of a list of other elements',
      combobox('<div role=combobox tabindex=0 aria-label=F>Color</div>'),
      ['Pink'],
      / has no option "Pink"; it has: "Red", "Green", "Blue"$/,
    ],
  ])('says %s', async (_name, html, values, message) => {
    const error = await withActor(dataUrl(html), ({ step }) => step(['combobox "F"', { kind: 'select', values }]).then(String, String));
    expect(error).toMatch(message);
  });
});

const aria = (role: string) => `<div role=${role} tabindex=0 aria-label=F aria-checked=false
  onclick="clicks += 1; setTimeout(() => this.setAttribute('aria-checked', String(this.getAttribute('aria-checked') !== 'true')), 50)">x</div>`;

describe('checking', () => {
  it.each([
    ['a checkbox', '<input type=checkbox aria-label=F onclick="clicks += 1">', 'checkbox "F"', true, 1],
    ['a checkbox that is checked', '<input type=checkbox checked aria-label=F onclick="clicks += 1">', 'checkbox "F"', true, 0],
    ['off', '<input type=checkbox checked aria-label=F onclick="clicks += 1">', 'checkbox "F"', false, 1],
    ['a radio button', '<input type=radio aria-label=F onclick="clicks += 1">', 'radio "F"', true, 1],
    [
      'a label of a hidden checkbox',
      '<label style="cursor:pointer">F<input type=checkbox style="position:absolute;clip-path:inset(50%);width:1px;height:1px" onclick="clicks += 1"></label>',
      '',
      true,
      1,
    ],
    ['a switch', aria('switch'), 'switch "F"', true, 1],
    ['an ARIA checkbox', aria('checkbox'), 'checkbox "F"', true, 1],
    ['an entry of a menu', `<div role=menu>${aria('menuitemcheckbox')}</div>`, 'menuitemcheckbox "F"', true, 1],
  ])('%s', async (_name, html, line, on, clicks) => {
    const read = `[document.querySelector('input')?.checked ?? document.querySelector('[aria-checked]').getAttribute('aria-checked') === 'true', clicks]`;
    const done = await withActor(dataUrl(`<script>clicks = 0</script>${html}`), async ({ step, read: readPage, snapshot }) => {
      const found = line === '' ? (/^\s*(\w+ "F").*\[ref=/m.exec(await snapshot())?.[1] ?? '') : line;
      await step([found, { kind: 'check', on }]);
      return readPage(read);
    });
    expect(done).toEqual([on, clicks]);
  });

  it.each([
    [
      'one that does not change',
      '<input type=checkbox aria-label=F onclick="return false">',
      'checkbox "F"',
      true,
      / is still not checked$/,
    ],
    ['a radio button off', '<input type=radio checked aria-label=F>', 'radio "F"', false, / is a radio button: check another one instead$/],
    ['another element', '<button>F</button>', 'button "F"', true, / is not a checkbox, radio button or switch$/],
  ])('says %s', async (_name, html, line, on, message) => {
    expect(await withActor(dataUrl(html), ({ step }) => step([line, { kind: 'check', on }]).then(String, String))).toMatch(message);
  });
});
