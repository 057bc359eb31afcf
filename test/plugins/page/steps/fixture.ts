import { text } from 'node:stream/consumers';
import { openSite, type Site } from '../../../helpers/site.js';

/** Native controls, and the same made of other elements, each of which tells the server what was done with it. */
const CONTROLS = (tell: string) => `
  <label>Name <input name=name oninput="${tell}(this.name, this.value)"></label>
  <label>Notes <textarea name=notes oninput="${tell}(this.name, this.value)"></textarea></label>
  <div contenteditable aria-label=Editor oninput="${tell}('editor', this.textContent)" style="min-height: 20px"></div>
  <label>Language <select name=lang onchange="${tell}(this.name, this.value)"><option value=en>English<option value=fr>Français</select></label>
  <label>Tags <select name=tags multiple onchange="${tell}(this.name, [...this.selectedOptions].map(({ value }) => value).join('+'))">
    <option>red<option>green<option>blue</select></label>
  <div role=combobox aria-label=Size aria-expanded=false tabindex=0 onclick="this.nextElementSibling.hidden = false">Choose</div>
  <ul role=listbox hidden><li role=option onclick="${tell}('size', 'large')">Large</li><li role=option onclick="${tell}('size', 'small')">Small</li></ul>
  <label><input type=checkbox name=stay onchange="${tell}(this.name, this.checked)"> Stay</label>
  <label><input type=checkbox name=news checked onchange="${tell}(this.name, this.checked)"> News</label>
  <div role=switch aria-checked=false aria-label=Dark tabindex=0
    onclick="this.ariaChecked = this.ariaChecked === 'true' ? 'false' : 'true'; ${tell}('dark', this.ariaChecked)">Dark</div>
  <label style="display: block"><input type=radio name=pay style="opacity: 0; position: absolute; width: 0" onchange="${tell}('pay', 'card')"> Card</label>
  <div tabindex=0 id=menu onmouseenter="${tell}('menu', 'hovered')" style="width: 80px">Menu</div>
  <div tabindex=0 id=keys onkeydown="${tell}('keys', event.key)">Keys</div>
  <div tabindex=0 id=area onclick="event.detail === 2 && ${tell}('area', event.shiftKey)" oncontextmenu="${tell}('area', 'menu')">Area</div>
  <input type=file name=file style="display: none" onchange="this.files[0].text().then((text) => ${tell}('file', this.files[0].name + ' ' + text))">
  <button onclick="${tell}('button', 'clicked')">Order   now</button>`;

const TELL = (name: string) =>
  `window.${name} = (name, value) => { const sent = name + '=' + value; document.title = sent; navigator.sendBeacon('/told', sent) };`;

export interface Fixture extends AsyncDisposable {
  readonly site: Site;
  /** What the pages told, without repetitions. */
  readonly told: string[];
}

export async function openFixture(): Promise<Fixture> {
  const told: string[] = [];
  const site: Site = await openSite({
    '/controls': `<!doctype html><script>${TELL('tell')}</script>${CONTROLS('tell')}`,
    '/frames': () => `<!doctype html><p>Top</p><iframe src="${site.url('/controls', 'localhost')}" width=900 height=900></iframe>`,
    '/shadow': `<!doctype html><script>${TELL('tell')}</script><x-open></x-open><script>
      document.querySelector('x-open').attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(CONTROLS('tell'))};</script>`,
    '/closed': `<!doctype html><script>${TELL('tell')}</script><x-closed></x-closed><script>
      document.querySelector('x-closed').attachShadow({ mode: 'closed' }).innerHTML = ${JSON.stringify(CONTROLS('tell'))};</script>`,
    '/told': async (request) => {
      told.push(await text(request));
      return '';
    },
    '/login': ({ headers }) =>
      headers.cookie === 'session=1'
        ? '<!doctype html><title>Account</title><h1>Welcome, Ada</h1><a href=/orders>Orders</a>'
        : `<!doctype html><title>Sign in</title><form method=post action=/session><label>User <input name=user></label>
          <label>Password <input name=pass type=password></label><button>Sign in</button></form>`,
    '/session': async (request) => {
      told.push(await text(request));
      return { status: 303, headers: { location: '/login', 'set-cookie': 'session=1' } };
    },
    '/orders': '<!doctype html><title>Orders</title><h1>Orders</h1><a href=/orders/1>1</a>',
    '/orders/1': '<!doctype html><title>Order 1</title>',
    '/links': `<!doctype html><title>Links</title><a href=/orders target=_blank>New tab</a> <a href=/orders>Same tab</a>
      <button onclick="document.title = String(confirm('Sure?'))">Ask</button><button onclick="document.title = String(prompt('Who?'))">Name</button>
      <button onclick="setTimeout(() => location.hash = 'late', 300)">Later</button>
      <button onclick="setTimeout(() => { document.title = String(confirm('Now?')); this.insertAdjacentHTML('afterend', '<button id=after>After</button>') }, 300)">Soon</button>
      <button onclick="for (;;) alert('Again')">Endless</button>
      <p style="display: none">Secret</p><button disabled>Locked</button>
      <script>document.body.insertAdjacentHTML('beforeend', '<div style="height: 5000px"></div><p id=end>End</p>')
        new IntersectionObserver(([entry]) => { if (entry.isIntersecting) document.title = 'seen' }).observe(document.querySelector('#end'))</script>`,
    '/feed': `<!doctype html><title>0</title><body><script>
      const add = () => document.body.insertAdjacentHTML('beforeend', '<div style="height: 900px">' + (document.title = Number(document.title) + 1) + '</div>');
      add(); addEventListener('scroll', () => { if (document.title < 5 && scrollY + innerHeight > document.body.scrollHeight - 50) add() })</script>`,
    '/drag': `<!doctype html><div draggable=true id=card ondragstart="event.dataTransfer.setData('text', 'card')">Card</div>
      <div id=done style="height: 100px" ondragover="event.preventDefault()" ondrop="document.title = 'dropped ' + event.dataTransfer.getData('text')">Done</div>`,
  });
  return {
    site,
    told,
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
    },
  };
}
