import { make, makeButton } from './dom.js';

export interface Tabs {
  readonly element: HTMLElement;
  /** Recreates the shown view. */
  refresh(): void;
}

let count = 0;

/** Views shown one at a time; arrow keys select the next (ARIA tabs pattern). */
export function createTabs(label: string, views: readonly (readonly [title: string, show: () => HTMLElement])[]): Tabs {
  count += 1;
  const id = `tabs-${String(count)}`;
  let chosen = 0;
  const panel = make('div', { role: 'tabpanel', id: `${id}-panel` });
  const list = make('div', { class: 'tabs', role: 'tablist', 'aria-label': label });
  const buttons = views.map(([title], index) =>
    makeButton(title, { role: 'tab', id: `${id}-${String(index)}`, 'aria-controls': `${id}-panel` }, () => {
      choose(index);
    }),
  );
  const refresh = () => {
    buttons.forEach((button, index) => {
      button.setAttribute('aria-selected', String(index === chosen));
      button.tabIndex = index === chosen ? 0 : -1;
    });
    panel.setAttribute('aria-labelledby', `${id}-${String(chosen)}`);
    const view = views[chosen]?.[1]();
    if (view !== undefined) panel.replaceChildren(view);
  };
  const choose = (index: number) => {
    chosen = (index + views.length) % views.length;
    refresh();
  };
  list.addEventListener('keydown', ({ key }) => {
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    choose(chosen + step);
    buttons[chosen]?.focus();
  });
  list.append(...buttons);
  refresh();
  return { element: make('div', {}, list, panel), refresh };
}
