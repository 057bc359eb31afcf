import type { Api } from './api.js';
import { byId, copyText, make, makeButton } from './dom.js';
import { createForm, type Issue, type RequestForm } from './form.js';
import { fromHash, toHash } from './hash-state.js';
import { loadApi } from './load-api.js';
import { isObject, listAt, textAt } from './read-json.js';
import { createResultPanel, goToResult, type ResultPanel, setState } from './result-panel.js';
import { type Method, sendRender, toQuery } from './send-render.js';
import { showTopBar } from './top-bar.js';
import { type Sample, toCurl, toFetch, toUrl } from './code-samples.js';
import { createTabs } from './tabs.js';

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
    note.textContent = method.value === readMethod() ? '' : 'A URL cannot contain an object: sent as POST';
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
    // A link can also contain the request as a query: `/playground?url=...`.
    const { params, unknown } = fromHash(location.hash === '' ? location.search : location.hash, api.fields);
    const issues = [...unknown.map((key) => ({ key, detail: 'unknown parameter' })), ...form.write(params)];
    misread.replaceChildren(...describeMisread(issues));
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

/** One form around everything: on a narrow screen the result is between the target and the other parameters. */
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

/** Lists the values of the URL that the form cannot hold. */
function describeMisread(issues: readonly Issue[]): readonly HTMLElement[] {
  if (issues.length === 0) return [];
  const items = issues.map(({ key, detail }) => make('li', {}, make('code', {}, key), `: ${detail}`));
  return [make('strong', {}, 'Some parameters of this link are not valid:'), make('ul', {}, ...items)];
}

interface RunnerParts {
  readonly api: Api;
  readonly form: RequestForm;
  readonly result: ResultPanel;
}

/** Renders the request of the form; a second run cancels the first. */
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
      if (outcome.problem !== undefined) form.showIssues(listAt(outcome.problem, 'errors').filter(isObject).map(toIssue));
      setState(outcome.problem === undefined ? 'done' : 'failed');
    } catch (error) {
      if (running !== controller) return;
      if (controller.signal.aborted) result.showMessage('Canceled', 'The render was canceled.');
      else result.showMessage('No response', `The server could not be reached: ${error instanceof Error ? error.message : String(error)}`);
      setState(controller.signal.aborted ? 'cancelled' : 'failed');
    }
  };
}

/** The server reports a list item or a member by its path. */
function toIssue(error: Readonly<Record<string, unknown>>): Issue {
  return { key: textAt(error, 'parameter').replace(/[.[].*$/, ''), detail: textAt(error, 'detail') };
}

interface RequestPanel {
  readonly element: HTMLElement;
  refresh(): void;
}

/** The request of the form as a command, as code and as a URL, each with a copy button. */
function createRequestPanel(read: () => Sample): RequestPanel {
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

/** Without a target the request would fail. */
function showSample(sample: Sample, toText: (sample: Sample) => string): HTMLElement {
  if (sample.params['url'] === undefined) return make('div', { class: 'empty' }, 'Enter the page to render to see the request here.');
  return showCode(toText(sample));
}

function showCode(text: string): HTMLElement {
  const announcement = make('span', { class: 'visually-hidden', role: 'status' });
  const copy = makeButton('Copy', { class: 'small' }, () => {
    void copyText(text).then((done) => {
      copy.textContent = done ? 'Copied' : 'Not copied';
      announcement.textContent = done ? 'Copied' : 'The browser does not allow copying';
    });
  });
  return make('div', { class: 'code' }, make('pre', { tabindex: 0, role: 'region', 'aria-label': 'Code' }, text), copy, announcement);
}
