import { byId, make } from './dom.js';
import { shownType, showPreview } from './preview.js';
import { isObject, type Json, listAt, objectAt, textAt } from './read-json.js';
import { type Outcome, readFileName, readTimings } from './send-render.js';
import { credentialHeaders, readToken } from './credentials.js';
import { ROOT } from './load-api.js';

export interface ResultPanel {
  readonly element: HTMLElement;
  showWaiting(onCancel: () => void): void;
  /** Errors without a field are shown in the panel. */
  showOutcome(outcome: Outcome, file: string): Promise<void>;
  showMessage(title: string, text: string): void;
}

/** Shows the response. States: idle, rendering, done, failed, cancelled. */
export function createResultPanel(): ResultPanel {
  const status = make('div', { class: 'status' });
  const view = make('div', { class: 'view' });
  const more = make('div');
  const announcement = make('p', { class: 'visually-hidden', role: 'status' });
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
    announcement.textContent = title;
    view.replaceChildren(make('div', { class: 'empty' }, text));
  };
  showMessage('Result', 'Choose a page and an output, then press Render.');
  return {
    element: make('section', { class: 'panel', id: 'result', 'aria-label': 'Result', tabindex: -1 }, status, view, more, announcement),
    showMessage,
    showWaiting(onCancel) {
      reset();
      const clock = make('span', { class: 'help', 'aria-hidden': true }, '0.0 s');
      const cancel = make('button', { type: 'button', id: 'cancel' }, 'Cancel');
      cancel.addEventListener('click', onCancel);
      status.replaceChildren(make('strong', {}, 'Rendering…'), make('progress', { 'aria-label': 'Rendering' }), clock, cancel);
      announcement.textContent = 'Rendering';
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
      announcement.textContent =
        problem === undefined ? `Rendered: ${contentType}, ${formatBytes(body.size)}` : `Failed: ${textAt(problem, 'title')}`;
      view.replaceChildren(problem === undefined ? await showPreview({ body, contentType, url, name, target }) : showProblem(problem));
      more.replaceChildren(...[showAssets(headers), showTimings(headers), showHeaders(headers)].filter((block) => block !== undefined));
    },
  };
}

/** The response in one line, with a download link. */
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

/** Scrolls to the result if it is below the form. */
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
  return make('div', { class: 'block' }, make('h2', {}, 'Timing'), make('div', { class: 'timing' }, ...rows));
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

interface LinkedAsset {
  readonly href: string;
  readonly title: string;
  readonly type: string;
}

/** The assets that a `Link` header names (RFC 8288). */
function readLinks(header: string | null): readonly LinkedAsset[] {
  const links = [...(header ?? '').matchAll(/<([^>]*)>((?:\s*;\s*[\w-]+="(?:[^"\\]|\\.)*")*)/g)];
  return links.map(([, href = '', rest = '']) => {
    const attributes = new Map(
      [...rest.matchAll(/([\w-]+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [name, value.replace(/\\(.)/g, '$1')]),
    );
    return {
      // Of this page's server, also where its public URL is another one.
      href: new URL(`assets${new URL(href, ROOT).search}`, ROOT).href,
      title: attributes.get('title') ?? 'asset',
      type: attributes.get('type') ?? '',
    };
  });
}

/** The assets of a render with links, and the assets that could not be created. */
function showAssets(headers: Headers): HTMLElement | undefined {
  const links = readLinks(headers.get('Link'));
  const missing = headers.get('X-Missing-Assets');
  if (links.length === 0 && missing === null) return undefined;
  return make(
    'div',
    { class: 'block' },
    make('h2', {}, 'Additional assets'),
    make('ul', { class: 'assets' }, ...links.map((link) => make('li', {}, showLink(link), make('span', { class: 'chip' }, link.type)))),
    missing === null ? undefined : make('p', { class: 'help' }, `Missing: ${missing}`),
  );
}

/** A link sends no token: with a token, the page fetches the asset itself. */
function showLink({ href, title }: LinkedAsset): HTMLElement {
  const link = make('a', { href, target: '_blank', rel: 'noopener' }, title);
  link.addEventListener('click', (event) => {
    if (readToken() === '') return;
    event.preventDefault();
    void download(href, title);
  });
  return link;
}

async function download(href: string, title: string): Promise<void> {
  const response = await window.fetch(href, { headers: credentialHeaders() });
  const url = URL.createObjectURL(await response.blob());
  make('a', { href: url, download: title }).click();
  // The download has started by then and does not need the URL any more.
  window.setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}
