import type { Clock } from '@platen/kernel';
import { targetUri } from './choose-response.js';
import type { ArchivedExchange } from './exchange.js';
import type { WrittenResponse } from './exchange-writer.js';
import type { WarcWriter } from './warc-writer.js';

/** One page to archive. */
export interface ArchivedPage {
  readonly url: string;
  readonly startedAt: Date;
  readonly title: string;
  /** Hops from the first page. */
  readonly depth: number;
  /** Undefined: unknown, or without a response. */
  readonly status: number | undefined;
  readonly mimeType: string;
  readonly loadState: string;
  /** False for files. */
  readonly isPage: boolean;
  /** Why the page failed. */
  readonly error?: string;
  exchanges(): AsyncIterable<ArchivedExchange>;
}

/**
 * Writes a page's exchanges as they come, then a `resource` record `urn:pageinfo:URL` with their outcomes, also of those that failed and are
 * not stored. Files have no such record.
 *
 * @returns the page's `WARC-Page-ID`, and the response to show of the page's URL
 */
export async function writePage(writer: WarcWriter, given: ArchivedPage): Promise<WrittenPage> {
  const id = writer.clock.uuid();
  const page = writer.clock.isFrozen ? standStill(given, writer.clock) : given;
  let shown: WrittenResponse | undefined;
  const info = createPageInfo(page, id);
  for await (const exchange of page.exchanges()) {
    info.add(exchange);
    const written = await writer.exchange(exchange, { id });
    if (written?.url === page.url && MAIN_TYPES.has(exchange.resourceType) && !isWorse(written, shown)) shown = written;
  }
  if (page.isPage) {
    const body = info.toJson();
    await writer.resource({ uri: `urn:pageinfo:${page.url}`, contentType: 'application/json', body, date: page.startedAt });
  }
  return { id, shown, startedAt: page.startedAt };
}

/** The page at one moment: exchanges of which none came first, in the order of their URLs. */
function standStill(page: ArchivedPage, { now }: Clock): ArchivedPage {
  const keyOf = ({ request: { url, method } }: ArchivedExchange) => `${url} ${method}`;
  return {
    ...page,
    startedAt: now(),
    async *exchanges() {
      const all: ArchivedExchange[] = [];
      for await (const exchange of page.exchanges()) all.push({ ...exchange, timing: { ...exchange.timing, wallStart: now() } });
      yield* all.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
    },
  };
}

export interface WrittenPage {
  readonly id: string;
  readonly startedAt: Date;
  /** The last one of the best status: a page may reload itself once it has shown a wall. */
  readonly shown: WrittenResponse | undefined;
}

/** Of a page, and of a file that was fetched without a tab. */
const MAIN_TYPES: ReadonlySet<string> = new Set(['Document', 'Other']);

function isWorse({ status }: WrittenResponse, than: WrittenResponse | undefined): boolean {
  return than !== undefined && Math.floor(status / 100) > Math.floor(than.status / 100);
}

/** Collects the content of a page's `urn:pageinfo:` record: the requests of the page and their outcomes. */
interface PageInfo {
  add(exchange: ArchivedExchange): void;
  toJson(): Buffer;
}

/** Requests that are listed, the first of a URL. */
const MOST_URLS = 10_000;

interface Outcome {
  readonly status?: number;
  readonly mime?: string;
  readonly type: string;
  readonly error?: string;
}

function createPageInfo(page: ArchivedPage, id: string): PageInfo {
  const urls = new Map<string, Outcome>();
  return {
    add(exchange) {
      const url = targetUri(exchange.request.url);
      if (/^https?:/i.test(url) && !urls.has(url) && urls.size < MOST_URLS) urls.set(url, outcomeOf(exchange));
    },
    toJson() {
      const { url, title, startedAt, depth, loadState, error } = page;
      const status = page.status ?? urls.get(targetUri(url))?.status;
      const all = { pageid: id, url, ts: startedAt.toISOString(), title, status, depth, loadState, error, urls: Object.fromEntries(urls) };
      return Buffer.from(JSON.stringify(all));
    },
  };
}

function outcomeOf({ response, resourceType, failure }: ArchivedExchange): Outcome {
  return {
    ...(response && { status: response.status, mime: response.mimeType }),
    type: resourceType.toLowerCase(),
    ...(failure && { error: failure.netError }),
  };
}

/** A recording of exchanges. */
export interface RecordedPages {
  /** In order; the last is the page that was captured. */
  readonly visits: readonly RecordedVisit[];
  exchanges(): AsyncIterable<ArchivedExchange & { readonly visitId: string | undefined }>;
}

interface RecordedVisit extends Pick<ArchivedPage, 'url' | 'title'> {
  readonly id: string;
  readonly wallStart: Date;
}

export interface ChosenPages {
  /** The requested URL, for a recording in which no page was visited. */
  readonly url: string;
  readonly visits: 'all' | 'last';
}

/** The visited pages of a recording, each with its exchanges. Requests from before the first page belong to that page, if it is included. */
export async function* pagesOf(record: RecordedPages, { url, visits }: ChosenPages): AsyncGenerator<ArchivedPage> {
  const [first] = record.visits;
  const chosen = visits === 'all' ? record.visits : record.visits.slice(-1);
  for (const visit of chosen) {
    const ids = visit === first ? [visit.id, undefined] : [visit.id];
    yield await Promise.resolve(pageOf(visit, () => exchangesOf(record, ids)));
  }
  if (first === undefined) yield pageOf({ url, title: '', wallStart: new Date() }, () => exchangesOf(record, [undefined]));
}

function pageOf({ url, title, wallStart }: Omit<RecordedVisit, 'id'>, exchanges: () => AsyncIterable<ArchivedExchange>): ArchivedPage {
  return {
    url,
    title,
    startedAt: wallStart,
    depth: 0,
    loadState: 'complete',
    isPage: true,
    exchanges,
    // The exchange of the document has them.
    status: undefined,
    mimeType: '',
  };
}

async function* exchangesOf(record: RecordedPages, visitIds: readonly (string | undefined)[]): AsyncGenerator<ArchivedExchange> {
  for await (const exchange of record.exchanges()) if (visitIds.includes(exchange.visitId)) yield exchange;
}
