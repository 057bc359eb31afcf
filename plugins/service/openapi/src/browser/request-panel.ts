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
    ['curl', () => showSample(read(), toCurl)],
    ['fetch', () => showSample(read(), toFetch)],
    ['URL', () => showSample(read(), toUrl)],
  ]);
  return {
    element: make('section', { class: 'panel', 'aria-label': 'The request as code' }, tabs.element),
    refresh: tabs.refresh,
  };
}

/** Without a page to render, every form of the request would fail. */
function showSample(sample: Sample, toText: (sample: Sample) => string): HTMLElement {
  if (sample.params['url'] === undefined) return make('div', { class: 'empty' }, 'Enter the page to render, and the request appears here.');
  return showCode(toText(sample));
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
