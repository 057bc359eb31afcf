import type { ArchivedExchange } from './exchange.js';
import type { ArchivedPage } from './write-page.js';

/** What a recorder of exchanges returns. */
export interface RecordedPages {
  /** In order; the last is the page that was captured. */
  readonly visits: readonly RecordedVisit[];
  exchanges(): AsyncIterable<ArchivedExchange & { readonly visitId: string | undefined }>;
}

export interface RecordedVisit extends Pick<ArchivedPage, 'url' | 'title'> {
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
    ...{ url, title, startedAt: wallStart, depth: 0, loadState: 'complete', isPage: true, exchanges },
    // The exchange of the document has them.
    ...{ status: undefined, mimeType: '' },
  };
}

async function* exchangesOf(record: RecordedPages, visitIds: readonly (string | undefined)[]): AsyncGenerator<ArchivedExchange> {
  for await (const exchange of record.exchanges()) if (visitIds.includes(exchange.visitId)) yield exchange;
}
