import { make } from './dom.js';
import { isObject } from './read-json.js';

/** Members of one level shown at a time. */
const PAGE = 200;

/** A JSON value as a tree whose branches are made when they are opened. */
export function showJson(value: unknown): HTMLElement {
  return make('div', { class: 'tree', tabindex: 0, role: 'region', 'aria-label': 'JSON' }, showMember(undefined, value, { open: true }));
}

function showMember(name: string | undefined, value: unknown, { open }: { readonly open: boolean } = { open: false }): HTMLElement {
  const key = name === undefined ? [] : [make('span', { class: 'key' }, name), ': '];
  if (!Array.isArray(value) && !isObject(value)) return make('div', {}, ...key, JSON.stringify(value));
  const members: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((item: unknown, index) => [String(index), item] as const)
    : Object.entries(value);
  const size = Array.isArray(value) ? `[${String(members.length)}]` : `{${String(members.length)}}`;
  const inside = make('div');
  const details = make('details', {}, make('summary', {}, ...key, make('span', { class: 'kind' }, size)), inside);
  const fill = () => {
    if (inside.childElementCount > 0) return;
    showPage(inside, members, 0);
  };
  details.addEventListener('toggle', fill);
  if (open) {
    details.open = true;
    fill();
  }
  return details;
}

function showPage(inside: HTMLElement, members: readonly (readonly [string, unknown])[], from: number): void {
  inside.append(...members.slice(from, from + PAGE).map(([name, value]) => showMember(name, value)));
  const left = members.length - from - PAGE;
  if (left <= 0) return;
  const more = make('button', { type: 'button', class: 'plain small' }, `${String(left)} more`);
  more.addEventListener('click', () => {
    more.remove();
    showPage(inside, members, from + PAGE);
  });
  inside.append(more);
}
