import type { Api } from './api.js';
import { make, makeButton } from './dom.js';
import { listExamples } from './examples.js';
import { fromHash } from './hash-state.js';
import { forgetRecent, readRecent } from './recent-requests.js';
import { showValue, type Json } from './read-json.js';

export interface Shortcuts {
  readonly element: HTMLElement;
  /** Shows the requests that were stored meanwhile. */
  refresh(): void;
}

/** Examples and the last requests: each fills the form, and renders nothing. */
export function createShortcuts(api: Api, fill: (params: Json) => void): Shortcuts {
  const examples = listExamples(api).map(([title, params]) =>
    makeButton(title, { class: 'small' }, () => {
      fill(params);
    }),
  );
  const list = make('ul', { class: 'assets' });
  const recent = make('details', {}, make('summary', {}, 'Recent requests'), list);
  const refresh = () => {
    const hashes = readRecent();
    recent.hidden = hashes.length === 0;
    const forget = makeButton('Forget all', { class: 'plain small' }, () => {
      forgetRecent();
      refresh();
    });
    list.replaceChildren(...hashes.map((hash) => make('li', {}, showRecent(hash))), make('li', {}, forget));
  };
  const showRecent = (hash: string) => {
    const { params } = fromHash(hash, api.fields);
    const { url, output_type: type, ...others } = params;
    const text = [type, url, ...Object.keys(others)]
      .map(showValue)
      .filter((part) => part !== '')
      .join(' · ');
    return makeButton(text, { class: 'small recent' }, () => {
      fill(params);
    });
  };
  refresh();
  return {
    element: make(
      'div',
      { class: 'shortcuts' },
      make('details', {}, make('summary', {}, 'Examples'), make('div', { class: 'buttons' }, ...examples)),
      recent,
    ),
    refresh,
  };
}
