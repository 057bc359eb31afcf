import { formatBytes, make } from './dom.js';
import { appendPaged, showJson } from './json-tree.js';
import { isObject, listAt, numberAt, objectAt, textAt, type Json } from './read-json.js';
import { createTabs } from './tabs.js';

interface Exchange {
  readonly entry: Json;
  readonly startMs: number;
  readonly ms: number;
  readonly bytes: number;
}

/** The requests of a HAR as a waterfall, and as JSON. Undefined if the value is not a HAR. */
export function showHar(har: unknown): HTMLElement | undefined {
  const exchanges = listAt(objectAt(har, 'log'), 'entries').filter(isObject).map(readExchange);
  if (exchanges.length === 0) return undefined;
  return createTabs('Network', [
    ['Waterfall', () => showWaterfall(exchanges)],
    ['JSON', () => showJson(har)],
  ]).element;
}

function readExchange(entry: Json): Exchange {
  const response = objectAt(entry, 'response');
  const sizes = [numberAt(response, '_transferSize'), numberAt(response, 'bodySize'), numberAt(objectAt(response, 'content'), 'size')];
  return {
    entry,
    startMs: Date.parse(textAt(entry, 'startedDateTime')) || 0,
    ms: Math.max(0, numberAt(entry, 'time') ?? 0),
    bytes: sizes.find((size) => size !== undefined && size > 0) ?? 0,
  };
}

function showWaterfall(exchanges: readonly Exchange[]): HTMLElement {
  const from = exchanges.reduce((least, { startMs }) => Math.min(least, startMs), Infinity);
  const total = Math.max(1, ...exchanges.map(({ startMs, ms }) => startMs + ms - from));
  const bytes = exchanges.reduce((sum, exchange) => sum + exchange.bytes, 0);
  const list = make('ul', { class: 'waterfall', 'aria-label': 'Requests' });
  appendPaged(list, exchanges, (exchange) => make('li', {}, showExchange(exchange, { from, total })));
  return make(
    'div',
    { class: 'listing', tabindex: 0, role: 'region', 'aria-label': 'Waterfall' },
    make('p', { class: 'help' }, `${String(exchanges.length)} requests · ${formatBytes(bytes)} · ${formatMs(total)}`),
    list,
  );
}

interface Span {
  readonly from: number;
  readonly total: number;
}

function showExchange({ entry, startMs, ms, bytes }: Exchange, { from, total }: Span): HTMLElement {
  const [request, response] = [objectAt(entry, 'request'), objectAt(entry, 'response')];
  const [url, status] = [textAt(request, 'url'), numberAt(response, 'status') ?? 0];
  const bar = make('i');
  bar.style.marginLeft = `${String(((startMs - from) / total) * 100)}%`;
  bar.style.width = `${String((ms / total) * 100)}%`;
  const details = make(
    'details',
    {},
    make(
      'summary',
      { title: url },
      make('span', { class: 'mono' }, `${textAt(request, 'method')} ${nameOf(url)}`),
      make('span', { class: status >= 200 && status < 400 ? 'chip good' : 'chip bad' }, status > 0 ? String(status) : 'failed'),
      make('span', { class: 'help' }, `${formatBytes(bytes)}, ${formatMs(ms)}`),
      make('span', { class: 'bar', 'aria-hidden': true }, bar),
    ),
  );
  details.addEventListener('toggle', () => {
    if (details.childElementCount === 1) details.append(make('p', { class: 'mono' }, url), showJson(entry));
  });
  return details;
}

/** The last segment of the path, or the host. */
function nameOf(url: string): string {
  if (!URL.canParse(url)) return url.slice(0, 60);
  const { pathname, search, host, protocol } = new URL(url);
  if (protocol === 'data:') return url.slice(0, 40);
  const name = pathname.split('/').findLast((part) => part !== '');
  return name === undefined ? host : `${name}${search}`.slice(0, 60);
}

function formatMs(ms: number): string {
  return ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(2)} s`;
}
