import { make, makeButton } from './dom.js';
import { isObject, type Json } from './read-json.js';

/** Items shown at a time. */
const PAGE = 200;

/** Appends the first items, and a button for more. */
export function appendPaged<T>(list: HTMLElement, items: readonly T[], show: (item: T) => HTMLElement): void {
  list.append(...items.slice(0, PAGE).map(show));
  const left = items.slice(PAGE);
  if (left.length === 0) return;
  const more = makeButton(`${String(left.length)} more`, { class: 'plain small' }, () => {
    row.remove();
    appendPaged(list, left, show);
  });
  const isTable = list instanceof HTMLTableSectionElement;
  const row = isTable ? make('tr', {}, make('td', {}, more)) : list instanceof HTMLUListElement ? make('li', {}, more) : more;
  list.append(row);
}

type Member = readonly [name: string | undefined, value: unknown];

/** A JSON value as a tree whose branches are created when they are opened. The first levels are open where they are short. */
export function showJson(value: unknown, levels = 2): HTMLElement {
  return make('div', { class: 'tree', tabindex: 0, role: 'region', 'aria-label': 'JSON' }, showMember([undefined, value], levels));
}

function showMember([name, value]: Member, levels = 0): HTMLElement {
  const key = name === undefined ? [] : [make('span', { class: 'key' }, name), ': '];
  if (typeof value === 'string' && value.includes('\n')) {
    // Long texts are read as lines.
    return make('details', {}, make('summary', {}, ...key, make('span', { class: 'kind' }, firstLine(value))), make('pre', {}, value));
  }
  if (!Array.isArray(value) && !isObject(value)) return make('div', {}, ...key, JSON.stringify(value));
  const members = membersOf(value);
  const size = Array.isArray(value) ? `[${String(members.length)}]` : `{${String(members.length)}}`;
  const inside = make('div');
  const about = isObject(value) ? summarize(value) : '';
  const details = make('details', {}, make('summary', {}, ...key, make('span', { class: 'kind' }, size), about && ` ${about}`), inside);
  const fill = () => {
    if (inside.childElementCount === 0) appendPaged(inside, members, (member) => showMember(member, levels - 1));
  };
  details.addEventListener('toggle', fill);
  if (name === undefined || (levels > 0 && members.length <= SHORT)) {
    details.open = true;
    fill();
  }
  return details;
}

function membersOf(value: Json | readonly unknown[]): readonly Member[] {
  return isObject(value) ? Object.entries(value) : value.map((item, index) => [String(index), item]);
}

const SHORT = 20;

const NAMES = ['title', 'name', 'role', 'url', 'text', 'status'];
const LONGEST = 80;

/** What distinguishes an object in a list. */
function summarize(value: Readonly<Record<string, unknown>>): string {
  const texts = NAMES.map((name) => value[name]).filter((item) => typeof item === 'string' || typeof item === 'number');
  return texts
    .slice(0, 3)
    .map((text) => firstLine(String(text)))
    .join(' · ');
}

function firstLine(text: string): string {
  const [line = ''] = text.trimStart().split('\n');
  return line.length > LONGEST || line.length < text.length ? `${line.slice(0, LONGEST)}…` : line;
}
