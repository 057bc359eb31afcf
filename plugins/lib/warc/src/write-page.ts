import { randomUUID } from 'node:crypto';
import { targetUri } from './choose-response.js';
import type { ArchivedExchange } from './exchange.js';
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
 * @returns the page's `WARC-Page-ID`
 */
export async function writePage(writer: WarcWriter, page: ArchivedPage): Promise<string> {
  const id = randomUUID();
  const info = createPageInfo(page, id);
  for await (const exchange of page.exchanges()) {
    info.add(exchange);
    await writer.exchange(exchange, { id });
  }
  if (page.isPage) {
    const body = info.toJson();
    await writer.resource({ uri: `urn:pageinfo:${page.url}`, contentType: 'application/json', body, date: page.startedAt });
  }
  return id;
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
