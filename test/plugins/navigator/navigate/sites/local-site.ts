import { text } from 'node:stream/consumers';
import type { ScriptedAction, ShownPage, Turn } from '../../../../helpers/navigator-script.js';
import { done } from '../../../../helpers/navigator-script.js';
import type { openSite } from '../../../../helpers/site.js';

export type Routes = Parameters<typeof openSite>[0];

export interface SiteParts {
  /** What the server has received that the goal asks for. */
  note(value: unknown): void;
  /** Absolute URL of a page of another site. */
  elsewhere(path: string): string;
}

/** A site whose server knows whether the goal was reached. */
export interface LocalSite {
  readonly name: string;
  pages(parts: SiteParts): Routes;
  /** Of another site. */
  others?(): Routes;
  /** In each step, what a navigator does that sees nothing but the snapshot. */
  readonly turns: readonly Turn[];
  readonly params?: Readonly<Record<string, unknown>>;
  /** What the server has noted in the end. */
  readonly expected: readonly unknown[];
}

export const html = (title: string, body: string): string => `<!doctype html><title>${title}</title><body>${body}</body>`;

export const click =
  (role: string, name: string): Turn =>
  ({ ref }) => [{ kind: 'click', ref: ref(role, name) }];

export const fill =
  (name: string, value: string, more: Partial<ScriptedAction> = {}): Turn =>
  ({ ref }) => [{ kind: 'fill', ref: ref('textbox', name), value, ...more }];

/** Several turns as one: all refs are of the same snapshot. */
export const together =
  (...turns: readonly Turn[]): Turn =>
  (shown) =>
    turns.flatMap((turn) => turn(shown));

/** At most 12 times one turn, until the page has the element; then the next turn. */
export function until(role: string, name: string, { before, then }: { readonly before: Turn; readonly then: Turn }): readonly Turn[] {
  let [isOver, last] = [false, 0];
  const turn: Turn = (shown) => {
    const step = Number(/^Step (\d+) of /m.exec(shown.prompt)?.[1]);
    // Several tests, and a second try of one, take the same turns: it begins anew.
    if (step <= last) isOver = false;
    last = step;
    if (isOver) return [done()];
    isOver = has(shown, role, name);
    return (isOver ? then : before)(shown);
  };
  return Array.from({ length: 14 }, () => turn);
}

function has({ page }: Pick<ShownPage, 'page'>, role: string, name: string): boolean {
  return page.includes(`${role} ${JSON.stringify(name)}`);
}

export const finish: Turn = () => [done()];

/** A route that notes the fields of a form sent to it. */
export function noteForm(note: SiteParts['note'], body = html('Thanks', '<h1>Thanks</h1>')): Routes[string] {
  return async (request) => {
    note(Object.fromEntries(new URLSearchParams(await text(request))));
    return body;
  };
}
