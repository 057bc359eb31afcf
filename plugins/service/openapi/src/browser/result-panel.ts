import type { Api } from './api.js';
import { type Asset, type AssetListParts, fetchAsset, showAssets } from './assets.js';
import { byId, formatBytes, make, makeButton } from './dom.js';
import { essenceOf, type Previewed, shownType, showPreview } from './preview.js';
import { isObject, type Json, listAt, objectAt, textAt } from './read-json.js';
import { type Outcome, readFileName, readTimings } from './send-render.js';

export interface ResultPanel {
  readonly element: HTMLElement;
  showWaiting(onCancel: () => void): void;
  showProgress(text: string): void;
  /** Errors without a field are shown in the panel. */
  showOutcome(outcome: Outcome, file: string): Promise<void>;
  showMessage(title: string, text: string): void;
}

export interface ResultParts {
  readonly api: Api;
  /** Renders again with these parameters too. */
  renderWith(params: Json): void;
}

/** Shows the response. States: idle, rendering, done, failed, cancelled. */
export function createResultPanel(parts: ResultParts): ResultPanel {
  const status = make('div', { class: 'status' });
  const [view, more] = [make('div', { class: 'view' }), make('div')];
  const announcement = make('p', { class: 'visually-hidden', role: 'status' });
  const note = make('span', { class: 'help', role: 'status' });
  const urls: string[] = [];
  let timer: number | undefined;
  const reset = () => {
    window.clearInterval(timer);
    for (const url of urls.splice(0)) URL.revokeObjectURL(url);
    more.replaceChildren();
  };
  const showMessage = (title: string, text: string) => {
    reset();
    status.replaceChildren(make('strong', {}, title));
    announcement.textContent = title;
    view.replaceChildren(make('div', { class: 'empty' }, text));
  };
  showMessage('Result', 'Choose a page and an output, then press Render.');
  const show = async (shown: Previewed | Promise<Previewed>) => {
    view.replaceChildren(await showPreview(await shown));
    announcement.textContent = `Shown: ${(await shown).name}`;
    goToResult();
  };
  return {
    element: make('section', { class: 'panel', id: 'result', 'aria-label': 'Result', tabindex: -1 }, status, view, more, announcement),
    showMessage,
    showProgress(text) {
      note.textContent = text;
    },
    showWaiting(onCancel) {
      reset();
      const clock = make('span', { class: 'help', 'aria-hidden': true });
      const bar = make('progress', { 'aria-label': 'Rendering' });
      status.replaceChildren(make('strong', {}, 'Rendering…'), bar, note, clock, makeButton('Cancel', { id: 'cancel' }, onCancel));
      announcement.textContent = 'Rendering';
      note.textContent = '';
      timer = startClock(clock);
    },
    async showOutcome(outcome, file) {
      reset();
      const previewed = toPreviewed(outcome, { ...parts, urls, file });
      status.replaceChildren(...summarize(outcome, previewed));
      announcement.textContent = describe(outcome);
      view.replaceChildren(outcome.problem === undefined ? await showPreview(previewed) : showProblem(outcome.problem));
      const showAsset = (asset?: Asset) => void show(asset === undefined ? previewed : readAsset(asset, previewed, urls));
      more.replaceChildren(...showDetails(outcome, parts.api, showAsset));
    },
  };
}

/** What belongs to the output: assets, timing, headers. */
function showDetails({ assets, headers }: Outcome, api: Api, show: AssetListParts['show']): readonly HTMLElement[] {
  const list = showAssets({ api, assets, missing: headers.get('X-Missing-Assets'), show });
  return [list, showTimings(headers), showHeaders(headers)].filter((block) => block !== undefined);
}

function describe({ problem, contentType, body }: Outcome): string {
  return problem === undefined ? `Rendered: ${contentType}, ${formatBytes(body.size)}` : `Failed: ${textAt(problem, 'title')}`;
}

function startClock(element: HTMLElement): number {
  const startedAt = performance.now();
  return window.setInterval(() => {
    element.textContent = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  }, 100);
}

/** An object URL that is revoked with the others. */
function createUrl(body: Blob, contentType: string, urls: string[]): string {
  const url = URL.createObjectURL(new Blob([body], { type: shownType(contentType) }));
  urls.push(url);
  return url;
}

interface PreviewParts extends ResultParts {
  readonly urls: string[];
  readonly file: string;
}

function toPreviewed({ body, contentType, headers, target, assets }: Outcome, { api, renderWith, urls, file }: PreviewParts): Previewed {
  const name = readFileName(headers.get('Content-Disposition')) ?? file;
  const url = createUrl(body, contentType, urls);
  const image = assets.find((asset) => asset.contentType.startsWith('image/'));
  const canAdd = api.fields.some(({ key }) => key === 'with_output') && api.outputs.some(({ type }) => type === 'png');
  return {
    ...{ body, contentType, url, name, target },
    async screenshot() {
      if (essenceOf(contentType).startsWith('image/')) return url;
      return image === undefined ? undefined : createUrl(await (await fetchAsset(image)).blob(), image.contentType, urls);
    },
    addScreenshot: canAdd
      ? () => {
          renderWith({ output_type: 'axtree_json', with_output: ['png'], full_page: true });
        }
      : undefined,
  };
}

/** The asset in place of the output. */
async function readAsset(asset: Asset, output: Previewed, urls: string[]): Promise<Previewed> {
  const { name, contentType } = asset;
  const body = await (await fetchAsset(asset)).blob();
  return { ...output, body, contentType, name, url: createUrl(body, contentType, urls) };
}

/** The response in one line, with a download link. */
function summarize({ status, body, contentType, problem, ms }: Outcome, { url, name }: Previewed): readonly HTMLElement[] {
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
