import { toCurl, toFetch, toUrl, type Sample } from './code-samples.js';
import { copyText, make, makeButton } from './dom.js';
import { createTabs } from './tabs.js';

export interface RequestPanel {
  readonly element: HTMLElement;
  refresh(): void;
}

/** The request in the form, as a command, as code, and as a URL, each to be copied. */
export function createRequestPanel(read: () => Sample): RequestPanel {
  const tabs = createTabs('The request as', [
    ['curl', () => showCode(toCurl(read()))],
    ['fetch', () => showCode(toFetch(read()))],
    ['URL', () => showCode(toUrl(read()))],
  ]);
  return {
    element: make('section', { class: 'panel', 'aria-label': 'The request as code' }, tabs.element),
    refresh: tabs.refresh,
  };
}

function showCode(text: string): HTMLElement {
  const told = make('span', { class: 'visually-hidden', role: 'status' });
  const copy = makeButton('Copy', { class: 'small' }, () => {
    void copyText(text).then((done) => {
      copy.textContent = done ? 'Copied' : 'Not copied';
      told.textContent = done ? 'Copied' : 'The browser does not let this page copy';
    });
  });
  return make('div', { class: 'code' }, make('pre', { tabindex: 0, role: 'region', 'aria-label': 'Code' }, text), copy, told);
}
