import {
  definePlugin,
  DialError,
  type Fragments,
  OutboundError,
  PlatenError,
  type RenderContext,
  Stage,
  withoutUserinfo,
} from '@platen/kernel';
import { archivesPages, type FetchedFile, type SourceContext, walkKey } from '@platen/plugin-walk/keys';
import { parseSitemap, type SitemapEntry, type SitemapFormat } from './parse-sitemap.js';
import { SitemapError } from './limits.js';

const SITEMAP_PARAMS = {
  crawl_url_is_sitemap: {
    type: 'string',
    enum: ['auto', 'xml', 'text'],
    description:
      'The target is a list of URLs, all of which are archived: `xml` is a sitemap or a sitemap index, `text` has one URL per line and `#` comments, `auto` reads XML, and refuses a list that is text: that one needs `text`.',
    examples: ['auto'],
    'x-search': ['whole site'],
  },
  crawl_sitemap_max_depth: {
    type: 'integer',
    format: 'uint32',
    description: 'Levels of sitemap indexes to follow.',
    minimum: 0,
    default: 1,
  },
} as const satisfies Fragments;

/** Visits the URLs of a sitemap or of a list. */
export default definePlugin({
  name: 'sitemap',
  requires: ['walk'],
  params: SITEMAP_PARAMS,
  planFor: { param: Object.keys(SITEMAP_PARAMS) },
  plan(draft) {
    const { params, refuse, limitFirstPage } = draft;
    if (params.crawl_url_is_sitemap === undefined)
      refuse('crawl_sitemap_max_depth', '"crawl_sitemap_max_depth" needs "crawl_url_is_sitemap"');
    if (!archivesPages(draft))
      refuse(
        'crawl_url_is_sitemap',
        '"crawl_url_is_sitemap" needs "output_type=warc", "output_type=wacz", "output_type=jsonl" or "with_warc=true"',
      );
    limitFirstPage();
  },
  apply({ hooks }) {
    const isLoaded = (context: RenderContext) => context.visit !== undefined || context.plan.capture.kind !== 'walk';
    // After the check of robots.txt. An archive does not need the list in the browser, but a screenshot of it does.
    hooks.navigate.tapPromise({ name: 'sitemap', for: { param: 'crawl_url_is_sitemap' } }, async (context) => {
      const { crawl_url_is_sitemap: format, crawl_sitemap_max_depth: depth = SITEMAP_PARAMS.crawl_sitemap_max_depth.default } =
        context.params;
      const sources = context.get(walkKey);
      if (format === undefined || sources === undefined || context.visit !== undefined) return undefined;
      context.setWaitReason('the sitemap to be fetched');
      const file = await loadList(context, () => sources.fetchTarget(context));
      const entries = await readFirst(parse(file, format), context);
      sources.add({
        seeds: (source) => listUrls(entries, { file, format, depth, source, context, seen: new Set([file.url]) }),
        staysInScope: false,
      });
      return isLoaded(context) ? undefined : { by: 'sitemap' };
    });
    hooks.waitFor.tap({ name: 'sitemap', stage: Stage.early, for: { param: 'crawl_url_is_sitemap' } }, (context) =>
      isLoaded(context) ? undefined : { condition: 'the sitemap is fetched' },
    );
  },
});

/** @throws `target_unreachable`, `proxy_failed` or `target_status`: a list that cannot be fetched is not an empty archive. */
async function loadList(context: RenderContext, load: () => Promise<FetchedFile>): Promise<FetchedFile> {
  const { url } = context.plan;
  const file = await load().catch((cause: unknown) => {
    if (cause instanceof PlatenError) throw cause;
    context.signal.throwIfAborted();
    const why = cause instanceof Error ? cause.message : String(cause);
    const code = cause instanceof OutboundError && cause.reason === 'proxy' ? 'proxy_failed' : 'target_unreachable';
    const isFinal = cause instanceof Error && cause.cause instanceof DialError && cause.cause.isFinal;
    const more = { cause, target: { url }, ...(isFinal && { retryable: false }) };
    throw new PlatenError(code, `the list could not be fetched: ${why}`, more);
  });
  if (file.status >= 200 && file.status <= 299) return file;
  throw new PlatenError('target_status', `the list responded with status ${String(file.status)}`, { target: { url, status: file.status } });
}

function parse(file: FetchedFile, format: SitemapFormat): AsyncGenerator<SitemapEntry> {
  return parseSitemap(file.open(), { url: file.url, contentType: file.contentType, format });
}

/**
 * Reads up to the first entry, so that a target that is not a list fails the render.
 * @throws `target_not_page`
 */
async function readFirst(entries: AsyncGenerator<SitemapEntry>, { plan }: RenderContext): Promise<AsyncGenerator<SitemapEntry>> {
  const first = await entries.next().catch((cause: unknown) => {
    if (!(cause instanceof SitemapError)) throw cause;
    throw new PlatenError('target_not_page', `the list cannot be read: ${cause.message}`, {
      cause,
      target: { url: withoutUserinfo(plan.url) },
    });
  });
  return (async function* () {
    try {
      if (first.done === true) return;
      yield first.value;
      yield* entries;
    } finally {
      // Not reached by the loop if the reader stops at the first entry.
      await entries.return(undefined);
    }
  })();
}

interface Listing {
  readonly file: FetchedFile;
  readonly format: SitemapFormat;
  /** Levels of indexes that may follow. */
  readonly depth: number;
  readonly source: SourceContext;
  readonly context: RenderContext;
  /** Lists that were read already. */
  readonly seen: Set<string>;
}

/** The URLs of a list and of the lists in it. The rest of a damaged list is skipped, and a list in it that cannot be read. */
async function* listUrls(entries: AsyncGenerator<SitemapEntry>, listing: Listing): AsyncGenerator<string> {
  const { file, format, depth, source, context, seen } = listing;
  const children: string[] = [];
  const skip = (url: string, reason: string) => {
    source.skipped(url, reason);
    context.log.warn({ url, reason }, 'a sitemap was skipped, or the rest of it');
  };
  try {
    for await (const entry of entries) {
      if (entry.kind === 'url') yield entry.url;
      else if (depth > 0 && !seen.has(entry.url)) {
        seen.add(entry.url);
        children.push(entry.url);
      }
    }
    if (file.exchanges().at(-1)?.response?.body.state === 'partial') skip(file.url, 'the list did not arrive whole');
  } catch (error) {
    if (!(error instanceof SitemapError)) throw error;
    skip(file.url, `the list cannot be read to its end: ${error.message}`);
  }
  for (const url of children) {
    try {
      await using child = await source.fetchFile(url);
      if (child === undefined) return;
      if (child.status >= 200 && child.status <= 299) yield* listUrls(parse(child, format), { ...listing, file: child, depth: depth - 1 });
      else skip(url, `the list responded with status ${String(child.status)}`);
    } catch (error) {
      source.signal.throwIfAborted();
      skip(url, `the list could not be fetched: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
