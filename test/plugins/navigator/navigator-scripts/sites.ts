import { text } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { done, type Turn } from '../../../helpers/navigator-script.js';
import { openSite, type Site } from '../../../helpers/site.js';

/** A local site, a navigation of it, and the state of its server in the end. */
export interface ReplayCase {
  readonly name: string;
  readonly routes: (state: string[], port: () => number) => Parameters<typeof openSite>[0];
  readonly start: string;
  readonly turns: readonly Turn[];
  readonly params?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly end: readonly string[];
}

async function fieldsOf(request: IncomingMessage): Promise<string> {
  return new URLSearchParams(await text(request)).toString();
}

const seeOther = (location: string) => ({ status: 303, headers: { location } });

const signIn: ReplayCase = {
  name: 'sign-in',
  routes: (state) => ({
    '/': `<title>Sign in</title><form method=post action=/login><label>User <input name=user></label>
      <label>Password <input name=pass type=password></label><label><input type=checkbox name=stay value=yes> Stay</label>
      <label>Language <select name=lang><option value=en>English<option value=fr>Français</select></label><button>Sign in</button></form>`,
    '/login': async (request) => {
      state.push(await fieldsOf(request));
      return seeOther('/account/4711');
    },
    '/account/4711':
      '<title>Account</title><h1>Welcome, Ada</h1><div onclick="fetch(`/log?hello`).then(() => { this.textContent = `Sent` })" style="cursor: pointer">Say hello</div>',
    '/log': (request) => (state.push(request.url ?? ''), 'ok'),
  }),
  start: '/',
  turns: [
    ({ ref }) => [
      { kind: 'fill', ref: ref('textbox', 'User'), value: 'data:person.name', why: 'the user name' },
      { kind: 'fill', ref: ref('textbox', 'Password'), value: 'credential:password' },
      { kind: 'check', ref: ref('checkbox', 'Stay'), on: true },
      { kind: 'select', ref: ref('combobox', 'Language'), values: ['Français'] },
    ],
    ({ ref }) => [{ kind: 'click', ref: ref('button', 'Sign in'), why: 'sign in' }],
    ({ ref }) => [{ kind: 'click', ref: ref('clickable', 'Say hello') }],
    () => [done()],
  ],
  params: { navigator_credential: { password: 'correct "horse" & battery' }, navigator_data: { 'person.name': 'ada' } },
  env: { CRED_PASSWORD: 'correct "horse" & battery' },
  end: ['user=ada&pass=correct+%22horse%22+%26+battery&stay=yes&lang=fr', '/log?hello'],
};

const search: ReplayCase = {
  name: 'search with pages',
  routes: (state) => ({
    '/': '<title>Search</title><form action=/search><input name=q placeholder="Find products"></form>',
    '/search': (request) => {
      const { searchParams } = new URL(request.url ?? '', 'http://site');
      const [q, page] = [searchParams.get('q') ?? '', Number(searchParams.get('page') ?? '1')];
      const items = [1, 2, 3].map(
        (index) => `<li>${q} ${String(page * 10 + index)} <a href="/buy?id=${String(page * 10 + index)}">Buy</a>`,
      );
      return `<title>Page ${String(page)}</title><ul>${items.join('')}</ul><a href="/search?q=${q}&page=${String(page + 1)}">Next</a>`;
    },
    '/buy': (request) => (state.push(request.url ?? ''), '<title>Bought</title><p class=thanks>Thanks</p>'),
  }),
  start: '/',
  turns: [
    ({ ref }) => [{ kind: 'fill', ref: ref('textbox', 'Find products'), value: 'rain', submit: true }],
    ({ ref }) => [{ kind: 'click', ref: ref('link', 'Next') }],
    ({ ref }) => [{ kind: 'click', ref: ref('link', 'Next') }],
    ({ page }) => [{ kind: 'click', ref: [...page.matchAll(/link "Buy" \[ref=(e\d+)\]/g)][1]?.[1] ?? page }],
  ],
  params: { navigator_goal: 'css:.thanks' },
  end: ['/buy?id=32'],
};

const checkout: ReplayCase = {
  name: 'checkout with a cross-site frame and dialogs',
  routes: (state, port) => ({
    '/': () => `<title>Checkout</title><iframe name=pay src="http://localhost:${String(port())}/card" width=500 height=300></iframe>
      <button id=order>Order</button><script>
      document.querySelector('#order').onclick = () => {
        if (!confirm('Order now?')) return;
        const name = prompt('Your name?', 'nobody');
location.href = '/thanks?order=' + Math.random().toString(16).slice(2, 12) + '&name=' + name;
      };</script>`,
    '/card': '<title>Card</title><form method=post action=/pay><label>Card number <input name=card></label><button>Pay</button></form>',
    '/pay': async (request) => {
      state.push(await fieldsOf(request));
      return '<title>Paid</title><p>Paid';
    },
    '/thanks': (request) => {
      const { searchParams } = new URL(request.url ?? '', 'http://site');
      state.push(`thanks ${String(searchParams.get('name'))}`);
      return '<title>Thanks</title><h1>Thank you</h1>';
    },
  }),
  start: '/',
  turns: [
    ({ ref }) => [
      { kind: 'fill', ref: ref('textbox', 'Card number'), value: '4111' },
      { kind: 'click', ref: ref('button', 'Pay') },
    ],
    ({ ref }) => [{ kind: 'click', ref: ref('button', 'Order') }],
    () => [{ kind: 'dialog', accept: true }],
    () => [{ kind: 'dialog', accept: true, text: 'Ada' }],
    () => [done()],
  ],
  end: ['card=4111', 'thanks Ada'],
};

const shadow: ReplayCase = {
  name: 'nested open and closed shadow roots with an upload',
  routes: (state) => ({
    '/': `<title>Apply</title><x-outer></x-outer><x-outer></x-outer><script>
      customElements.define('x-inner', class extends HTMLElement { connectedCallback() {
        const root = this.attachShadow({ mode: 'closed' });
        root.innerHTML = '<label>Letter <input type=file></label><input class=note><button>Send</button>';
        root.querySelector('button').onclick = async () => {
          const [file] = root.querySelector('[type=file]').files;
          await fetch('/send', { method: 'POST', body: [this.title, root.querySelector('.note').value, file.name, await file.text()].join('|') });
          root.querySelector('button').textContent = 'Sent';
        };
      } });
      let count = 0;
      customElements.define('x-outer', class extends HTMLElement { connectedCallback() {
        this.attachShadow({ mode: 'open' }).innerHTML = '<x-inner title=' + (count += 1) + '></x-inner>';
      } });</script>`,
    '/send': async (request) => (state.push(await text(request)), 'ok'),
  }),
  start: '/',
  turns: [
    ({ page }) => {
      const second = (pattern: RegExp) => [...page.matchAll(pattern)][1]?.[1] ?? page;
      return [
        { kind: 'upload', ref: second(/button "[^"]*Letter[^"]*" \[ref=(e\d+)\]/g), files: ['letter.txt'] },
        { kind: 'fill', ref: second(/textbox \[ref=(e\d+)\]/g), value: 'hello' },
        { kind: 'click', ref: second(/button "Send" \[ref=(e\d+)\]/g) },
      ];
    },
    ({ ref }) => (ref('button', 'Sent'), [done()]),
  ],
  params: { navigator_file: { 'letter.txt': `data:text/plain;base64,${Buffer.from('Dear all').toString('base64')}` } },
  files: { 'letter.txt': 'Dear all' },
  end: ['2|hello|letter.txt|Dear all'],
};

const popup: ReplayCase = {
  name: 'popup',
  routes: (state) => ({
    '/': '<title>Main</title><a href=/details target=_blank>Details</a><a href=/confirm target=_blank rel=opener>Confirm</a><p id=said></p>',
    '/details': '<title>Details</title><button onclick="fetch(`/log?details`).then(() => { this.textContent = `Read` })">Read</button>',
    '/confirm': `<title>Confirm</title><button id=yes>Yes</button><script>
      yes.onclick = async () => {
        await fetch('/log?confirmed');
        opener.said.innerHTML = '<button onclick="fetch(\`/log?end\`); this.remove()">End</button>';
        close();
      };</script>`,
    '/log': (request) => (state.push(request.url ?? ''), 'ok'),
  }),
  start: '/',
  turns: [
    ({ ref }) => [{ kind: 'click', ref: ref('link', 'Details') }],
    ({ ref }) => [{ kind: 'click', ref: ref('button', 'Read') }],
    () => [{ kind: 'tab', tab: 't1' }],
    ({ ref }) => [{ kind: 'click', ref: ref('link', 'Confirm') }],
    ({ ref }) => [{ kind: 'click', ref: ref('button', 'Yes') }],
    ({ ref }) => [{ kind: 'click', ref: ref('button', 'End') }],
    () => [{ kind: 'tab', tab: 't2', close: true }],
    () => [done()],
  ],
  end: ['/log?details', '/log?confirmed', '/log?end'],
};

const widgets: ReplayCase = {
  name: 'drag, lists, hidden controls, keys, scrolling, file chooser, going back',
  routes: (state) => ({
    '/': `<title>Widgets</title><style>li, .box { border: 1px solid; padding: 9px; width: 100px } .off { position: absolute; width: 1px; height: 1px; clip-path: inset(50%) }</style>
      <div id=a class=box draggable=true role=button aria-label="Piece">Piece</div><div id=b class=box role=button aria-label="Board">Board</div>
      <div role=combobox aria-expanded=false tabindex=0 aria-label=Color id=color>Color</div><div role=listbox hidden id=colors><div role=option>Red</div><div role=option>Blue</div></div>
      <input type=checkbox class=off id=agree><label for=agree>Agree</label>
      <label>Day <input type=date id=day></label>
      <label>Notes <textarea id=notes></textarea></label>
      <button id=attach>Attach</button><input type=file hidden id=file>
      <div style="height: 3000px"></div><p id=more></p>
      <a href=/two>Two</a><script>
      const log = (text) => fetch('/log?' + encodeURIComponent(text));
      a.ondragstart = (event) => event.dataTransfer.setData('text/plain', 'piece');
      b.ondragover = (event) => event.preventDefault();
      b.ondrop = (event) => { event.preventDefault(); log('drop ' + event.dataTransfer.getData('text/plain')); };
      color.onclick = () => { colors.hidden = !colors.hidden; color.ariaExpanded = String(!colors.hidden); };
      colors.onclick = ({ target }) => { log('color ' + target.textContent); colors.hidden = true; color.ariaExpanded = 'false'; };
      agree.onchange = () => log('agree ' + agree.checked);
      day.onchange = () => log('day ' + day.value);
      notes.onkeydown = (event) => { if (event.key === 'Enter' && event.ctrlKey) log('notes ' + notes.value); };
      attach.onclick = () => file.click();
      file.onchange = async () => log('file ' + file.files[0].name + ' ' + (await file.files[0].text()));
      addEventListener('scroll', () => { if (scrollY > 900 && !more.textContent) { more.textContent = 'more'; log('scrolled'); } });
      </script>`,
    '/two': '<title>Two</title><a href=/three>Three</a>',
    '/three': (request) => (state.push(request.url ?? ''), '<title>Three</title>'),
    '/log': (request) => (state.push(decodeURIComponent((request.url ?? '').slice('/log?'.length))), 'ok'),
  }),
  start: '/',
  turns: [
    ({ ref }) => [{ kind: 'drag', from: ref('button', 'Piece'), to: ref('button', 'Board') }],
    ({ ref }) => [{ kind: 'select', ref: ref('combobox', 'Color'), values: ['Blue'] }],
    ({ ref }) => [{ kind: 'check', ref: ref('checkbox', 'Agree'), on: true }],
    ({ ref }) => [{ kind: 'fill', ref: ref('datebox', 'Day'), value: '2026-11-24' }],
    ({ ref }) => [{ kind: 'fill', ref: ref('textbox', 'Notes'), value: 'one\ntwo "three"' }],
    ({ ref }) => [{ kind: 'press', ref: ref('textbox', 'Notes'), keys: 'Control+Enter' }],
    ({ ref }) => [{ kind: 'upload', ref: ref('button', 'Attach'), files: ['a b.txt'] }],
    () => [{ kind: 'scroll', dir: 'down', amount: 1200 }],
    ({ ref }) => [{ kind: 'click', ref: ref('link', 'Two') }],
    ({ ref }) => [{ kind: 'click', ref: ref('link', 'Three') }],
    () => [{ kind: 'back' }],
    () => [{ kind: 'goto', url: '/three?again' }],
    () => [done()],
  ],
  params: { navigator_file: { 'a b.txt': `data:text/plain;base64,${Buffer.from('text').toString('base64')}` }, navigator_max_steps: 20 },
  files: { 'a b.txt': 'text' },
  end: [
    'drop piece',
    'color Blue',
    'agree true',
    'day 2026-11-24',
    'notes one\ntwo "three"',
    'file a b.txt text',
    'scrolled',
    '/three',
    '/three?again',
  ],
};

/** What is found by its text only, and a list that closes with each choice. */
const profile: ReplayCase = {
  name: 'profile of drawn controls',
  routes: (state) => ({
    '/': `<title>Profile</title><style>.clear { position: absolute; opacity: 0 } .cut { position: absolute; width: 1px; height: 1px; clip-path: inset(50%) }</style>
      <label><input type=checkbox checked class=clear id=share><span>Share my place</span></label>
      <label><input type=checkbox class=cut id=mail><i></i><span>Send mail</span></label>
      <div contenteditable id=one><p>First</p></div><div contenteditable id=two><p>Second</p></div>
      <button role=combobox aria-expanded=false aria-label=Tags>Choose</button><ul role=listbox id=list hidden></ul>
      <input aria-label=Code maxlength=1><input maxlength=1 id=last><button id=save>Save</button><script>
        const [tags, code] = document.querySelectorAll('[aria-label]');
        const chosen = [];
        const show = (open) => { list.hidden = !open; tags.ariaExpanded = String(open); };
        tags.onclick = () => show(list.hidden);
        list.innerHTML = ['Red', 'Green', 'Blue'].map((name) => '<li role=option>' + name).join('');
        list.onclick = ({ target }) => { chosen.push(target.textContent); show(false); };
        code.onkeyup = () => last.focus();
        save.onclick = () => fetch('/save?' + [share.checked, mail.checked, one.innerText.trim(), two.innerText.trim(), ...chosen, code.value + last.value]);
      </script>`,
    '/save': (request) => (state.push(request.url ?? ''), 'ok'),
  }),
  start: '/',
  turns: [
    ({ ref, page }) => [
      { kind: 'check', ref: ref('checkbox', 'Share my place'), on: false },
      { kind: 'check', ref: ref('checkbox', 'Send mail'), on: true },
      { kind: 'fill', ref: ref('editable'), value: 'AAA' },
      { kind: 'fill', ref: /(e\d+)\] value="Second"/.exec(page)?.[1], value: 'BBB' },
    ],
    ({ ref }) => [
      { kind: 'select', ref: ref('combobox', 'Tags'), values: ['Red', 'Blue'] },
      { kind: 'type', ref: ref('textbox', 'Code'), value: '47' },
      { kind: 'click', ref: ref('button', 'Save') },
    ],
    () => [done()],
  ],
  end: ['/save?false,true,AAA,BBB,Red,Blue,47'],
};

export const CASES: readonly ReplayCase[] = [signIn, search, checkout, shadow, popup, widgets, profile];

/** The site of a case, with the state of its server. */
export async function openCase({ routes }: Pick<ReplayCase, 'routes'>): Promise<{ readonly site: Site; readonly state: string[] }> {
  const state: string[] = [];
  let port = 0;
  const site = await openSite(routes(state, () => port));
  ({ port } = site);
  return { site, state };
}
