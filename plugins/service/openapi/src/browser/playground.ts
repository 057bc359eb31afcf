import { fitsQuery, type Api } from './api.js';
import { byId, copyText, make, makeButton } from './dom.js';
import { createForm, type Issue, type RequestForm } from './form.js';
import { fromHash, toHash } from './hash-state.js';
import { loadApi } from './load-api.js';
import { isObject, listAt, objectAt, textAt, type Json } from './read-json.js';
import { addRecent } from './recent-requests.js';
import { createResultPanel, goToResult, type ResultPanel, setState } from './result-panel.js';
import { hasProgress } from './send-job.js';
import { type Method, sendRender, toQuery } from './send-render.js';
import { createShortcuts } from './shortcuts.js';
import { showTopBar } from './top-bar.js';
import { type Sample, toCommandLine, toCurl, toFetch, toPython, toUrl } from './code-samples.js';
import { createTabs } from './tabs.js';

showTopBar('playground', [
  ['API', 'docs'],
  ['Guide', 'guide/'],
  ['OpenAPI', 'openapi.json'],
]);
await start();

async function start(): Promise<void> {
  const api = await loadApi(() => void start());
  if (api !== undefined) showPlayground(api);
}

function showPlayground(api: Api): void {
  const form = createForm(api);
  const result = createResultPanel({
    api,
    renderWith(params) {
      fill({ ...form.peek(), ...params });
      element.requestSubmit();
    },
  });
  const method = createMethodField(form, api);
  const request = createRequestPanel(() => ({ params: form.peek(), method: method.read(), api }));
  const fill = (params: Json) => {
    form.write(params);
    misread.replaceChildren();
    changed();
  };
  const clear = makeButton('Clear all', { class: 'plain spread' }, () => {
    fill({ url: form.peek()['url'] });
  });
  const shortcuts = createShortcuts(api, (params) => {
    fill({ url: form.peek()['url'] ?? 'https://example.com/', ...params });
  });
  const misread = make('div', { class: 'misread', role: 'alert' });
  const buttons = [...method.elements, clear];
  const element = layOut({ form, result, misread, buttons, shortcuts: shortcuts.element, request: request.element });
  let written = '';
  const changed = () => {
    written = toHash(form.peek(), api.fields);
    history.replaceState(null, '', `${location.pathname}#${written}`);
    method.refresh();
    request.refresh();
  };
  const restore = () => {
    if (location.hash === `#${written}`) return;
    misread.replaceChildren(...describeMisread(fillFromLink(form, api)));
    changed();
  };
  element.addEventListener('input', changed);
  element.addEventListener('change', changed);
  window.addEventListener('hashchange', restore);
  const run = createRunner({ api, form, result });
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    void run(method.read());
    shortcuts.refresh();
  });
  byId('main').replaceChildren(element);
  restore();
  setState('idle');
}

/** Returns the values that the form cannot hold. A link can also contain the request as a query: `/playground?url=...`. */
function fillFromLink(form: RequestForm, api: Api): readonly Issue[] {
  const { params, unknown } = fromHash(location.hash === '' ? location.search : location.hash, api.fields);
  return [...unknown.map((key) => ({ key, detail: 'unknown parameter' })), ...form.write(params)];
}

interface MethodField {
  readonly elements: readonly HTMLElement[];
  read(): Method;
  refresh(): void;
}

/** POST, or GET if a URL can contain the request. */
function createMethodField(form: RequestForm, api: Api): MethodField {
  const options = ['POST', 'GET'].map((value) => make('option', { value }, value));
  const select = make('select', { id: 'method', 'aria-label': 'Send as' }, ...options);
  const note = make('span', { class: 'help', role: 'status' });
  const read = () => {
    const params = form.peek();
    return select.value === 'GET' && toQuery(params) !== undefined && fitsQuery(params, api) ? 'GET' : 'POST';
  };
  return {
    elements: [select, note],
    read,
    refresh() {
      note.textContent = select.value === read() ? '' : 'A URL cannot contain this request: sent as POST';
    },
  };
}

interface Pieces {
  readonly form: RequestForm;
  readonly result: ResultPanel;
  readonly request: HTMLElement;
  readonly misread: HTMLElement;
  readonly shortcuts: HTMLElement;
  readonly buttons: readonly HTMLElement[];
}

/** One form around everything: on a narrow screen the result is between the target and the other parameters. */
function layOut({ form, result, request, misread, buttons, shortcuts }: Pieces): HTMLFormElement {
  const render = make('button', { class: 'primary', id: 'render' }, 'Render');
  const target = make(
    'div',
    { class: 'target panel' },
    misread,
    ...form.target.map(({ element }) => element),
    make('div', { class: 'buttons' }, render, ...buttons),
    shortcuts,
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
  const hasJobs = '/jobs/{id}' in objectAt(api.document, 'paths');
  return async (method) => {
    const params = form.read();
    running?.abort();
    if (params === undefined) return;
    const controller = new AbortController();
    running = controller;
    addRecent(params, api);
    setState('rendering');
    result.showWaiting(() => {
      controller.abort();
    });
    goToResult();
    try {
      const outcome = await sendRender(params, {
        method,
        signal: controller.signal,
        asJob: hasJobs && hasProgress(params),
        onProgress(text) {
          if (running === controller) result.showProgress(text);
        },
      });
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
    ['Python', () => showSample(read(), toPython)],
    ['Command line', () => showSample(read(), toCommandLine)],
    ['URL', () => showSample(read(), toUrl)],
  ]);
  return {
    element: make('section', { class: 'panel', 'aria-label': 'The request as code' }, tabs.element),
    refresh: tabs.refresh,
  };
}

/** Without a page the request would fail: its URL, HTML or files. */
function showSample(sample: Sample, toText: (sample: Sample) => string): HTMLElement {
  if (Object.keys(sample.params).every((key) => key === 'output_type'))
    return make('div', { class: 'empty' }, 'Enter the page to render to see the request here.');
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
