import { isPlatenError, type PageWorker, readRetryAfter, type RenderContext } from '@platen/kernel';
import { type ArchivedExchange, valueOf } from '@platen/lib-warc';
import type { Exchange, TakenRecord } from '@platen/plugin-network';
import { networkKey } from '@platen/plugin-network/keys';
import { type Robots, robots } from '@platen/plugin-robots/keys';
import type { Claim } from '@platen/lib-frontier';
import type { FetchedFile } from './keys.js';
import { fileTakerKey, type TakenFile } from './take-files.js';
import type { LoadState, WalkedPage } from './walk.js';

/** URLs in a page. */
export interface PageContent {
  readonly links: readonly string[];
  readonly media: readonly string[];
  /** Base of relative URLs. */
  readonly base: string;
  /** False: the page was read before it was ready, because its time was nearly up. */
  readonly isReady: boolean;
  /** Of the reader of its pages. */
  readonly data?: unknown;
}

/** `visited`: to be archived · `retry`: to be visited again, not before `after` · `file`: not a page · `refused`: nothing is archived. */
export type VisitResult =
  | { readonly kind: 'visited'; readonly page: ClosablePage; readonly content: PageContent | undefined; readonly finalUrl: string }
  | { readonly kind: 'retry'; readonly after: number; readonly reason: string; readonly pausesHost: boolean }
  | { readonly kind: 'file' }
  | { readonly kind: 'refused'; readonly reason: string };

/** A page with its recording. */
export type ClosablePage = WalkedPage & AsyncDisposable;

/** The target of a walk: a page, or a list without content of its own, whose body arrives during the walk. */
export interface FirstPage {
  readonly page: ClosablePage;
  readonly content: PageContent | undefined;
  readonly finalUrl: string;
  readonly list: { readonly file: FetchedFile; stop(): void } | undefined;
}

export interface VisitOptions {
  readonly timeoutMs: number;
  readonly read: (context: RenderContext) => Promise<PageContent>;
  /** The walk's own: its abort is not the page's failure. */
  readonly signal: AbortSignal;
}

const RETRY_MS = 1000;
/** Chromium's and servers' own limits are longer than a crawl waits. */
const MAX_RETRY_AFTER_MS = 15 * 60_000;
const LOST = new Set(['browser_lost', 'browser_unavailable', 'page_crashed']);
const REFUSED = new Set(['robots_disallowed', 'target_blocked']);
const BUSY = new Set([429, 503]);

/** Visits a claimed URL in a worker, and takes the recording, also of a page that failed. */
export async function visitPage(worker: PageWorker, claim: Claim, { timeoutMs, read, signal }: VisitOptions): Promise<VisitResult> {
  const startedAt = new Date();
  const outcome = await worker.visit({ url: claim.url, timeoutMs }, read).then(
    (content) => ({ content, error: undefined }),
    (error: unknown) => ({ content: undefined, error }),
  );
  const file = await worker.context?.get(fileTakerKey)?.take();
  signal.throwIfAborted();
  const { content, error } = outcome;
  const code = isPlatenError(error) ? error.code : undefined;
  const reason = error instanceof Error ? error.message : String(error);
  const record = await worker.context?.get(networkKey)?.take();
  if (content !== undefined) await file?.[Symbol.asyncDispose]();
  const drop = async (result: VisitResult): Promise<VisitResult> => {
    await Promise.all([record?.[Symbol.asyncDispose](), file?.[Symbol.asyncDispose]()]);
    return result;
  };
  if (record === undefined || (code !== undefined && LOST.has(code)))
    return drop({ kind: 'retry', after: Date.now() + RETRY_MS, reason, pausesHost: false });
  if (code !== undefined && REFUSED.has(code)) return drop({ kind: 'refused', reason });
  const rules = worker.context?.get(robots);
  // A page that starts a download is a page.
  if (file !== undefined && content === undefined) return visitFile(await withoutDisallowed(record, rules), { claim, startedAt, file });
  if (isPlatenError(error) && error.details.target?.download === true) return drop({ kind: 'file' });
  const main = await findDocument(record);
  const status = main?.response?.status;
  if (status !== undefined && BUSY.has(status))
    return drop({ kind: 'retry', after: Date.now() + retryAfterOf(main), reason, pausesHost: true });
  const loadState = content === undefined ? (code === 'render_timeout' ? 'timeout' : 'failed') : loadStateOf(content);
  const allowed = await withoutDisallowed(record, rules);
  const page = describePage(allowed, {
    claim,
    startedAt,
    loadState,
    main,
    data: content?.data,
    ...(error === undefined ? {} : { error: reason }),
  });
  return { kind: 'visited', page, content, finalUrl: main?.request.url ?? claim.url };
}

interface FileFacts extends Pick<PageFacts, 'claim' | 'startedAt'> {
  readonly file: TakenFile;
}

/** The file as the response to its request. */
async function visitFile(record: TakenRecord, { claim, startedAt, file }: FileFacts): Promise<VisitResult> {
  let last: Exchange | undefined;
  for await (const exchange of record.exchanges()) if (exchange.requestId === file.networkId) last = exchange;
  const close = async () => {
    await Promise.all([record[Symbol.asyncDispose](), file[Symbol.asyncDispose]()]);
  };
  if (last === undefined) {
    await close();
    return { kind: 'refused', reason: 'robots.txt disallows it' };
  }
  const { requestId, hop, request } = last;
  const network = { protocol: 'http/1.1', servedFrom: 'network', remote: undefined, ...last.response } as const;
  const main: ArchivedExchange = { ...last, response: { ...network, ...file.response }, failure: undefined };
  const loadState = file.response.body.state === 'complete' ? 'complete' : 'timeout';
  const page: ClosablePage = {
    ...describePage(record, { claim, startedAt, loadState, main }),
    title: '',
    async *exchanges() {
      for await (const one of record.exchanges()) yield one.requestId === requestId && one.hop === hop ? main : one;
    },
    [Symbol.asyncDispose]: close,
  };
  return { kind: 'visited', page, content: undefined, finalUrl: request.url };
}

export function loadStateOf({ isReady }: PageContent): LoadState {
  return isReady ? 'complete' : 'timeout';
}

/** Without documents that the page has navigated to by itself and that robots.txt disallows. */
export async function withoutDisallowed(record: TakenRecord, rules: Robots | undefined): Promise<TakenRecord> {
  if (rules === undefined) return record;
  const disallowed = new Set<string>();
  for await (const exchange of record.exchanges()) {
    if (!isMainDocument(exchange)) continue;
    const { allowed } = await rules.check(new URL(exchange.request.url));
    if (!allowed) disallowed.add(exchange.loaderId);
  }
  if (disallowed.size === 0) return record;
  return {
    ...record,
    async *exchanges() {
      for await (const exchange of record.exchanges()) if (!disallowed.has(exchange.loaderId)) yield exchange;
    },
    [Symbol.asyncDispose]: async () => record[Symbol.asyncDispose](),
  };
}

interface PageFacts {
  readonly claim: Pick<Claim, 'url' | 'depth' | 'parent'>;
  readonly startedAt: Date;
  readonly loadState: LoadState;
  /** The exchange of its document. */
  readonly main: ArchivedExchange | undefined;
  readonly data?: unknown;
  readonly error?: string;
}

/** A URL that was not loaded. */
export function describeFailure({ url, depth, parent, isFile }: Claim, error: string): ClosablePage {
  return {
    ...{ url, depth, parent, error, startedAt: new Date(), title: '', status: undefined, mimeType: '' },
    ...{ loadState: 'failed', isPage: isFile !== true },
    async *exchanges() {
      // None.
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

export function describePage(record: TakenRecord, { claim, startedAt, loadState, main, data, error }: PageFacts): ClosablePage {
  return {
    url: claim.url,
    depth: claim.depth,
    parent: claim.parent,
    data,
    startedAt: main?.timing.wallStart ?? startedAt,
    title: record.visits.at(-1)?.title ?? '',
    // A 304 confirms the cached response, which is stored with its own status.
    status: main?.response?.status === 304 ? 200 : main?.response?.status,
    mimeType: main?.response?.mimeType ?? '',
    loadState,
    isPage: true,
    ...(error === undefined ? {} : { error }),
    exchanges: () => record.exchanges(),
    [Symbol.asyncDispose]: async () => record[Symbol.asyncDispose](),
  };
}

/** The exchange of the document that the page shows, or that failed. */
export async function findDocument(record: TakenRecord): Promise<ArchivedExchange | undefined> {
  const shown = record.visits.at(-1)?.id;
  let found: ArchivedExchange | undefined;
  for await (const exchange of record.exchanges()) {
    if (isMainDocument(exchange) && (shown === undefined || exchange.requestId === shown || found === undefined)) found = exchange;
  }
  return found;
}

function isMainDocument({ resourceType, target, requestId, loaderId }: Exchange): boolean {
  return resourceType === 'Document' && target.kind === 'page' && requestId === loaderId;
}

/** Milliseconds. */
function retryAfterOf(exchange: ArchivedExchange | undefined): number {
  const seconds = readRetryAfter(valueOf(exchange?.response?.headers ?? [], 'retry-after')) ?? 0;
  return Math.min(MAX_RETRY_AFTER_MS, Math.max(RETRY_MS, seconds * 1000));
}
