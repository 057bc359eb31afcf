import { text } from 'node:stream/consumers';
import { click, finish, html, type LocalSite, noteForm, together, until } from './local-site.js';

const shadow: LocalSite = {
  name: 'upload in nested open and closed shadow roots',
  pages: ({ note }) => ({
    '/': html(
      'Upload',
      `<x-outer></x-outer><script>
        customElements.define('x-outer', class extends HTMLElement { constructor() { super();
          this.attachShadow({ mode: 'open' }).innerHTML = '<h2>Outer</h2><x-inner></x-inner>'; } });
        customElements.define('x-inner', class extends HTMLElement { constructor() { super();
          const root = this.attachShadow({ mode: 'closed' });
          root.innerHTML = '<label>Photo <input type="file"></label><button>Send</button>';
          root.querySelector('button').onclick = async () => {
            const [file] = root.querySelector('input').files;
            await fetch('/send?name=' + file.name, { method: 'POST', body: file }); root.innerHTML = '<p>Sent</p>'; }; } });
      </script>`,
    ),
    '/send': async (request) => (note([request.url, await text(request)]), ''),
  }),
  params: { navigator_file: { 'a.txt': 'data:text/plain;base64,aGVsbG8=' } },
  turns: [({ ref }) => [{ kind: 'upload', ref: ref('button', 'Photo'), files: ['a.txt'] }], click('button', 'Send'), finish],
  expected: [['/send?name=a.txt', 'hello']],
};

const dragHtml: LocalSite = {
  name: 'HTML5 drag',
  pages: ({ note }) => ({
    '/': html(
      'Board',
      `<ul aria-label="To do"><li draggable="true" id="a">Write</li><li draggable="true" id="b">Print</li></ul>
      <div role="list" aria-label="Done" id="done" style="height:120px;border:1px solid">Drop here</div><script>
        for (const one of document.querySelectorAll('li')) one.ondragstart = ({ dataTransfer }) => dataTransfer.setData('text/plain', one.id);
        done.ondragover = (event) => event.preventDefault();
        done.ondrop = (event) => { event.preventDefault(); const id = event.dataTransfer.getData('text/plain');
          done.append(document.getElementById(id)); fetch('/moved', { method: 'POST', body: new URLSearchParams({ id }) }) };
      </script>`,
    ),
    '/moved': noteForm(note),
  }),
  turns: [({ ref }) => [{ kind: 'drag', from: ref('listitem', 'Print'), to: ref('list', 'Done') }], finish],
  expected: [{ id: 'b' }],
};

const dragPointer: LocalSite = {
  name: 'drag by pointer events',
  pages: ({ note }) => ({
    '/': html(
      'Puzzle',
      `<style>#piece, #hole { position: absolute; width: 80px; height: 80px } #piece { cursor: grab; background: tan } #hole { left: 400px; top: 200px; border: 1px dashed }</style>
      <div id="hole" role="button" aria-label="Hole"></div><div id="piece">Piece</div><script>
        let held = false;
        piece.onpointerdown = (event) => { held = true; piece.setPointerCapture(event.pointerId) };
        piece.onpointermove = ({ clientX, clientY }) => { if (held) { piece.style.left = clientX - 40 + 'px'; piece.style.top = clientY - 40 + 'px' } };
        piece.onpointerup = () => { held = false; const a = piece.getBoundingClientRect(), b = hole.getBoundingClientRect();
          fetch('/placed', { method: 'POST', body: new URLSearchParams({ fits: String(Math.hypot(a.x - b.x, a.y - b.y) < 10) }) }) };
      </script>`,
    ),
    '/placed': noteForm(note),
  }),
  turns: [
    ({ ref, page }) => {
      const [, piece = ''] = /"Piece" \[ref=(e\d+)\]/.exec(page) ?? [];
      return [{ kind: 'drag', from: piece, to: ref('button', 'Hole') }];
    },
    finish,
  ],
  expected: [{ fits: 'true' }],
};

const calendar: LocalSite = {
  name: 'date picker',
  pages: ({ note }) => ({
    '/': html(
      'Hotel',
      `<form method="post" action="/book"><label>Arrival <input name="arrival" readonly></label><div id="box" hidden role="dialog" aria-label="Calendar">
        <button type="button" id="prev" aria-label="Previous month">‹</button><b id="title"></b><button type="button" id="next" aria-label="Next month">›</button>
        <table role="grid"><tbody></tbody></table></div><button>Book</button></form><script>
        const find = (selector) => document.querySelector(selector); let month = new Date(2031, 0, 1);
        const draw = () => { title.textContent = month.toLocaleDateString('en', { month: 'long', year: 'numeric' });
          const first = month.getDay(), days = new Date(month.getFullYear(), month.getMonth() + 1, 0).getDate();
          const cells = [...Array(first).fill(''), ...Array.from({ length: days }, (_, at) => at + 1)];
          find('tbody').innerHTML = Array.from({ length: Math.ceil(cells.length / 7) }, (_, row) => '<tr>' + cells.slice(row * 7, row * 7 + 7)
            .map((day) => '<td role="gridcell">' + day).join('')).join(''); };
        find('[name=arrival]').onfocus = () => { box.hidden = false; draw() };
        prev.onclick = () => { month.setMonth(month.getMonth() - 1); draw() }; next.onclick = () => { month.setMonth(month.getMonth() + 1); draw() };
        find('tbody').onclick = ({ target }) => { find('[name=arrival]').value = [month.getFullYear(), month.getMonth() + 1, target.textContent].join('-'); box.hidden = true };
      </script>`,
    ),
    '/book': noteForm(note),
  }),
  turns: [
    click('textbox', 'Arrival'),
    ...until('text', 'March 2031', {
      before: click('button', 'Next month'),
      then: click('gridcell', '17'),
    }).slice(0, 3),
    click('button', 'Book'),
    finish,
  ],
  expected: [{ arrival: '2031-3-17' }],
};

const selects: LocalSite = {
  name: 'a native select and an ARIA one',
  pages: ({ note }) => ({
    '/': html(
      'Order',
      `<form method="post" action="/order"><label>Size <select name="size"><option value="s">Small<option value="l">Large</select></label>
      <label>Extras <select name="extras" multiple><option>Milk<option>Sugar<option>Ice</select></label>
      <span id="label">Color</span><div role="combobox" aria-labelledby="label" aria-haspopup="listbox" aria-expanded="false" aria-controls="list" tabindex="0" id="box">Choose</div>
      <div role="listbox" id="list" hidden><div role="option" tabindex="-1">Red</div><div role="option" tabindex="-1">Green</div></div>
      <input type="hidden" name="color"><button>Order</button></form><script>
        box.onclick = () => { setTimeout(() => { list.hidden = false; box.setAttribute('aria-expanded', 'true') }, 50) };
        list.onclick = ({ target }) => { box.textContent = target.textContent; document.querySelector('[name=color]').value = target.textContent; list.hidden = true;
          box.setAttribute('aria-expanded', 'false') };
      </script>`,
    ),
    '/order': async (request) => (note(await text(request)), html('Thanks', '<h1>Thanks</h1>')),
  }),
  turns: [
    together(
      ({ ref }) => [{ kind: 'select', ref: ref('combobox', 'Size'), values: ['Large'] }],
      ({ ref }) => [{ kind: 'select', ref: ref('listbox', 'Extras'), values: ['Milk', 'Ice'] }],
      ({ ref }) => [{ kind: 'select', ref: ref('combobox', 'Color'), values: ['Green'] }],
    ),
    click('button', 'Order'),
    finish,
  ],
  expected: ['size=l&extras=Milk&extras=Ice&color=Green'],
};

const restless: LocalSite = {
  name: 'a button that is rendered anew every 150 ms',
  pages: ({ note }) => ({
    '/': html(
      'Ticker',
      `<ul></ul><script>
        let price = 10;
        const draw = () => { price += 1; document.querySelector('ul').innerHTML = ['Gold', 'Iron', 'Tin'].map((name) =>
          '<li>' + name + ' at ' + price + ' <button onclick="fetch(\\'/buy?' + name + '\\')">Buy ' + name + '</button>').join('') };
        draw(); setInterval(draw, 150);
      </script>`,
    ),
    '/buy': ({ url }) => (note(url), ''),
  }),
  turns: [click('button', 'Buy Iron'), finish],
  expected: ['/buy?Iron'],
};

export const WIDGETS: readonly LocalSite[] = [shadow, dragHtml, dragPointer, calendar, selects, restless];
