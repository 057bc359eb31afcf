import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { AssetStore } from './assets/asset-store.js';
import { completeOutput } from './assets/complete-output.js';
import { createRenderAssetStore } from './assets/render-asset-store.js';
import { collectAssets, type RenderAssets } from './assets/collect-assets.js';
import type { Page } from './browser/page/contract.js';
import type { Lease } from './browser/pool/lease.js';
import type { BrowserPool } from './browser/pool/pool.js';
import { captureAll, encodeMain, planOther } from './capture-outputs.js';
import { createDeadline, type Deadline } from './deadline.js';
import { isPlatenError, PlatenError } from './errors.js';
import { isHeldByScript } from './held-by-script.js';
import type { KernelHooks } from './hooks.js';
import type { RenderOptions, RenderResult, Timings } from './kernel-contract.js';
import type { Logger } from './logger.js';
import { loadPage } from './load-page.js';
import type { Output } from './output.js';
import type { RenderPlan } from './render-plan.js';
import { createBaseRenderContext } from './base-render-context.js';
import { createRenderContext } from './render-context.js';
import { createValues } from './values.js';
import type { BaseRenderContext, PipelineContext } from './context.js';
import { createPageWorkers } from './page-workers.js';

export interface PipelineParts extends Pick<
  RenderOptions,
  'onProgress' | 'openState' | 'readLocalFile' | 'resolveLocalPath' | 'publishAsset'
> {
  readonly hooks: KernelHooks;
  readonly pool: BrowserPool;
  /** The render's deadline; it lasts until the output's body ends. */
  readonly deadline: Deadline;
  readonly store: AssetStore;
  readonly log: Logger;
}

/**
 * Renders a plan: opens a page, loads it, waits, captures, encodes. The browser is released before encoding, except for streaming
 * captures.
 */
export async function runPipeline(parts: PipelineParts, plan: RenderPlan): Promise<RenderResult> {
  const { hooks, pool, deadline, store, log, onProgress } = parts;
  let lease: Lease | undefined;
  let assets: RenderAssets | undefined;
  const { base, end } = openBase(parts, plan);
  let ending = end;
  let finish = () => {};
  const rendered = new Promise<void>((resolve) => (finish = resolve));
  try {
    await deadline.run('open', () => hooks.beforeOpen.promise(base));
    lease = await openSession(pool, { plan, deadline, rendered });
    const owned: PipelineContext = createRenderContext({
      hooks,
      base: { ...base, ...createValues(base) },
      lease,
      deadline,
      openWorker: () => workers.open(),
      onProgress,
    });
    const { context } = owned;
    const workers = createPageWorkers({ hooks, pool, base, lease, deadline });
    context.onRenderEnd(workers.end);
    ending = () => owned.end().then(end);
    assets = collectAssets(hooks, context, createRenderAssetStore({ plan, store, signal: deadline.signal, log }));

    await deadline.run('beforeNavigate', () => hooks.beforeNavigate.promise(context));
    const { main, further } = await loadPage({ hooks, deadline, owned }, () => captureAll(hooks, owned));
    if (!plan.timesFurtherPages) deadline.lift();
    const { collect, settle } = assets;
    await deadline.run('additionalAssets', () => collect(further));

    const closeSession = closeOnce(lease);
    if (plan.capture.streaming === true) void owned.released.then(closeSession);
    else await closeSession();
    const { output, made } = await deadline.run('encode', async () => completeOutput(await encodeMain(hooks, main), context, store));
    const collected = await deadline.run('additionalAssets', () => settle(made));
    settleWithOutput(output, deadline, () => {
      void closeSession().then(ending);
    });
    return { output, assets: collected, headers: owned.headers, timings: timingsOf(deadline, lease) };
  } catch (thrown) {
    const error = await explain(thrown, lease);
    const left = await assets?.collectAfterFailure(error);
    await lease?.[Symbol.asyncDispose]();
    await ending();
    throw left ?? error;
  } finally {
    finish();
  }
}

function openBase(parts: PipelineParts, plan: RenderPlan): ReturnType<typeof createBaseRenderContext> {
  const renderOther: BaseRenderContext['renderOther'] = (type, changes) => renderBefore(parts, planOther(plan, type, changes));
  return createBaseRenderContext({ ...parts, plan, renderOther });
}

/** Renders one page for another one, within its time. */
async function renderBefore(parts: PipelineParts, plan: RenderPlan): Promise<Output> {
  const deadline = createDeadline({ timeoutMs: null, signal: parts.deadline.signal });
  try {
    const { output } = await runPipeline({ ...parts, deadline, onProgress: undefined, openState: undefined }, plan);
    return output;
  } catch (error) {
    deadline[Symbol.dispose]();
    throw error;
  }
}

/** The underlying cause, if the thrown error is only its consequence. */
function explain(thrown: unknown, lease: Lease | undefined): unknown {
  if (lease === undefined) return thrown;
  return lease.browserGone ? browserLost(thrown) : explainTimeout(lease.tab.page, thrown);
}

/** A page opened after the render's time was up is closed immediately. */
async function openSession(
  pool: BrowserPool,
  { plan, deadline, rendered }: Pick<PipelineParts, 'deadline'> & { readonly plan: RenderPlan; readonly rendered: Promise<void> },
): Promise<Lease> {
  const opening = pool.open({ needs: plan.browser, profile: plan.profile, signal: deadline.signal, rendered });
  try {
    return await deadline.run('open', () => opening);
  } catch (error) {
    opening.then(
      (late) => late[Symbol.asyncDispose](),
      () => undefined,
    );
    throw error;
  }
}

/** A streaming body keeps the deadline and its source alive until it ends. */
function settleWithOutput({ body }: Output, deadline: Deadline, close: () => void): void {
  const settle = () => {
    deadline[Symbol.dispose]();
    close();
  };
  if (!(body instanceof Readable)) {
    settle();
    return;
  }
  // The pipeline is done: remaining time is spent by the reader, or by the writer of the stream.
  deadline.streaming();
  const abort = () => {
    body.destroy(deadline.signal.reason instanceof Error ? deadline.signal.reason : undefined);
  };
  deadline.signal.addEventListener('abort', abort, { once: true });
  finished(body, { writable: false })
    .catch(() => undefined)
    .finally(settle);
}

function closeOnce(lease: Lease): () => Promise<void> {
  let closing: Promise<void> | undefined;
  return () => (closing ??= Promise.resolve(lease[Symbol.asyncDispose]()));
}

function browserLost(cause: unknown): unknown {
  if (isPlatenError(cause) && ['client_closed', 'render_timeout'].includes(cause.code)) return cause;
  return new PlatenError('browser_lost', 'the browser was lost during the render', { cause, retryable: true, retry_after: 1 });
}

function timingsOf({ elapsed }: Deadline, { queuedMs }: Lease): Timings {
  const { open = 0, beforeNavigate = 0, navigate: goto = 0, wait = 0, capture = 0, additionalAssets = 0, encode: encoding = 0 } = elapsed;
  return {
    queue: queuedMs,
    open: open - queuedMs + beforeNavigate,
    navigate: goto,
    wait,
    capture: capture + additionalAssets,
    encode: encoding,
  };
}

/** The timeout error of a render. It says if a script blocks the page, since the wait reason is then not the cause. */
async function explainTimeout(page: Pick<Page, 'send'>, error: unknown): Promise<unknown> {
  if (!isPlatenError(error) || error.code !== 'render_timeout') return error;
  const { phase } = error.details;
  // Before its document is there, a page runs no script.
  if (phase === undefined || phase === 'open' || phase === 'navigate') return error;
  return (await isHeldByScript(page)) ? error.withDetail('a script blocks the page and may not end') : error;
}
