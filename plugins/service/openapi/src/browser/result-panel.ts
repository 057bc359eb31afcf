import { byId, make } from './dom.js';
import { shownType, showPreview } from './preview.js';
import { listAt, isObject, objectAt, textAt, type Json } from './read-json.js';
import { showAssets } from './linked-assets.js';
import { readFileName, readTimings, type Outcome } from './send-render.js';

export interface ResultPanel {
  readonly element: HTMLElement;
  showWaiting(onCancel: () => void): void;
  /** What cannot be said of a field stands in the panel. */
  showOutcome(outcome: Outcome, file: string): Promise<void>;
  showMessage(title: string, text: string): void;
}

/** Where the answer appears. Its state is the page's: idle, rendering, done, failed, cancelled. */
export function createResultPanel(): ResultPanel {
  const status = make('div', { class: 'status' });
  const view = make('div', { class: 'view' });
  const more = make('div');
  const told = make('p', { class: 'visually-hidden', role: 'status' });
  let url: string | undefined;
  let timer: number | undefined;
  const reset = () => {
    window.clearInterval(timer);
    if (url !== undefined) URL.revokeObjectURL(url);
    url = undefined;
    more.replaceChildren();
  };
  const showMessage = (title: string, text: string) => {
    reset();
    status.replaceChildren(make('strong', {}, title));
    told.textContent = title;
    view.replaceChildren(make('div', { class: 'empty' }, text));
  };
  showMessage('Result', 'Choose a page and an output, then press Render.');
  return {
    element: make('section', { class: 'panel', id: 'result', 'aria-label': 'Result', tabindex: -1 }, status, view, more, told),
    showMessage,
    showWaiting(onCancel) {
      reset();
      const clock = make('span', { class: 'help', 'aria-hidden': true }, '0.0 s');
      const cancel = make('button', { type: 'button', id: 'cancel' }, 'Cancel');
      cancel.addEventListener('click', onCancel);
      status.replaceChildren(make('strong', {}, 'Rendering…'), make('progress', { 'aria-label': 'Rendering' }), clock, cancel);
      told.textContent = 'Rendering';
      const startedAt = performance.now();
      timer = window.setInterval(() => {
        clock.textContent = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
      }, 100);
    },
    async showOutcome(outcome, file) {
      reset();
      const { target, body, contentType, headers, problem } = outcome;
      url = URL.createObjectURL(new Blob([body], { type: shownType(contentType) }));
      const name = readFileName(headers.get('Content-Disposition')) ?? file;
      status.replaceChildren(...summarize(outcome, url, name));
      told.textContent =
        problem === undefined ? `Rendered: ${contentType}, ${formatBytes(body.size)}` : `Failed: ${textAt(problem, 'title')}`;
      view.replaceChildren(problem === undefined ? await showPreview({ body, contentType, url, name, target }) : showProblem(problem));
      more.replaceChildren(...[showAssets(headers), showTimings(headers), showHeaders(headers)].filter((block) => block !== undefined));
    },
  };
}

/** The answer in a line, and the way to keep it. */
function summarize({ status, body, contentType, problem, ms }: Outcome, url: string, name: string): readonly HTMLElement[] {
  return [
    make('span', { class: problem === undefined ? 'chip good' : 'chip bad' }, String(status)),
    ...[contentType.split(';')[0] ?? '', formatBytes(body.size), `${(ms / 1000).toFixed(2)} s`].map((text) =>
      make('span', { class: 'chip' }, text),
    ),
    ...(problem === undefined ? [make('a', { class: 'button spread', href: url, download: name }, 'Download')] : []),
  ];
}

export function setState(state: 'idle' | 'rendering' | 'done' | 'failed' | 'cancelled'): void {
  document.body.dataset['state'] = state;
}

/** Brings the result into view where it stands below the form. */
export function goToResult(): void {
  const result = byId('result');
  if (result.getBoundingClientRect().top > window.innerHeight * 0.7) result.scrollIntoView({ block: 'start' });
}

function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${String(bytes)} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(2)} MB`;
}

function showProblem(problem: Json): HTMLElement {
  const errors = listAt(problem, 'errors').filter(isObject);
  const target = objectAt(problem, 'target');
  const facts = [
    ['Code', textAt(problem, 'code')],
    ['Request', textAt(problem, 'instance')],
    ['Phase', textAt(problem, 'phase')],
    ['Waited for', textAt(problem, 'unmet')],
    ['Network', textAt(target, 'net_error')],
  ].filter(([, text]) => text !== '');
  return make(
    'div',
    { class: 'problem', role: 'alert' },
    make('h2', {}, textAt(problem, 'title')),
    make('p', {}, textAt(problem, 'detail')),
    errors.length > 1 ? make('ul', {}, ...errors.map((error) => make('li', {}, textAt(error, 'detail')))) : undefined,
    make('p', { class: 'help' }, facts.map(([name = '', text = '']) => `${name}: ${text}`).join(' · ')),
    problem['retryable'] === true ? make('p', { class: 'help' }, 'The same request may succeed later.') : undefined,
  );
}

function showTimings(headers: Headers): HTMLElement | undefined {
  const timings = readTimings(headers.get('Server-Timing'));
  if (timings.length === 0) return undefined;
  const longest = Math.max(1, ...timings.map(([, ms]) => ms));
  const rows = timings.flatMap(([phase, ms]) => {
    const bar = make('i', { 'aria-hidden': true });
    bar.style.width = `${String((ms / longest) * 100)}%`;
    return [make('span', {}, phase), bar, make('span', {}, `${ms.toFixed(1)} ms`)];
  });
  return make('div', { class: 'block' }, make('h2', {}, 'Where the time went'), make('div', { class: 'timing' }, ...rows));
}

function showHeaders(headers: Headers): HTMLElement {
  const text = [...headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  return make(
    'details',
    { class: 'block' },
    make('summary', {}, 'Headers'),
    make('pre', { tabindex: 0, role: 'region', 'aria-label': 'Headers' }, text),
  );
}
