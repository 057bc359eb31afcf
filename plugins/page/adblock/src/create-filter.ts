import {
  addSourceUrl,
  contextKey,
  type InterceptedRequest,
  type InterceptResult,
  InterceptStage,
  type Logger,
  type Outbound,
  type Page,
  type RenderContext,
} from '@platen/kernel';
import type { AdblockReport } from '@platen/server';
import type { Blocker, FilterDecision } from './blocker.js';
import { createEngineFiles, engineFolder } from './engine-file.js';
import { type FrameRegistry, openFrameRegistry } from './frame-registry.js';
import { type ElementHider, hideElements } from './hide-elements.js';
import { createFilterListManager, type FilterListManager } from './filter-list-manager.js';

export interface Filter extends Pick<FilterListManager, 'check' | 'load' | 'reread'> {
  /** The statistics of the active lists. */
  readonly digest: string;
  ruleAgainst(url: string, referrer?: string): string | undefined;
  /** Filters the requests and elements of a render's pages. The render uses the current lists until it ends. */
  openRender(context: RenderContext<unknown>): void;
  /** Resolves once the elements that the page loaded with are hidden. */
  settled(context: RenderContext<unknown>): Promise<void>;
  report(): AdblockReport;
}

const hider = contextKey<ElementHider>('adblock');

export interface FilterOptions {
  readonly sources: readonly string[];
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly log: Logger;
}

export function createFilter({ sources, outbound, log }: FilterOptions): Filter {
  const keeper = createFilterListManager({ sources, outbound, log, files: createEngineFiles(engineFolder()) });
  const counts = { block: 0, replace: 0, rewrite: 0 };
  const loaded = (): Blocker => {
    const { blocker } = keeper;
    if (blocker === undefined) throw new Error('the filter lists are not loaded: a render started before the plugin was prepared');
    return blocker;
  };
  return {
    check: keeper.check,
    load: keeper.load,
    reread: keeper.reread,
    get digest() {
      return keeper.digest;
    },
    ruleAgainst(url, referrer) {
      if (!/^https?:/.test(url)) return undefined;
      const decision = referrer === undefined ? undefined : loaded().check({ url, type: 'media', source: referrer });
      return decision?.kind === 'block' ? decision.rule : loaded().ruleAgainst(url);
    },
    openRender(context) {
      const { page, intercept, plan } = context;
      const blocker = loaded();
      const book = openFrameRegistry(page, plan.url);
      const isHiding = blocker.facts.cosmetic > 0;
      const scriptlets = isHiding ? openScriptletRunner(page, { url: plan.url, blocker }) : undefined;
      if (isHiding) context.set(hider, hideElements(page, blocker));
      intercept.use({
        name: 'adblock',
        stage: InterceptStage.filter,
        async request(request) {
          const result = filterRequest(request, { blocker, book, count: (kind) => counts[kind]++ });
          const isDocument = result === undefined && request.resourceType === 'Document';
          if (isDocument && !blocker.exempts(book.topOf(request))) await scriptlets?.prepare(request);
          return result;
        },
      });
    },
    settled: async (context) => context.get(hider)?.settled,
    report() {
      const { rules = 0, skipped = 0 } = keeper.blocker?.facts ?? {};
      const { block: blocked, replace: replaced, rewrite: rewritten } = counts;
      return { lists: sources.length, rules, skipped_lines: skipped, blocked, replaced, rewritten };
    },
  };
}

/** Injects the scriptlets that lists define for a site into its documents, before the page's own scripts. */
interface ScriptletRunner {
  /** Await this before the document request continues, so that the scripts are registered when the document loads. */
  prepare(request: InterceptedRequest): Promise<void>;
}

/** The scripts for the target's own document are registered from the start. */
function openScriptletRunner(page: Page, { url, blocker }: { readonly url: string; readonly blocker: Blocker }): ScriptletRunner {
  const sources = new Map<string, string>();
  const add = (at: URL): string | undefined => {
    const scripts = sources.has(at.hostname) ? [] : blocker.scriptsFor(at.href);
    if (scripts.length === 0) return undefined;
    const source = guarded(at.hostname, scripts);
    sources.set(at.hostname, source);
    return source;
  };
  if (/^https?:/.test(url) && !blocker.exempts(url)) add(new URL(url));
  page.targets.configure((target) => (target.hasDocuments ? [...sources.values()].flatMap((source) => target.inject(source)) : []));
  return {
    async prepare({ url: coming, frameId }) {
      const source = add(coming);
      if (source === undefined) return;
      const targets = page.targets.all.filter(({ hasDocuments }) => hasDocuments);
      // A target that is loading a document handles commands only after the load. Waiting here would be a deadlock.
      const [own, others] = [
        targets.filter(({ targetId }) => targetId === frameId),
        targets.filter(({ targetId }) => targetId !== frameId),
      ];
      for (const late of own.flatMap((target) => target.inject(source))) late.catch(() => undefined);
      // A closed target has no document to wait for.
      await Promise.allSettled(others.flatMap((target) => target.inject(source)));
    },
  };
}

/** Each script runs even if another one throws, and only in documents of that host. */
function guarded(hostname: string, scripts: readonly string[]): string {
  const each = scripts.map((script) => `try { ${script} } catch {}`).join('\n');
  return addSourceUrl(`if (location.hostname === ${JSON.stringify(hostname)}) {\n${each}\n}`);
}

/** Called for each request that is blocked, replaced or rewritten. */
type Count = (kind: FilterDecision['kind']) => void;

/** The decision about one request; undefined lets it continue. */
function filterRequest(
  request: InterceptedRequest,
  { blocker, book, count }: { readonly blocker: Blocker; readonly book: FrameRegistry; readonly count: Count },
): InterceptResult | undefined {
  const { url, resourceType } = request;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const isDocument = resourceType === 'Document';
  if (!book.isPage(request) && blocker.exempts(book.topOf(request))) return undefined;
  const type = isDocument ? 'sub_frame' : resourceType;
  const decision = book.isPage(request)
    ? checkPage(url.href, blocker)
    : blocker.check({ url: url.href, type, source: book.sourceOf(request) });
  if (decision === undefined) {
    if (isDocument) book.coming(request);
    return undefined;
  }
  count(decision.kind);
  return toInterceptResult(decision, request);
}

function checkPage(url: string, blocker: Blocker): FilterDecision | undefined {
  if (blocker.exempts(url)) return undefined;
  const rule = blocker.ruleAgainst(url);
  if (rule !== undefined) return { kind: 'block', rule };
  const decision = blocker.check({ url, type: 'document', source: url });
  return decision?.kind === 'rewrite' ? decision : undefined;
}

function toInterceptResult(decision: FilterDecision, { headers }: InterceptedRequest): InterceptResult {
  if (decision.kind === 'block') return { fail: 'BlockedByClient' };
  // Cross-origin requests need CORS permission. The response comes from here, so allowing it exposes nothing.
  const origin = [...headers].find(([name]) => name.toLowerCase() === 'origin')?.[1];
  const permission = [
    ['Access-Control-Allow-Origin', origin ?? '*'],
    ['Access-Control-Allow-Credentials', 'true'],
  ] as const;
  if (decision.kind === 'rewrite') {
    // Status 307 keeps method and body (RFC 9110, 15.4.8).
    return { fulfill: { status: 307, headers: [['Location', decision.url], ...permission], body: Buffer.alloc(0) } };
  }
  return { fulfill: { status: 200, headers: [['Content-Type', decision.contentType], ...permission], body: decision.body } };
}
