import { describe, expect, it } from 'vitest';
import { dataUrl, openActor, type Step } from './with-actor.js';

const withActor = openActor();

const CODE = `<div onkeydown="key = event.key"><input aria-label=Digit maxlength=1>${'<input aria-label=Other maxlength=1>'.repeat(3)}</div><script>
  const boxes = [...document.querySelectorAll('input')];
  for (const [at, box] of boxes.entries()) box.onkeyup = ({ key }) => /^\\d$/.test(key) && boxes[at + 1]?.focus();
</script>`;
/** Takes digits by their keys only, and writes the dots itself. */
const MASK = `<input aria-label=Day><script>
  let digits = '';
  document.querySelector('input').onkeydown = (event) => {
    event.preventDefault();
    if (/^\\d$/.test(event.key)) digits += event.key;
    event.target.value = digits.replace(/^(..)(..)(.*)$/, '$1.$2.$3');
  };
</script>`;

describe('typing', () => {
  it.each<readonly [string, string, readonly Step[], string, string]>([
    [
      'over the boxes of a one-time code',
      CODE,
      [['textbox "Digit"', { kind: 'type', value: '4711' }]],
      `boxes.map(({ value }) => value).join()`,
      '4,7,1,1',
    ],
    [
      'into a field that is read by its keys',
      MASK,
      [['textbox "Day"', { kind: 'type', value: '31122026' }]],
      `document.querySelector('input').value`,
      '31.12.2026',
    ],
    [
      'where the focus is, with signs, letters and lines',
      '<textarea autofocus aria-label=T></textarea>',
      [
        ['textbox "T"', { kind: 'click' }],
        [undefined, { kind: 'type', value: 'Aa +é\n€' }],
      ],
      `document.querySelector('textarea').value`,
      'Aa +é\n€',
    ],
    [
      'and sending',
      `<form onsubmit="sent = this.q.value; return false"><input name=q aria-label=Q></form>`,
      [['textbox "Q"', { kind: 'type', value: 'chair', submit: true }]],
      'sent',
      'chair',
    ],
  ])('%s', async (_name, html, steps, read, expected) => {
    expect(await withActor(dataUrl(html), async ({ walk, read: readPage }) => [await walk(steps), await readPage(read)][1])).toBe(expected);
  });
});

/** As Ant Design: the options that assistive technology knows have no size, and only some of them exist. */
const sized = (
  options: string,
) => `<div id=field style="width:200px"><input role=combobox aria-label=City aria-controls=options aria-expanded=false readonly></div>
  <div id=popup hidden><div role=listbox id=options style="width:0;height:0;overflow:hidden">${options}</div>
  <div><div class=drawn><div>Porto</div></div><div class=drawn><div>Bergen</div></div></div></div><script>
  const box = document.querySelector('input');
  const show = (open) => { popup.hidden = !open; box.ariaExpanded = String(open); };
  field.onmousedown = () => show(true);
  for (const each of document.querySelectorAll('.drawn')) each.onclick = () => { box.value += each.textContent + ' '; show(false); };
</script>`;
const option = (name: string, more = '') => `<div role=option aria-label=${name} ${more}>${name.toLowerCase()}</div>`;
/** A list that closes with each choice. */
const CLOSING = `<button role=combobox aria-expanded=false aria-controls=list aria-label=City>Choose</button><ul role=listbox id=list hidden></ul><script>
  const box = document.querySelector('button');
  const show = (open) => { list.hidden = !open; box.ariaExpanded = String(open); };
  list.innerHTML = ['Porto', 'Bergen', 'Lyon'].map((name) => '<li role=option>' + name).join('');
  box.onclick = () => show(list.hidden);
  list.onclick = ({ target }) => { box.value += target.textContent + ' '; show(false); };
</script>`;

describe('selecting', () => {
  it.each([
    ['an option that is drawn elsewhere', sized(option('Porto') + option('Bergen')), ['Bergen'], 'Bergen '],
    ['one that only is drawn', sized(option('Porto')), ['Bergen'], 'Bergen '],
    ['not one that is selected', sized(option('Porto', 'aria-selected=true')), ['Porto'], ''],
    ['several of a list that closes', CLOSING, ['Porto', 'Lyon'], 'Porto Lyon '],
    ['several of such a list', sized(option('Porto') + option('Bergen')), ['Porto', 'Bergen'], 'Porto Bergen '],
  ])('%s', async (_name, html, values, expected) => {
    const read = await withActor(dataUrl(html), async ({ walk, read: readPage }) => {
      await walk([['combobox "City"', { kind: 'select', values }]]);
      return readPage('box.value');
    });
    expect(read).toBe(expected);
  });
});
