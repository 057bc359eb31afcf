// Tasks that need values in fields.
import { after, click, fill, find, indexOf, match, need, ordinal, quoted, submit, withRole } from './hands.mjs';

async function fillAndSubmit(world, value, name = 'Submit') {
  await fill(world, value);
  await submit(world, name);
}

const typed = (change) => (world) => fillAndSubmit(world, change(quoted(world)[0], world.goal));

async function login(world, button) {
  const [user, password] = quoted(world);
  await fill(world, user, 0);
  await fill(world, password, 1);
  await submit(world, button);
}

/** By the clipboard: a snapshot has each run of white space as one space. */
async function copy(world, { from, to }) {
  const boxes = withRole(await world.look(), 'textbox');
  for (const keys of ['Control+A', 'Control+C']) await world.act({ kind: 'press', ref: boxes[from].ref, keys });
  await world.act({ kind: 'press', ref: boxes[to].ref, keys: 'Control+V' });
  await submit(world);
}

/** A popup asks in between: `OK` continues. */
async function loginPopup(world) {
  const [user, password] = quoted(world);
  for (const [at, value] of [user, password].entries()) {
    await fill(world, value, at).catch(() => undefined);
    const cancel = (await world.look()).lines.find(({ name, ref }) => ref !== undefined && /^(?:cancel|no|exit)$/i.test(name));
    if (cancel === undefined) continue;
    await world.act({ kind: 'click', ref: cancel.ref });
    await fill(world, value, at);
  }
  await click(world, 'button', /^(?:Login|OK)$/);
}

/** Each textbox is named by the text before it. */
async function searchMovies(world) {
  const [genre, director, year] = match(world.goal, /Search for (.*) movies directed by (.*) from year (\d+)/);
  for (const [label, value] of [
    [/^Genre/i, genre],
    [/^Director/i, director],
    [/^Year/i, year],
  ]) {
    const seen = await world.look();
    const own = find(seen, 'textbox', label);
    await world.act({ kind: 'fill', ref: (own ?? after(seen, label, 'textbox')).ref, value });
  }
  await click(world, /button|clickable/, /^(?:Search|Submit)$/);
}

async function readTable(world) {
  const { lines } = await world.look();
  const cells = lines.filter(({ role }) => role === 'cell' || role === 'gridcell' || role === 'text');
  const boxes = lines.filter(({ role }) => role === 'textbox');
  for (const box of boxes) {
    const label = boxes.length === 1 ? match(world.goal, /value of (.*) into/)[0] : lines[lines.indexOf(box) - 1].name.replace(/:$/, '');
    const at = cells.findIndex(({ role, name }) => role === 'cell' && name === label);
    await world.act({ kind: 'fill', ref: box.ref, value: cells[at + 1].name });
  }
  await submit(world);
}

async function guess(world) {
  let [low, high] = match(world.goal, /between (\d+)-(\d+)/).map(Number);
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    await world.act({ kind: 'fill', ref: need(await world.look(), 'spinbutton').ref, value: String(middle) });
    await submit(world);
    if (await world.isOver()) return;
    const { text } = await world.look();
    if (/higher than/.test(text)) low = middle + 1;
    else high = middle - 1;
  }
}

async function generate(world) {
  const [relation, text] = match(world.goal, /Generate an? (.*?) ?(\d*), then press submit/);
  const accepts = {
    'greater than': (n) => n > Number(text),
    'less than': (n) => n < Number(text),
    even: (n) => n % 2 === 0,
    odd: (n) => n % 2 === 1,
  };
  const test = Object.entries(accepts).find(([name]) => relation.includes(name))?.[1] ?? (() => true);
  for (;;) {
    await submit(world, 'Generate');
    const number = (await world.look()).lines.find(({ role, name }) => role === 'text' && /^\d+$/.test(name));
    if (number !== undefined && test(Number(number.name))) return submit(world);
  }
}

/** Presses arrows until the text beside the slider is the value. */
async function slideTo(world, { slider, read, value }) {
  for (;;) {
    const shown = read(await world.look());
    if (shown === value) return;
    await world.act({ kind: 'press', ref: (await slider()).ref, keys: shown < value ? 'ArrowRight' : 'ArrowLeft' });
  }
}

const handlesOf = ({ lines }) => lines.filter(({ role, ref }) => ref !== undefined && (role === 'slider' || role === 'focusable'));
const numbersOf = ({ lines }) => lines.filter(({ role, name }) => role === 'text' && /^-?\d+$/.test(name)).map(({ name }) => Number(name));

async function useSliders(world) {
  const wanted = /\[(.*)\]/.exec(world.goal)?.[1].split(',').map(Number) ?? [Number(match(world.goal, /Select (-?\d+)/)[0])];
  for (const [at, value] of wanted.entries())
    await slideTo(world, { slider: async () => handlesOf(await world.look())[at], read: (seen) => numbersOf(seen)[at], value });
  if (/checkbox/.test(world.goal))
    await world.act({ kind: 'check', ref: withRole(await world.look(), 'checkbox')[ordinal(world.goal)].ref, on: true });
  await submit(world);
}

async function formSequence2(world) {
  const [radio] = match(world.goal, /(\d+\w+) radio/);
  const [box] = match(world.goal, /into the (\d+\w+) textbox/);
  await world.act({ kind: 'check', ref: withRole(await world.look(), 'radio')[ordinal(radio)].ref, on: true });
  await fill(world, quoted(world)[0], ordinal(box));
  await submit(world);
}

async function formSequence3(world) {
  const [option] = match(world.goal, /Choose (.*) from the dropdown/);
  await click(world, 'clickable');
  await click(world, undefined, option);
  await submit(world, quoted(world)[0]);
}

async function autocomplete(world) {
  const [start, end = ''] = quoted(world);
  const [box] = withRole(await world.look(), 'textbox');
  await world.act({ kind: 'fill', ref: box.ref, value: start });
  const item = (await world.look()).lines.find(
    ({ ref, role, name }) => ref !== undefined && role !== 'textbox' && name.startsWith(start) && name.endsWith(end),
  );
  if (item === undefined) throw new Error('the list has no such item');
  await world.act({ kind: 'click', ref: item.ref });
  await submit(world);
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

async function chooseDate(world) {
  const [month, day] = match(world.goal, /(\d+)\/(\d+)\/\d+/).map(Number);
  await world.act({ kind: 'click', ref: withRole(await world.look(), 'textbox')[0].ref });
  for (;;) {
    const seen = await world.look();
    const shown = MONTHS.findIndex((name) => seen.lines.some((line) => line.name.startsWith(name)));
    if (shown === month - 1) break;
    await world.act({ kind: 'click', ref: need(seen, undefined, shown > month - 1 ? /^Prev/ : /^Next/).ref });
  }
  await click(world, 'link', String(day));
  await submit(world);
}

const lastText = (seen) => seen.lines.filter(({ role }) => role === 'text').at(-1).name;

export const FILLING = {
  'enter-text': typed((text) => text),
  'enter-text-dynamic': typed((text) => text),
  'enter-text-2': typed((text, goal) => (/upper case/.test(goal) ? text.toUpperCase() : text.toLowerCase())),
  async 'enter-password'(world) {
    for (const at of [0, 1]) await fill(world, quoted(world)[0], at);
    await submit(world);
  },
  async 'enter-date'(world) {
    const [month, day, year] = match(world.goal, /(\d+)\/(\d+)\/(\d+)/);
    await world.act({ kind: 'fill', ref: need(await world.look(), 'datebox').ref, value: `${year}-${month}-${day}` });
    await submit(world);
  },
  async 'enter-time'(world) {
    const [hours, minutes, half] = match(world.goal, /(\d+):(\d+) (AM|PM)/);
    const hour = (Number(hours) % 12) + (half === 'PM' ? 12 : 0);
    await world.act({ kind: 'fill', ref: need(await world.look(), 'timebox').ref, value: `${String(hour).padStart(2, '0')}:${minutes}` });
    await submit(world);
  },
  'login-user': (world) => login(world, 'Login'),
  'login-user-popup': loginPopup,
  'focus-text': (world) => click(world, 'textbox'),
  'focus-text-2': async (world) => world.act({ kind: 'click', ref: withRole(await world.look(), 'textbox')[ordinal(world.goal)].ref }),
  async 'choose-list'(world) {
    const [value] = match(world.goal, /Select (.*) from the list/);
    await world.act({ kind: 'select', ref: need(await world.look(), 'combobox').ref, values: [value] });
    await submit(world);
  },
  async 'click-scroll-list'(world) {
    const [values] = match(world.goal, /Select (.*) from the scroll list/);
    await world.act({ kind: 'select', ref: need(await world.look(), 'listbox').ref, values: values.split(/, | and /) });
    await submit(world);
  },
  'copy-paste': (world) => copy(world, { from: 0, to: 1 }),
  'copy-paste-2': (world) => copy(world, { from: ordinal(world.goal), to: 3 }),
  async 'find-word'(world) {
    const words = lastText(await world.look()).split(/\s+/);
    await fillAndSubmit(world, words[ordinal(world.goal)].replace(/[.,]$/, ''));
  },
  async 'text-transform'(world) {
    const { lines } = await world.look();
    await fillAndSubmit(
      world,
      lines
        .filter(({ role }) => role === 'text')
        .slice(1)
        .map(({ name }) => name)
        .join(''),
    );
  },
  async 'simple-arithmetic'(world) {
    const [a, operator, b] = match(lastText(await world.look()), /(-?\d+) (\S) (-?\d+)/);
    const results = { '+': Number(a) + Number(b), '-': Number(a) - Number(b) };
    await fillAndSubmit(world, String(results[operator] ?? Number(a) * Number(b)));
  },
  async 'simple-algebra'(world) {
    const seen = await world.look();
    const { name } = seen.lines[indexOf(seen, / = -?\d+$/)];
    const solve = (x) => {
      const [left, operator, right, result] = match(name.replace(/x/g, `(${x})`), /^\(?(-?\d+)\)? (\S) \(?(-?\d+)\)? = (-?\d+)$/);
      return Number(left) + (operator === '+' ? 1 : -1) * Number(right) === Number(result);
    };
    for (let x = -500; x <= 500; x += 1) if (solve(x)) return fillAndSubmit(world, String(x));
  },
  async 'scroll-text'(world) {
    const [text] = withRole(await world.look(), 'textbox');
    await fill(world, text.value.split(/\s+/).at(-1).replace(/\.$/, ''), 1);
    await submit(world);
  },
  async 'scroll-text-2'(world) {
    await world.act({
      kind: 'scroll',
      ref: need(await world.look(), 'textbox').ref,
      dir: /top/.test(world.goal) ? 'up' : 'down',
      amount: 5_000,
    });
    await submit(world);
  },
  async 'sign-agreement'(world) {
    const [name, button] = quoted(world);
    await world.act({ kind: 'scroll', ref: need(await world.look(), 'textbox').ref, dir: 'down', amount: 5_000 });
    await fill(world, name, 1);
    await submit(world, button);
  },
  'multi-layouts': searchMovies,
  'multi-orderings': searchMovies,
  'read-table': readTable,
  'read-table-2': readTable,
  'guess-number': guess,
  'generate-number': generate,
  'use-slider': useSliders,
  'use-slider-2': useSliders,
  'form-sequence': useSliders,
  'form-sequence-2': formSequence2,
  'form-sequence-3': formSequence3,
  'use-autocomplete': autocomplete,
  'use-autocomplete-nodelay': autocomplete,
  async 'use-spinner'(world) {
    await world.act({
      kind: 'fill',
      ref: need(await world.look(), /textbox|spinbutton/).ref,
      value: match(world.goal, /Select (-?\d+)/)[0],
    });
    await submit(world);
  },
  'choose-date': chooseDate,
  'choose-date-easy': chooseDate,
  'choose-date-medium': chooseDate,
  'choose-date-nodelay': chooseDate,
};
