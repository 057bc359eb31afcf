import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BaseRenderContext, type Outbound, PlatenError, readParam, type RenderContext } from '@platen/kernel';
import { assertUnused, FrontierError, openFrontier } from '@platen/lib-frontier';
import { pagesOf } from '@platen/lib-warc';
import type { ExchangeRecord, NetworkParams } from '@platen/plugin-network';
import { networkKey } from '@platen/plugin-network/keys';
import { waitAfterParam } from '@platen/plugin-prepare/keys';
import { robots } from '@platen/plugin-robots/keys';
import { describeFile, type FileFetcher, openFile } from './fetch-file.js';
import type { FetchedFile, WalkSource, WalkSources } from './keys.js';
import { WALK_PARAMS, type WalkParams } from './params.js';
import { readContent } from './read-content.js';
import { RunningWalk } from './run-walk.js';
import { createScope } from './url-offers.js';
import { describePage, findDocument, loadStateOf, type ClosablePage, withoutDisallowed } from './visit-page.js';
import type { Walk } from './walk.js';

/** Seconds for a page if `crawl_page_timeout` is not set: the default of `timeout`, which `wait_after` extends. */
const PAGE_SECONDS = 30;

type Context = RenderContext<WalkParams & NetworkParams>;

type PageReader = Parameters<WalkSources['readPages']>[0];

interface FetchedTarget {
  readonly file: FetchedFile;
  readonly startedAt: Date;
  /** Ends the body of the file, which may be endless. */
  stop(): void;
}

/** The sources of a render, none at first. */
export function createSources({ params }: Pick<BaseRenderContext<WalkParams>, 'params'>, outbound: Outbound): WalkSources {
  const all: WalkSource[] = [];
  let target: FetchedTarget | undefined;
  let visits: 'last' | 'all' = 'last';
  let reader: PageReader | undefined;
  return {
    add(source) {
      all.push(source);
    },
    get isWalk() {
      return all.length > 0 || params.crawl_media_sources === true;
    },
    readPages(read) {
      reader = read;
    },
    get readsPages() {
      return reader !== undefined;
    },
    includeNavigation() {
      visits = 'all';
    },
    async fetchTarget(context) {
      target = await fetchTarget(context, { outbound, timeoutMs: (params.crawl_page_timeout ?? PAGE_SECONDS) * 1000 });
      return target.file;
    },
    open: (context) => openWalk(context, { sources: all, target, visits, outbound, reader }),
  };
}

/** The kernel has checked the target by then. */
async function fetchTarget(
  context: RenderContext,
  { outbound, timeoutMs }: Pick<FileFetcher, 'outbound' | 'timeoutMs'>,
): Promise<FetchedTarget> {
  const { plan, signal } = context;
  const startedAt = new Date();
  const stopped = new AbortController();
  const file = await openFile(plan.url, {
    outbound,
    timeoutMs,
    context,
    limit: undefined,
    seed: plan.url,
    signal: AbortSignal.any([signal, stopped.signal]),
    check: () => Promise.resolve(),
  });
  context.onRenderEnd(async () => file[Symbol.asyncDispose]());
  // Beside another output, the walk begins only after that was captured: the connection does not wait for it.
  if (plan.capture.kind !== 'walk') await file.finish();
  return {
    file,
    startedAt,
    stop() {
      stopped.abort();
    },
  };
}

interface Opening {
  readonly sources: readonly WalkSource[];
  readonly target: FetchedTarget | undefined;
  readonly visits: 'last' | 'all';
  readonly outbound: Outbound;
  readonly reader: PageReader | undefined;
}

async function openWalk(context: Context, { sources, target, visits, outbound, reader }: Opening): Promise<Walk> {
  const withMedia = context.params.crawl_media_sources === true;
  const read = async (page: RenderContext) => ({ ...(await readContent(page, { sources, withMedia })), data: await reader?.(page) });
  const content = target === undefined ? await read(context) : undefined;
  const startedAt = target?.startedAt ?? new Date();
  // Its tab is not used again, and other plugins may read the same record.
  const stopped = await context.get(networkKey)?.stop();
  if (stopped === undefined) throw new PlatenError('internal', 'the walk has no recording of its first page');
  const record = await withoutDisallowed({ ...stopped, [Symbol.asyncDispose]: () => Promise.resolve() }, context.get(robots));
  const seed = context.plan.url;
  const main = await findDocument(record);
  const page =
    target === undefined
      ? describePage(record, {
          claim: { url: seed, depth: 0 },
          startedAt,
          loadState: content ? loadStateOf(content) : 'complete',
          main,
          data: content?.data,
        })
      : describeFile(target.file, { url: seed, depth: 0, startedAt });
  const pages = context.isNavigatedByPlugin && target === undefined ? await listNavigatedPages(record, { page, visits }) : [page];
  const common = { seed, startedAt, browser: record.browser };
  if (sources.length === 0 && (content?.media.length ?? 0) === 0) return { ...common, ...fewPages(pages) };
  const walk = new RunningWalk({
    ...(await settingsOf(context)),
    context,
    outbound,
    sources,
    reportsFailures: reader !== undefined,
    first: { page: pages.at(-1) ?? page, content, finalUrl: main?.request.url ?? seed, list: target },
    read,
  });
  return {
    ...common,
    stored: walk.stored,
    async *pages() {
      yield* pages.slice(0, -1);
      yield* walk.pages();
    },
    wrote(bytes) {
      walk.wrote(bytes);
    },
    get summary() {
      return walk.summary;
    },
  };
}

interface NavigatedPages {
  /** The final page. */
  readonly page: ClosablePage;
  readonly visits: 'last' | 'all';
}

/** The pages to which another plugin navigated from the target: the final one, or all of them. */
async function listNavigatedPages(record: ExchangeRecord, { page, visits }: NavigatedPages): Promise<readonly ClosablePage[]> {
  const pages: ClosablePage[] = [];
  for await (const { url, title, startedAt, exchanges } of pagesOf(record, { url: page.url, visits }))
    pages.push({ ...page, url: url.replace(/#.*/, ''), title, startedAt, exchanges });
  // Only the final page's document is known.
  return pages.map((one, at) => (at === pages.length - 1 ? one : { ...one, status: undefined, mimeType: '' }));
}

/** A walk without further pages. */
function fewPages(pages: readonly ClosablePage[]): Pick<Walk, 'pages' | 'wrote' | 'summary'> {
  return {
    async *pages() {
      await Promise.resolve();
      yield* pages;
    },
    wrote: () => undefined,
    summary: { done: pages.length, failed: 0, stopReason: undefined },
  };
}

async function settingsOf(context: Context) {
  const { params, plan } = context;
  // An asset is written whole before the response: it has no state of its own.
  const state = plan.capture.kind === 'walk' ? await context.openState?.(assertStateUnused) : undefined;
  const folder = state === undefined ? await makeFolder(context) : join(state.folder, FRONTIER);
  const place = { folder, durable: state !== undefined };
  const delayMs = (params.crawl_delay ?? WALK_PARAMS.crawl_delay.default) * 1000;
  return {
    state,
    frontier: await openFrontier({ ...place, delayMs }).catch(explainFrontier),
    scope: createScope({ seed: plan.url, allow: params.crawl_allow_url ?? [], deny: params.crawl_deny_url ?? [] }),
    // A browser that draws only on request does not survive a second tab that loads.
    concurrency: plan.browser.switches.includes('--enable-begin-frame-control') ? 1 : (params.crawl_concurrency ?? availableParallelism()),
    delayMs,
    maxPages: params.crawl_max_links ?? Infinity,
    maxBytes: params.archive_spill_max_bytes ?? Infinity,
    pageTimeoutMs: (params.crawl_page_timeout ?? PAGE_SECONDS + (readParam(params, waitAfterParam) ?? 0)) * 1000,
    bodyLimit: params.archive_body_size_limit,
  };
}

/** In the folder of a state. */
const FRONTIER = 'frontier';

const assertStateUnused = (folder: string): Promise<void> => assertUnused(join(folder, FRONTIER)).catch(explainFrontier);

async function makeFolder({ onRenderEnd }: Pick<Context, 'onRenderEnd'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `platen-walk-${String(process.pid)}-`));
  onRenderEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function explainFrontier(cause: unknown): never {
  if (!(cause instanceof FrontierError)) throw cause;
  throw new PlatenError('encode_failed', `the walk cannot begin or go on: ${cause.message}`, { cause });
}
