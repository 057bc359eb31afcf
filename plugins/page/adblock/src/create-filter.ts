import { contextKey, InterceptStage, type Logger, type Outbound, type RenderContext } from '@platen/kernel';
import type { AdblockReport } from '@platen/server';
import type { Blocker } from './blocker.js';
import { createEngineFiles, engineFolder } from './engine-file.js';
import { filterRequest } from './filter-requests.js';
import { openFrameRegistry } from './frame-registry.js';
import { hideElements, type ElementHider } from './hide-elements.js';
import { createFilterListManager, type FilterListManager } from './filter-list-manager.js';
import { openScriptletRunner } from './run-scriptlets.js';

export interface Filter extends Pick<FilterListManager, 'check' | 'load' | 'reread'> {
  /** The statistics of the active lists. */
  readonly digest: string;
  ruleAgainst(url: string): string | undefined;
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
    if (blocker === undefined) throw new Error('the lists are not loaded: a render began before the plugin was prepared');
    return blocker;
  };
  return {
    check: keeper.check,
    load: keeper.load,
    reread: keeper.reread,
    get digest() {
      return keeper.digest;
    },
    ruleAgainst: (url) => (/^https?:/.test(url) ? loaded().ruleAgainst(url) : undefined),
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
