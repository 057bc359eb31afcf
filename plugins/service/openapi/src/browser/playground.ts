import type { Api } from './api.js';
import { byId, make, makeButton } from './dom.js';
import { createForm, type Fault, type RequestForm } from './form.js';
import { fromHash, toHash } from './hash-state.js';
import { loadApi } from './load-api.js';
import { isObject, listAt, textAt } from './read-json.js';
import { createRequestPanel } from './request-panel.js';
import { createResultPanel, goToResult, setState, type ResultPanel } from './result-panel.js';
import { sendRender, toQuery, type Method } from './send-render.js';
import { showTopBar } from './top-bar.js';

showTopBar('playground', [
  ['API', 'docs'],
  ['OpenAPI', 'openapi.json'],
]);
await start();

async function start(): Promise<void> {
  const api = await loadApi(() => void start());
  if (api !== undefined) showPlayground(api);
}

function showPlayground(api: Api): void {
  const form = createForm(api);
  const result = createResultPanel();
  const method = make(
    'select',
    { id: 'method', 'aria-label': 'Send as' },
    make('option', { value: 'POST' }, 'POST'),
    make('option', { value: 'GET' }, 'GET'),
  );
  const readMethod = (): Method => (method.value === 'GET' && toQuery(form.peek()) !== undefined ? 'GET' : 'POST');
  const request = createRequestPanel(() => ({ params: form.peek(), method: readMethod(), api }));
  const clear = makeButton('Clear all', { class: 'plain spread' }, () => {
    form.write({ url: form.peek()['url'] });
    misread.replaceChildren();
    changed();
  });
  const note = make('span', { class: 'help', role: 'status' });
  const tellMethod = () => {
    note.textContent = method.value === readMethod() ? '' : 'An object cannot be said in a URL: sent as POST';
  };
  const misread = make('div', { class: 'misread', role: 'alert' });
  const element = layOut({ form, result, misread, buttons: [method, note, clear], request: request.element });
  let written = '';
  const changed = () => {
    written = toHash(form.peek(), api.fields);
    history.replaceState(null, '', `${location.pathname}#${written}`);
    tellMethod();
    request.refresh();
  };
  const restore = () => {
    if (location.hash === `#${written}`) return;
    // A link may have the request as a query, too: `/playground?url=...`.
    const { params, unknown } = fromHash(location.hash === '' ? location.search : location.hash, api.fields);
    const faults = [...unknown.map((key) => ({ key, detail: 'there is no such parameter here' })), ...form.write(params)];
    misread.replaceChildren(...describeMisread(faults));
    changed();
  };
  element.addEventListener('input', changed);
  element.addEventListener('change', changed);
  window.addEventListener('hashchange', restore);
  const run = createRunner({ api, form, result });
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    void run(readMethod());
  });
  byId('main').replaceChildren(element);
  restore();
  setState('idle');
}

interface Pieces {
  readonly form: RequestForm;
  readonly result: ResultPanel;
  readonly request: HTMLElement;
  readonly misread: HTMLElement;
  readonly buttons: readonly HTMLElement[];
}

/** One form around everything: on a narrow screen the result stands between the target and the other parameters. */
function layOut({ form, result, request, misread, buttons }: Pieces): HTMLFormElement {
  const render = make('button', { class: 'primary', id: 'render' }, 'Render');
  const target = make(
    'div',
    { class: 'target panel' },
    misread,
    ...form.target.map(({ element }) => element),
    make('div', { class: 'buttons' }, render, ...buttons),
  );
  return make(
    'form',
    { class: 'work', 'aria-label': 'Request', novalidate: true },
    target,
    make('div', { class: 'right' }, result.element, request),
    make('div', { class: 'rest' }, form.element),
  );
}

/** What an address asked for that no form can hold would otherwise be left out without a word. */
function describeMisread(faults: readonly Fault[]): readonly HTMLElement[] {
  if (faults.length === 0) return [];
  const items = faults.map(({ key, detail }) => make('li', {}, make('code', {}, key), `: ${detail}`));
  return [make('strong', {}, 'Not all of this link was understood:'), make('ul', {}, ...items)];
}

interface RunnerParts {
  readonly api: Api;
  readonly form: RequestForm;
  readonly result: ResultPanel;
}

/** Renders what the form says; a second run cancels the first. */
function createRunner({ api, form, result }: RunnerParts): (method: Method) => Promise<void> {
  let running: AbortController | undefined;
  return async (method) => {
    const params = form.read();
    running?.abort();
    if (params === undefined) return;
    const controller = new AbortController();
    running = controller;
    setState('rendering');
    result.showWaiting(() => {
      controller.abort();
    });
    goToResult();
    try {
      const outcome = await sendRender(params, method, controller.signal);
      if (running !== controller) return;
      const type = params['output_type'] ?? '';
      await result.showOutcome(outcome, `page.${api.outputs.find((output) => output.type === type)?.extension ?? 'bin'}`);
      if (outcome.problem !== undefined) form.showFaults(listAt(outcome.problem, 'errors').filter(isObject).map(toFault));
      setState(outcome.problem === undefined ? 'done' : 'failed');
    } catch (error) {
      if (running !== controller) return;
      if (controller.signal.aborted) result.showMessage('Cancelled', 'The render was cancelled; the server has been told.');
      else result.showMessage('No answer', `The server could not be reached: ${error instanceof Error ? error.message : String(error)}`);
      setState(controller.signal.aborted ? 'cancelled' : 'failed');
    }
  };
}

/** The server names an item of a list, or a member, by its key's path. */
function toFault(error: Readonly<Record<string, unknown>>): Fault {
  return { key: textAt(error, 'parameter').replace(/[.[].*$/, ''), detail: textAt(error, 'detail') };
}
