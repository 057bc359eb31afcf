import type { PipelineContext } from './context.js';
import { type Deadline, LONGEST_TIMER_MS, withTimeout } from './deadline.js';
import { isPlatenError, PlatenError } from './errors.js';
import type { KernelHooks } from './hooks.js';
import { stopPage } from './held-by-script.js';
import { beforeLateCapture, checkCurrentResponse, navigateToTarget } from './navigate.js';

export interface PageLoad {
  readonly hooks: KernelHooks;
  readonly deadline: Deadline;
  readonly owned: PipelineContext;
}

/** Navigates, waits until the page is ready, and reads its final document. Throws `page_unstable` if the page keeps navigating. */
export async function loadPage<T>(load: PageLoad, read: () => Promise<T>): Promise<T> {
  await runUntilLate(load, 'navigate', () => navigate(load));
  load.deadline.start();
  return readReady(load, async () => {
    if (load.owned.lease.browserGone) throw new Error('the browser was lost while the page was loaded');
    if (!load.owned.context.isNavigatedByPlugin) checkCurrentResponse(load.owned);
    return load.deadline.run('capture', read);
  });
}

/** Milliseconds for changing a page that is captured as it is. */
const LATE_CHANGES_MS = 1500;

/** Runs a phase. If the request wants a page that is late to be captured, the end of the time ends the phase and whatever the page does. */
async function runUntilLate({ deadline, owned }: PageLoad, phase: 'navigate' | 'wait', work: () => Promise<void>): Promise<void> {
  const { plan, page } = owned.context;
  if (plan.capturesOnTimeout !== true) {
    await deadline.run(phase, work);
    return;
  }
  const end = { isLate: false };
  const late = new Promise<void>((resolve) => {
    deadline.onTimeUp(() => {
      // Other kinds need what the navigation has done.
      end.isLate = phase === 'wait' || (owned.context.response !== undefined && plan.capture.combines !== undefined);
      if (end.isLate) resolve();
      return end.isLate;
    });
  });
  await deadline
    .run(phase, () => Promise.race([work(), late]))
    .finally(() => {
      deadline.onTimeUp(undefined);
    });
  if (!end.isLate) return;
  owned.waitedInVain(phase);
  // The kernel's own navigation ends with the document.
  if (phase === 'navigate') owned.navigatedByPlugin();
  await stopPage(page);
}

async function navigate({ hooks, owned }: PageLoad): Promise<void> {
  const navigated = await hooks.navigate.promise(owned.context);
  // The status is checked when the page is ready.
  if (navigated === undefined) await navigateToTarget(owned, { checksStatus: owned.context.plan.capture.recordsLoading !== true });
  else owned.navigatedByPlugin();
}

/** Maximum number of further documents that a page may load before it is stable. Each is awaited like the first. */
const MAX_DOCUMENTS = 30;

async function readReady<T>(load: PageLoad, read: () => Promise<T>): Promise<T> {
  const { hooks, deadline, owned } = load;
  const { context } = owned;
  const { plan } = context;
  const isLate = () => context.isUnready && plan.capturesOnTimeout === true;
  const change = () => hooks.beforeCapture.promise(context);
  const prepare = async () => {
    if (isLate()) await deadline.run('wait', () => withTimeout(change(), LATE_CHANGES_MS));
    else await runUntilLate(load, 'wait', change);
    const check = isLate() ? context.get(beforeLateCapture) : undefined;
    if (check !== undefined) await deadline.run('wait', () => check(context));
  };
  let isActedOn = false;
  for (let documents = 1; ; documents++) {
    try {
      if (!isLate()) await runUntilLate(load, 'wait', () => waitUntilReady(hooks, owned, deadline));
      if (!isActedOn && !isLate()) {
        isActedOn = true;
        await runUntilLate(load, 'wait', () => interact(hooks, owned));
      }
      if (plan.capture.spansDocuments === true && plan.assets.every(({ further }) => further === undefined)) break;
      return await owned.tab.onOneDocument({ prepare, read });
    } catch (error) {
      if (!isPlatenError(error) || error.code !== 'page_unstable') throw error;
      if (documents === MAX_DOCUMENTS) throw neverStays(error);
    }
  }
  await prepare();
  return read();
}

/** Not where the content to capture is there already, or where the page is captured as it is. */
async function interact(hooks: KernelHooks, owned: PipelineContext): Promise<void> {
  if (owned.isReady || owned.context.isUnready) return;
  await Promise.race([hooks.interact.promise(owned.context), owned.readied]);
}

async function waitUntilReady(hooks: KernelHooks, owned: PipelineContext, { waitEndsAt }: Deadline): Promise<void> {
  if (owned.isReady) return;
  const ready = Promise.race([meetCondition(hooks, owned), owned.readied]).then(() => true);
  const { page, plan } = owned.context;
  if (plan.capture.recordsLoading === true) {
    // A page that has loaded owes the condition of its request, as for every other capture.
    const loaded = Promise.race([ready, page.lifecycle.reached('load')]);
    const mostMs = Math.min(waitEndsAt - performance.now(), plan.firstPageWaitMs ?? Infinity, LONGEST_TIMER_MS);
    if ((await withTimeout(loaded, mostMs)) === undefined) {
      owned.waitedInVain('wait');
      return;
    }
    // An error page may load itself again, and rarely meets the condition.
    if (isRefused(owned) && (await withTimeout(ready, REFUSED_MS)) === undefined && isRefused(owned)) return;
  }
  await ready;
}

/** How long the condition of a request is awaited on an error page. Milliseconds. */
const REFUSED_MS = 3000;

function isRefused(owned: PipelineContext): boolean {
  try {
    checkCurrentResponse(owned);
    return false;
  } catch {
    return true;
  }
}

async function meetCondition(hooks: KernelHooks, { context }: PipelineContext): Promise<void> {
  const waited = await hooks.waitFor.promise(context);
  if (waited !== undefined) return;
  context.setWaitReason('load');
  await context.page.lifecycle.reached('load');
}

function neverStays(cause: unknown): PlatenError {
  const detail = `the page navigated to another document ${String(MAX_DOCUMENTS)} times while it was captured; use "wait_for=css:SELECTOR" to wait for the last one`;
  return new PlatenError('page_unstable', detail, { cause });
}
