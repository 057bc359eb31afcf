import { describe, expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { dataUrl, openActor, type Step } from './with-actor.js';

const withActor = openActor();

const PAGE = `<title>Fields</title><label>From <input id="from" value="opening words"></label>
  <label>Secret <input id="secret" type="password" value="opening words"></label>
  <label>To <textarea id="to" onpaste="got = event.clipboardData.getData('text/plain')"></textarea></label>
  <button onclick="document.querySelector('#from').select(); document.execCommand('copy')">Copy</button>
  <script>got = ''</script>`;

const press = (line: string, keys: string): Step => [line, { kind: 'press', keys }];
const pasted = `[document.querySelector('#to').value, got]`;
const valuesOf = (...ids: readonly string[]) => `[${ids.map((id) => `document.querySelector('#${id}').value`).join()}]`;

const FROM = 'textbox "From"';
const TO = 'textbox "To"';
const SELECT = press(FROM, 'Control+A');

describe('within a render', () => {
  it.each<readonly [string, readonly Step[]]>([
    ['Control+C and Control+V', [SELECT, press(FROM, 'Control+C'), press(TO, 'Control+V')]],
    ['Control+Insert and Shift+Insert', [SELECT, press(FROM, 'Control+Insert'), press(TO, 'Shift+Insert')]],
    ["a button that copies by the page's script", [['button "Copy"', { kind: 'click' }], press(TO, 'Control+Shift+V')]],
  ])('%s copies and pastes, with the event', async (_how, steps) => {
    await using site = await openSite({ '/': PAGE });
    const seen = await withActor(site.url('/'), async ({ walk, read }) => {
      await walk(steps);
      return read(pasted);
    });
    expect(seen).toEqual(['opening words', 'opening words']);
  });

  it('cut text is moved, and pasted over what is selected', async () => {
    await using site = await openSite({ '/': PAGE });
    const seen = await withActor(site.url('/'), async ({ walk, read }) => {
      await walk([
        [TO, { kind: 'fill', value: 'old' }],
        SELECT,
        press(FROM, 'Shift+Delete'),
        press(TO, 'Control+A'),
        press(TO, 'Control+V'),
      ]);
      return read(valuesOf('from', 'to'));
    });
    expect(seen).toEqual(['', 'opening words']);
  });

  it.each<readonly [string, string, unknown]>([
    [
      'another text to copy',
      `addEventListener('copy', (event) => { event.clipboardData.setData('text/plain', 'other'); event.preventDefault() })`,
      'other',
    ],
    ['a paste of its own', `addEventListener('paste', (event) => event.preventDefault())`, ''],
    ['a key of its own', `addEventListener('keydown', (event) => { if (event.key === 'v') event.preventDefault() })`, ''],
  ])('the page may have %s', async (_what, script, value) => {
    await using site = await openSite({ '/': PAGE });
    const seen = await withActor(site.url('/'), async ({ walk, read }) => {
      await walk([script, SELECT, press(FROM, 'Control+C'), press(TO, 'Control+V')]);
      return read(`document.querySelector('#to').value`);
    });
    expect(seen).toBe(value);
  });

  it('nothing is pasted into a document of another origin, nor is a password copied', async () => {
    await using other = await openSite({ '/': PAGE });
    await using site = await openSite({ '/': PAGE });
    const value = await withActor(site.url('/'), async ({ walk, actor, read }) => {
      await walk([SELECT, press(FROM, 'Control+C'), `location = ${JSON.stringify(other.url('/'))}`]);
      await expect.poll(() => actor.tabs[0]?.url).toBe(other.url('/'));
      await walk([
        press(TO, 'Control+V'),
        press('textbox "Secret"', 'Control+A'),
        press('textbox "Secret"', 'Control+C'),
        press(TO, 'Control+V'),
      ]);
      return read(pasted);
    });
    expect(value).toEqual(['', '']);
  });
});

describe('between renders of a browser', () => {
  it.each<readonly [string, readonly Step[]]>([
    ['a text copied by a key', [SELECT, press(FROM, 'Control+C')]],
    ['a text cut by a key', [SELECT, press(FROM, 'Control+X')]],
    ["a text copied by the page's script", [['button "Copy"', { kind: 'click' }]]],
    ['a password selected by a key', [press('textbox "Secret"', 'Control+A')]],
    ['a password selected by clicks', [['textbox "Secret"', { kind: 'click', count: 3 }]]],
  ])('%s is read by none', async (_what, steps) => {
    const seen = await withActor(dataUrl(PAGE), async ({ walk }) => {
      await walk(steps);
      return withActor(dataUrl(PAGE), async (next) => {
        await next.walk([[TO, { kind: 'click', button: 'middle' }], press(TO, 'Control+V'), press(TO, 'Shift+Insert')]);
        return next.read(pasted);
      });
    });
    expect(seen).toEqual(['', '']);
  });
});
