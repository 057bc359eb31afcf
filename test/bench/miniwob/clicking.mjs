// Tasks that need clicks on the right elements.
import { after, click, fill, find, match, need, ordinal, quoted, submit, withRole } from './hands.mjs';

const byQuote = (role) => (world) => click(world, role, quoted(world)[0]);

async function choose(world, role) {
  const [names] = match(world.goal, /Select (.*) and click Submit/);
  const seen = await world.look();
  for (const name of names === 'nothing' ? [] : names.split(', '))
    await world.act({ kind: 'check', ref: need(seen, role, name).ref, on: true });
  await submit(world);
}

/** Opens one section or tab after another. */
async function findBehind(world) {
  const [wanted] = quoted(world);
  const tabs = withRole(await world.look(), 'tab').length;
  for (let at = 0; at < tabs; at += 1) {
    const seen = await world.look();
    const tab = withRole(seen, 'tab')[at];
    if (at > 0 || tab.rest.includes('expanded=false')) await world.act({ kind: 'click', ref: tab.ref });
    const link = find(await world.look(), 'clickable', wanted);
    if (link !== undefined) return world.act({ kind: 'click', ref: link.ref });
  }
  throw new Error(`the snapshot has no link ${wanted}`);
}

async function expandThenSubmit(world) {
  await world.act({ kind: 'click', ref: withRole(await world.look(), 'tab')[0].ref });
  await submit(world);
}

/** Submenus open after a delay. */
const SUBMENU_MS = 500;

async function clickMenu(world) {
  const names = match(world.goal, /Select (.*)/)[0].split('>');
  for (const name of names.slice(0, -1)) {
    await world.act({ kind: 'hover', ref: need(await world.look(), 'menuitem', name).ref });
    await world.act({ kind: 'wait', ms: SUBMENU_MS });
  }
  await click(world, 'menuitem', names.at(-1));
}

async function clickMenu2(world) {
  const [, wanted] = quoted(world);
  await click(world, 'button', 'Menu');
  const items = withRole(await world.look(), 'menuitem').filter(({ rest }) => !rest.includes('[disabled]'));
  for (const item of [undefined, ...items]) {
    if (item !== undefined) await world.act({ kind: 'hover', ref: item.ref });
    if (item !== undefined) await world.act({ kind: 'wait', ms: SUBMENU_MS });
    const found = find(await world.look(), 'menuitem', wanted);
    if (found !== undefined) return world.act({ kind: 'click', ref: found.ref });
  }
  throw new Error(`the menu has no ${wanted}`);
}

async function buyTicket(world) {
  const seen = await world.look();
  const tickets = [];
  let minutes = 0;
  for (const { role, name, ref } of seen.lines) {
    const [, hours, rest] = /^(\d+)h (\d+)m$/.exec(name) ?? [];
    if (hours !== undefined) minutes = Number(hours) * 60 + Number(rest);
    const [, price] = /Book for \$(\d+)/.exec(name) ?? [];
    if (role === 'button' && price !== undefined) tickets.push({ ref, minutes, price: Number(price) });
  }
  const key = /duration/.test(world.goal) ? 'minutes' : 'price';
  const isLeast = /shortest|cheapest|lowest|least/.test(world.goal);
  tickets.sort((a, b) => (isLeast ? a[key] - b[key] : b[key] - a[key]));
  await world.act({ kind: 'click', ref: tickets[0].ref });
}

async function markNumbers(world) {
  const { lines } = await world.look();
  for (const [at, { role, name }] of lines.entries()) {
    if (role !== 'text' || !/^-?\d+$/.test(name)) continue;
    const isOdd = Math.abs(Number(name)) % 2 === 1;
    await world.act({ kind: 'click', ref: lines[isOdd ? at - 1 : at + 1].ref });
  }
  await submit(world);
}

async function orderFood(world) {
  const [, list] = /item: (.*)/.exec(world.goal) ?? [];
  const [, count, kind] = /Order (\d+) items? that (?:is|are) (.*?)\.?$/.exec(world.goal) ?? [];
  const seen = await world.look();
  const foods = list?.split(', ') ?? foodsOf(seen, kind).slice(0, Number(count));
  for (const food of foods) {
    const [, plus] = [after(seen, food), seen.lines[seen.lines.indexOf(after(seen, food)) + 1]];
    await world.act({ kind: 'click', ref: plus.ref });
  }
  await submit(world, 'Order!');
}

function foodsOf({ lines }, kind) {
  const foods = [];
  let food = '';
  for (const { role, name } of lines) {
    if (role === 'text') food = name;
    if (role === 'image' && name === kind) foods.push(food);
  }
  return foods;
}

async function expandTree(world) {
  const [wanted] = quoted(world);
  const opened = new Set();
  for (;;) {
    const seen = await world.look();
    const found = find(seen, /clickable|listitem|treeitem/, wanted);
    if (found !== undefined) return world.act({ kind: 'click', ref: found.ref });
    const next = seen.lines.find(({ ref, name, role }) => ref !== undefined && name !== '' && role !== 'button' && !opened.has(name));
    if (next === undefined) throw new Error(`the tree has no ${wanted}`);
    opened.add(next.name);
    await world.act({ kind: 'click', ref: next.ref });
  }
}

async function phoneBook(world) {
  const [name, kind] = match(world.goal, /Find (.*) in the contact book and click on their (.*)\./);
  for (;;) {
    const seen = await world.look();
    if (seen.lines.some((line) => line.role === 'heading' && line.name === name)) {
      const label = new RegExp(`^${kind.split(' ')[0]}`, 'i');
      return world.act({ kind: 'click', ref: after(seen, label, 'link').ref });
    }
    await world.act({ kind: 'click', ref: need(seen, 'link', '>').ref });
  }
}

async function search(world) {
  await fill(world, quoted(world)[0]);
  await submit(world, 'Search');
  let left = ordinal(world.goal);
  for (;;) {
    const seen = await world.look();
    const results = withRole(seen, 'link').filter(({ name }) => !/^(?:\d+|[<>])$/.test(name));
    if (left < results.length) return world.act({ kind: 'click', ref: results[left].ref });
    left -= results.length;
    await world.act({ kind: 'click', ref: need(seen, 'link', '>').ref });
  }
}

const drag = (names) => async (world) => {
  const seen = await world.look();
  const [from, to] = names(world, seen);
  await world.act({ kind: 'drag', from: from.ref, to: to.ref });
};

function neighborOf(at, place, count) {
  if (/top|bottom/.test(place)) return /top/.test(place) ? 0 : count - 1;
  return at + (/up/.test(place) ? -1 : 1);
}

async function sortNumbers(world) {
  const wanted = (await world.look()).lines.filter(({ name }) => /^-?\d+$/.test(name)).map(({ name }) => name);
  wanted.sort((a, b) => Number(a) - Number(b));
  for (const [at, name] of wanted.entries()) {
    const items = (await world.look()).lines.filter((line) => /^-?\d+$/.test(line.name));
    if (items[at].name === name) continue;
    await world.act({ kind: 'drag', from: items.find((line) => line.name === name).ref, to: items[at].ref });
  }
  await submit(world);
}

export const CLICKING = {
  'click-button': byQuote('button'),
  'unicode-test': byQuote('button'),
  'click-test': (world) => click(world, 'button'),
  'click-test-2': (world) => click(world, 'button', 'ONE'),
  'click-test-transfer': (world) => click(world, 'button', 'ONE'),
  async 'click-button-sequence'(world) {
    await click(world, 'button', 'ONE');
    await click(world, 'button', 'TWO');
  },
  async 'button-delay'(world) {
    await click(world, 'button', 'ONE');
    await world.act({ kind: 'wait', ms: Number(match(world.goal, /wait (\d+) second/)[0]) * 1000 });
    await click(world, 'button', 'TWO');
  },
  'buy-ticket': buyTicket,
  'click-checkboxes': (world) => choose(world, 'checkbox'),
  'click-checkboxes-large': (world) => choose(world, 'checkbox'),
  'click-checkboxes-transfer': (world) => choose(world, 'checkbox'),
  'click-option': (world) => choose(world, 'radio'),
  'click-collapsible': expandThenSubmit,
  'click-collapsible-nodelay': expandThenSubmit,
  'click-collapsible-2': findBehind,
  'click-collapsible-2-nodelay': findBehind,
  'click-tab-2': findBehind,
  'click-tab-2-easy': findBehind,
  'click-tab-2-medium': findBehind,
  'click-tab-2-hard': findBehind,
  'click-tab': (world) => click(world, 'tab', match(world.goal, /(Tab #\d+)/)[0]),
  'click-dialog': (world) => click(world, 'button', 'Close'),
  'click-dialog-2': (world) => click(world, 'button', quoted(world)[0].replace(/^x$/, 'Close')),
  'click-link': byQuote('clickable'),
  'click-menu': clickMenu,
  'click-menu-2': clickMenu2,
  'odd-or-even': markNumbers,
  'order-food': orderFood,
  'navigate-tree': expandTree,
  'phone-book': phoneBook,
  'search-engine': search,
  'drag-box': async (world) => {
    await drag((_, seen) => [need(seen, undefined, 's'), need(seen, undefined, 'L')])(world);
    await submit(world);
  },
  'drag-items': drag(({ goal }, seen) => {
    const [name, place] = match(goal, /Drag (\S+) (.*)/);
    const items = seen.lines.filter(({ role, name: own, ref }) => ref !== undefined && role !== 'list' && own !== '');
    const at = items.findIndex((one) => one.name === name);
    const to = Number.isNaN(ordinal(place)) ? neighborOf(at, place, items.length) : ordinal(place);
    return [items[at], items[to]];
  }),
  'drag-sort-numbers': sortNumbers,
};
