import { text } from 'node:stream/consumers';
import { click, fill, finish, html, type LocalSite, noteForm, together, until } from './local-site.js';

const PRODUCTS = Array.from({ length: 25 }, (_, index) => (index === 22 ? 'Copper kettle' : `Kettle ${String(index + 1)}`));

const search: LocalSite = {
  name: 'search with several pages',
  pages: ({ note }) => ({
    '/': html('Shop', '<form action="/find"><label>Search <input name="q"></label><button>Go</button></form>'),
    '/find': ({ url = '/' }) => {
      const query = new URL(url, 'http://shop').searchParams;
      const page = Number(query.get('page') ?? 1);
      const items = PRODUCTS.slice((page - 1) * 10, page * 10).map(
        (name) => `<li><a href="/item?n=${encodeURIComponent(name)}">${name}</a>`,
      );
      return html(
        'Results',
        `<ul>${items.join('')}</ul>${page < 3 ? `<a href="/find?q=kettle&page=${String(page + 1)}">Next page</a>` : ''}`,
      );
    },
    '/item': ({ url = '/' }) => {
      const name = new URL(url, 'http://shop').searchParams.get('n') ?? '';
      return html(
        name,
        `<h1>${name}</h1><form method="post" action="/basket"><input type="hidden" name="n" value="${name}"><button>Add to basket</button></form>`,
      );
    },
    '/basket': noteForm(note),
  }),
  turns: [
    fill('Search', 'kettle', { submit: true }),
    ...[click('link', 'Next page'), click('link', 'Next page'), click('link', 'Copper kettle'), click('button', 'Add to basket'), finish],
  ],
  expected: [{ n: 'Copper kettle' }],
};

const checkout: LocalSite = {
  name: 'checkout with a card frame of another site and a confirmation',
  pages: ({ note, elsewhere }) => ({
    '/': () =>
      html(
        'Checkout',
        `<form method="post" action="/pay" onsubmit="return confirm('Pay 10 EUR?')">
          <label>Name <input name="name" required></label><input type="hidden" name="token">
          <iframe src="${elsewhere('/card')}" title="Card" width="400" height="120"></iframe><button>Pay</button></form>
        <script>onmessage = ({ data }) => { document.querySelector('[name=token]').value = data }</script>`,
      ),
    '/pay': noteForm(note),
  }),
  others: () => ({
    '/card': html(
      'Card',
      `<label>Card number <input inputmode="numeric"></label><label>Expires <input></label>
      <script>oninput = () => parent.postMessage([...document.querySelectorAll('input')].map(({ value }) => value).join('|'), '*')</script>`,
    ),
  }),
  params: { navigator_data: { card: '4242424242424242' } },
  turns: [
    together(fill('Name', 'Ada'), fill('Card number', 'data:card'), fill('Expires', '12/30')),
    click('button', 'Pay'),
    ({ page }) => [{ kind: 'dialog', accept: page.includes('Pay 10 EUR?') }],
    finish,
  ],
  expected: [{ name: 'Ada', token: '4242424242424242|12/30' }],
};

const popup: LocalSite = {
  name: 'popup that returns a value to its opener and closes itself',
  pages: ({ note }) => ({
    '/': html(
      'Trip',
      `<form method="post" action="/book"><label>Airport <input name="airport" readonly></label>
      <button type="button" onclick="window.open('/airports', 'airports', 'width=300,height=300')">Choose</button><button>Book</button></form>`,
    ),
    '/airports': html(
      'Airports',
      ['Oslo', 'Rome']
        .map(
          (name) => `<button onclick="opener.document.querySelector('[name=airport]').value = '${name}'; window.close()">${name}</button>`,
        )
        .join(''),
    ),
    '/book': noteForm(note),
  }),
  turns: [click('button', 'Choose'), click('button', 'Rome'), click('button', 'Book'), finish],
  expected: [{ airport: 'Rome' }],
};

const STEPS = ['Name', 'Email', 'Postcode', 'City'];
/** What each step accepts. */
const VALID = [/^\w{2,}$/, /^\S+@\S+$/, /^\d{5}$/, /^\w+$/];

const wizard: LocalSite = {
  name: 'wizard of four steps with errors',
  pages: ({ note }) => ({
    '/': html(
      'Wizard',
      `<form><h1></h1><label><span></span> <input></label><p role="alert"></p><button type="button" id="back">Back</button><button>Continue</button></form>
      <script>
        const names = ${JSON.stringify(STEPS)}, values = []; let step = 0;
        const find = (selector) => document.querySelector(selector);
        const show = () => { find('h1').textContent = 'Step ' + (step + 1); find('span').textContent = names[step];
          find('input').value = values[step] ?? ''; find('#back').disabled = step === 0; find('[role=alert]').textContent = ''; };
        find('#back').onclick = () => { step -= 1; show(); };
        find('form').onsubmit = async (event) => {
          event.preventDefault(); values[step] = find('input').value;
          const { ok } = await fetch('/check?step=' + step, { method: 'POST', body: values[step] });
          if (!ok) { find('[role=alert]').textContent = names[step] + ' is not valid'; return; }
          step += 1; if (step < names.length) return show();
          await fetch('/finish', { method: 'POST', body: new URLSearchParams(values.map((value, index) => [names[index], value])) });
          document.body.innerHTML = '<h1>Finished</h1>';
        };
        show();
      </script>`,
    ),
    '/check': async (request) => {
      const { searchParams } = new URL(request.url ?? '/', 'http://wizard');
      const value = await text(request);
      return { status: VALID[Number(searchParams.get('step'))]?.test(value) === true ? 200 : 422 };
    },
    '/finish': noteForm(note),
  }),
  turns: [
    fill('Name', 'Ada', { submit: true }),
    fill('Email', 'ada', { submit: true }),
    (shown) => (shown.page.includes('Email is not valid') ? fill('Email', 'ada@example.org', { submit: true })(shown) : []),
    together(fill('Postcode', '123'), click('button', 'Continue')),
    (shown) =>
      shown.page.includes('Postcode is not valid') ? together(fill('Postcode', '12345'), click('button', 'Continue'))(shown) : [],
    fill('City', 'Oslo', { submit: true }),
    finish,
  ],
  expected: [{ Name: 'Ada', Email: 'ada@example.org', Postcode: '12345', City: 'Oslo' }],
};

const endless: LocalSite = {
  name: 'endless list: the item comes after three loads',
  pages: ({ note }) => ({
    '/': html(
      'News',
      `<ul id="list"></ul><div id="end" style="height:40px"></div><script>
        let loads = 0;
        const load = async () => { const from = loads * 15; loads += 1; await fetch('/more');
          for (let at = from; at < from + 15; at += 1) list.insertAdjacentHTML('beforeend', '<li style="height:60px"><a href="/read?n=' + at + '">Story ' + at + '</a>'); };
        new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting && loads < 9) load() }).observe(end);
      </script>`,
    ),
    '/more': { body: '{}' },
    '/read': ({ url }) => (note(url), html('Story', '<h1>Story</h1>')),
  }),
  turns: until('link', 'Story 47', { before: () => [{ kind: 'scroll', dir: 'down' }], then: click('link', 'Story 47') }),
  params: { navigator_max_steps: 20, navigator_stall_escalation: 0 },
  expected: ['/read?n=47'],
};

const routes: LocalSite = {
  name: 'single-page routes',
  pages: ({ note }) => ({
    '/': html(
      'App',
      `<nav><a href="#/settings">Settings</a> <a href="/profile" id="push">Profile</a></nav><main></main><script>
        const main = document.querySelector('main');
        const show = async () => {
          main.innerHTML = '<p>Loading</p>'; const at = location.pathname + location.hash;
          await fetch('/data');
          main.innerHTML = at.endsWith('#/settings') ? '<h1>Settings</h1><label><input type="checkbox"> Dark mode</label>'
            : '<h1>Profile</h1><label>City <input></label><button>Save</button>';
          main.querySelector('[type=checkbox]')?.addEventListener('change', ({ target }) => { document.body.dataset.dark = target.checked });
          main.querySelector('button')?.addEventListener('click', () => fetch('/save', { method: 'POST',
            body: new URLSearchParams({ at, dark: document.body.dataset.dark, city: main.querySelector('input').value }) })); };
        onhashchange = show;
        push.onclick = (event) => { event.preventDefault(); history.pushState({}, '', '/profile'); show() };
      </script>`,
    ),
    '/data': '{}',
    '/save': noteForm(note),
  }),
  turns: [
    click('link', 'Settings'),
    ({ ref }) => [{ kind: 'check', ref: ref('checkbox', 'Dark mode'), on: true }],
    click('link', 'Profile'),
    together(fill('City', 'Oslo'), click('button', 'Save')),
    finish,
  ],
  expected: [{ at: '/profile', dark: 'true', city: 'Oslo' }],
};

export const FLOWS: readonly LocalSite[] = [search, checkout, popup, wizard, endless, routes];
