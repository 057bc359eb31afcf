import type { Tab } from './browser/page/tab.js';
import type { Lease } from './browser/pool/lease.js';
import type { BrowserPool } from './browser/pool/pool.js';
import type { BaseRenderContext, PageWorker, PipelineContext, RenderContext, Visit } from './context.js';
import { createDeadline, type Deadline } from './deadline.js';
import { isPlatenError, PlatenError } from './errors.js';
import type { KernelHooks } from './hooks.js';
import { loadPage } from './load-page.js';
import { createRenderContext } from './render-context.js';
import { createValues } from './values.js';

/** A tab is replaced after so many visits: what pages leave behind in it adds up. */
const VISITS_PER_TAB = 25;

export interface WorkerParts {
  readonly hooks: KernelHooks;
  readonly pool: BrowserPool;
  readonly base: BaseRenderContext;
  /** The render's own: its tab is not used by the workers. */
  readonly lease: Lease;
  readonly deadline: Deadline;
}

/** The workers of one render. */
export interface PageWorkers {
  open(): PageWorker;
  /** Returns all slots and browsers but the render's own. Never rejects. */
  end(): Promise<void>;
}

export function createPageWorkers(parts: WorkerParts): PageWorkers {
  const browser = createWorkerBrowser(parts);
  const workers: PageWorker[] = [];
  return {
    open() {
      const worker = createWorker(parts, browser, { isFirst: workers.length === 0 });
      workers.push(worker);
      return worker;
    },
    async end() {
      for (const worker of workers) worker.releaseSlot();
      await Promise.all(workers.map(async (worker) => worker.close()));
      await browser.end();
    },
  };
}

/** The browser context of all workers: a new one with the same cookies if its browser was lost. */
interface WorkerBrowser {
  readonly lease: Lease;
  /** Replaces the lease if its browser was lost. */
  renew(): Promise<void>;
  /** Remembers the cookies for a new browser context. */
  keepCookies(tab: Tab): Promise<void>;
  readonly nextTabIndex: () => number;
  end(): Promise<void>;
}

function createWorkerBrowser({ pool, base: { plan, log }, deadline, lease: first }: WorkerParts): WorkerBrowser {
  let lease = first;
  let renewing: Promise<void> | undefined;
  let tabs = 0;
  type Cookies = Awaited<ReturnType<typeof readCookies>>;
  let cookies: Cookies = [];
  const reopen = async (): Promise<void> => {
    log.warn({}, 'the browser was lost during a walk: it goes on in another one');
    await lease[Symbol.asyncDispose]();
    lease = await pool.open({ needs: plan.browser, profile: plan.profile, signal: deadline.signal });
    // The workers have slots of their own.
    lease.releaseSlot();
    await lease.tab.page.send('Network.setCookies', { cookies: [...cookies] }).catch((error: unknown) => {
      log.warn({ err: error }, 'the cookies of the walk were not restored');
    });
  };
  return {
    get lease() {
      return lease;
    },
    async renew() {
      renewing ??= reopen().finally(() => {
        renewing = undefined;
      });
      await renewing;
    },
    async keepCookies({ page }) {
      cookies = await readCookies(page).catch(() => cookies);
    },
    nextTabIndex: () => (tabs += 1),
    async end() {
      if (lease !== first) await lease[Symbol.asyncDispose]();
    },
  };
}

async function readCookies(page: Tab['page']) {
  return (await page.send('Network.getAllCookies')).cookies;
}

/** A tab that plugins have configured. */
interface WorkerTab {
  readonly owned: PipelineContext;
  visits: number;
  isFit: boolean;
}

function createWorker(parts: WorkerParts, browser: WorkerBrowser, { isFirst }: { readonly isFirst: boolean }): PageWorker {
  let release: (() => void) | undefined = isFirst ? parts.lease.releaseSlot : undefined;
  let current: WorkerTab | undefined;
  const drop = async (): Promise<void> => {
    const old = current;
    current = undefined;
    await old?.owned.tab.close();
    await old?.owned.end();
  };
  const worker: PageWorker = {
    async takeSlot(signal) {
      release ??= await parts.pool.takeSlot(signal, parts.deadline.signal);
    },
    releaseSlot() {
      release?.();
      release = undefined;
    },
    get context() {
      return current?.owned.context;
    },
    check: (url, file) => parts.hooks.beforeOpen.promise({ ...visitBase(parts.base, url), file }),
    async visit(visit, look) {
      if (current !== undefined && !isUsable(current)) await drop();
      if (browser.lease.browserGone) {
        // Its slot may be the one that the new browser context waits for.
        worker.releaseSlot();
        await browser.renew();
        await worker.takeSlot(parts.deadline.signal);
      }
      current ??= await openTab(parts, browser);
      return visitIn(current, { ...parts, browser }, { visit, look });
    },
    close: drop,
  };
  return worker;
}

function isUsable({ isFit, visits, owned: { lease, tab } }: WorkerTab): boolean {
  return isFit && visits < VISITS_PER_TAB && !lease.browserGone && tab.alive;
}

/** Opens a tab and lets plugins configure it, as they did the first one. */
async function openTab({ hooks, base, deadline }: WorkerParts, browser: WorkerBrowser): Promise<WorkerTab> {
  const { lease } = browser;
  const tab = await lease.context.openTab();
  const tabIndex = browser.nextTabIndex();
  const owned = createRenderContext({ base: { ...base, ...createValues(base) }, lease, tab, deadline, tabIndex, hooks });
  try {
    await hooks.beforeNavigate.promise(owned.context);
  } catch (error) {
    await tab.close();
    await owned.end();
    throw error;
  }
  return { owned, visits: 0, isFit: true };
}

interface VisitWork<T> {
  readonly visit: Visit;
  readonly look: (context: RenderContext) => Promise<T>;
}

async function visitIn<T>(
  own: WorkerTab,
  { hooks, base, deadline: whole, browser }: WorkerParts & { readonly browser: WorkerBrowser },
  { visit, look }: VisitWork<T>,
): Promise<T> {
  const { tab, lease, context } = own.owned;
  own.visits += 1;
  using deadline = createDeadline({ timeoutMs: visit.timeoutMs, signal: whole.signal });
  const owned = createRenderContext({
    base: { ...visitBase(base, visit.url, context), signal: deadline.signal },
    ...{ lease, tab, deadline, tabIndex: context.tabIndex, visit, hooks },
  });
  try {
    await deadline.run('open', () => hooks.beforeOpen.promise(owned.context));
    return await loadPage({ hooks, deadline, owned }, () => look(owned.context));
  } catch (error) {
    own.isFit = isPlatenError(error) && KEEPS_TAB.test(error.code);
    if (!lease.browserGone || whole.signal.aborted) throw error;
    throw new PlatenError('browser_lost', 'the browser was lost during the visit', { cause: error, retryable: true });
  } finally {
    if (own.isFit) await browser.keepCookies(tab);
    await owned.end();
  }
}

/** The plan of a visit differs from the render's in its URL only; it sees the values of the outer context. */
function visitBase(base: BaseRenderContext, url: string, outer: Pick<BaseRenderContext, 'get'> = base): BaseRenderContext {
  const params = Object.freeze({ ...base.params, url });
  return { ...base, ...createValues(outer), params, plan: Object.freeze({ ...base.plan, url, params }) };
}

/** Errors of the target or of a rule: the tab itself works. */
const KEEPS_TAB = /^(?:target_|robots_|not_in_|selector_|script_)/;
