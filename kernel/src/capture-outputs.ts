import { Readable } from 'node:stream';
import type { RenderAssetStore } from './assets/render-asset-store.js';
import type { PipelineContext, RenderContext } from './context.js';
import { isPlatenError, PlatenError } from './errors.js';
import type { KernelHooks } from './hooks.js';
import { COMBINATIONS, type FurtherOutput, type Output, type OwnedAsset } from './output.js';
import type { RenderPlan } from './render-plan.js';
import { createValues } from './values.js';

/** One capture of the page, with the context of its taps and of its encoder. */
interface Captured {
  readonly context: RenderContext;
  readonly capture: unknown;
}

/** Of a further output. */
export interface FurtherCapture {
  readonly asset: OwnedAsset;
  readonly context: RenderContext;
  /** Settled; rejected with why there is none. */
  readonly capture: Promise<unknown>;
}

export interface Captures {
  readonly main: Captured;
  readonly further: readonly FurtherCapture[];
}

/**
 * Captures the page for the main output and for each further one, one after another: those that change the page least come first. A further
 * one may fail, unless the page itself is lost.
 */
export async function captureAll(hooks: KernelHooks, owned: PipelineContext): Promise<Captures> {
  const { context } = owned;
  const { output, capture, assets } = context.plan;
  const others = assets.flatMap((asset) => (asset.further === undefined ? [] : [{ asset, ...asset.further }]));
  if (others.length === 0) return { main: { context, capture: await captureBy(hooks, context) }, further: [] };
  let main: Captured = { context: contextFor(context, { output, capture }), capture: undefined };
  const further: FurtherCapture[] = [];
  const rank = (one: Pick<FurtherOutput, 'capture'>) => COMBINATIONS.indexOf(one.capture.combines ?? 'recording');
  for (const { asset, ...one } of [{ asset: undefined, output, capture }, ...others].sort((a, b) => rank(a) - rank(b))) {
    if (asset === undefined) {
      main = { ...main, capture: await captureBy(hooks, main.context) };
      continue;
    }
    const own = contextFor(context, one);
    const taken = isOwed(own) ? captureBy(hooks, own) : Promise.reject(new PlatenError('render_timeout', 'the page did not load in time'));
    await taken.catch((error: unknown) => {
      if (isPageLost(error, owned)) throw error;
    });
    further.push({ asset, context: own, capture: taken });
  }
  return { main, further };
}

/** Only some captures are those of a page that did not load. */
function isOwed({ isUnready, plan }: RenderContext): boolean {
  return !isUnready || plan.capture.recordsLoading === true || plan.capturesOnTimeout === true;
}

function isPageLost(error: unknown, { context: { signal, page }, lease }: PipelineContext): boolean {
  const isRetried = isPlatenError(error) && (error.code === 'page_unstable' || error.code === 'browser_lost');
  return isRetried || signal.aborted || page.lifecycle.failed.aborted || lease.browserGone;
}

/** Taps of one of several outputs see the plan of a render that has only this one, and share no values with those of the others. */
function contextFor(context: RenderContext, { output, capture }: Pick<FurtherOutput, 'output' | 'capture'>): RenderContext {
  const assets = context.plan.assets.filter(({ further }) => further === undefined);
  const own = {
    ...createValues(context),
    plan: Object.freeze({ ...context.plan, output, capture, assets, included: [] }),
    // Only the main output's capture ends the session.
    ...(output === context.plan.output ? {} : { release: () => undefined }),
  };
  const members = { ...Object.getOwnPropertyDescriptors(context), ...Object.getOwnPropertyDescriptors(own) };
  // All members of a context, some of which are getters.
  return Object.freeze(Object.defineProperties({}, members)) as RenderContext;
}

/** Captures and encodes the page of a context as an output type that its plan includes. */
export async function renderAs(hooks: KernelHooks, context: RenderContext, type: string): Promise<Output> {
  const own = contextFor(context, includedIn(context.plan, type));
  return await encode(hooks, { context: own, capture: await captureBy(hooks, own) });
}

/** The plan of one more page, as an output type that a plan includes. Of the assets, and the keys that ask for them, those of a failure. */
export function planOther(plan: RenderPlan, type: string, changes: { readonly url: string }): RenderPlan {
  const { output, capture } = includedIn(plan, type);
  const assets = plan.assets.filter(({ ofFailure }) => ofFailure);
  const others = plan.assets.filter(({ ofFailure }) => !ofFailure).map(({ key }) => [key, undefined] as const);
  const params = Object.freeze({ ...plan.params, ...Object.fromEntries(others), ...changes });
  return Object.freeze({ ...plan, params, url: changes.url, output, capture, assets, included: [] });
}

function includedIn({ included }: RenderPlan, type: string): FurtherOutput {
  const found = included.find(({ output }) => output.type === type);
  if (found === undefined) throw new TypeError(`the plan does not include the output type "${type}"`);
  return found;
}

/** What streams out of the page is added while the page is open; the rest is encoded once it is closed. */
export function isStreaming({ context }: FurtherCapture): boolean {
  return context.plan.capture.streaming === true;
}

/** Encodes further outputs, and adds them as assets. */
export async function addFurther(
  hooks: KernelHooks,
  captures: readonly FurtherCapture[],
  assets: Pick<RenderAssetStore, 'add' | 'miss'>,
): Promise<void> {
  for (const { asset, context, capture } of captures) {
    try {
      const { contentType, extension, body } = await encode(hooks, { context, capture: await capture });
      await assets.add({ name: asset.name, contentType, extension: asset.extension ?? extension, body });
    } catch (error) {
      context.signal.throwIfAborted();
      assets.miss(asset.name, error);
    }
  }
}

async function captureBy(hooks: KernelHooks, context: RenderContext): Promise<unknown> {
  const { kind } = context.plan.capture;
  const capture = await hooks.capture.get(kind)?.promise(context);
  if (capture === undefined) throw unanswered(hooks.capture.get(kind), `capture.${kind}`);
  return capture;
}

/** Encodes the main output, which plugins see before and after. */
export async function encodeMain(hooks: KernelHooks, { context, capture }: Captured): Promise<Output> {
  const seen = await hooks.captured.get(context.plan.capture.kind)?.promise(capture, context);
  const output = await encode(hooks, { context, capture: seen ?? capture });
  await hooks.encoded.promise(output, context);
  return output;
}

async function encode(hooks: KernelHooks, { context, capture }: Captured): Promise<Output> {
  const { type, contentType, extension } = context.plan.output;
  const encoder = hooks.encode.get(type);
  const encoded = await encoder?.promise(capture, context);
  if (encoded === undefined || !isBody(encoded.body)) throw unanswered(encoder, `encode.${type}`);
  return { contentType, extension, ...encoded };
}

function isBody(body: unknown): boolean {
  return Buffer.isBuffer(body) || body instanceof Readable;
}

/** A plugin whose tap does not return a required result. */
function unanswered(tapped: { readonly taps: readonly { readonly name: string }[] } | undefined, hook: string): PlatenError {
  const plugin = tapped?.taps.map(({ name }) => name).join(', ') ?? 'none';
  return new PlatenError('plugin_failed', `the plugin "${plugin}" returned no usable value from its hook "${hook}"`, { plugin, hook });
}
