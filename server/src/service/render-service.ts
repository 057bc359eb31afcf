import { finished } from 'node:stream/promises';
import {
  type AssetStore,
  PlatenError,
  type Kernel,
  type Logger,
  type OpenState,
  type Progress,
  type ReadLocalFile,
  type RenderOptions,
  type ResolveLocalPath,
  type RenderPlan,
  type RenderResult,
  type Timings,
} from '@platen/kernel';
import type { Source } from '@platen/schema';
import { withListHint } from './list-hint.js';
import { createPublisher } from './publish-named-assets.js';
import type { TraceContext } from './trace-context.js';
import { preserveErrorSource } from './attribute-errors.js';
import type { AdmittedCall, RenderResponse, RenderCall, ServerHooks } from './hooks.js';
import type { CacheOutcome } from './record.js';

export interface RenderServiceParts {
  readonly kernel: Kernel;
  readonly hooks: ServerHooks;
  readonly store: AssetStore;
  readonly log: Logger;
}

/** One request for a render, from any entry point. */
export interface RenderRequest {
  readonly id: string;
  readonly trace?: TraceContext;
  /** `GET /`, `POST /`, `command line`. */
  readonly endpoint: string;
  readonly source: Source;
  /** The parameters as given, not yet validated. */
  readonly raw: unknown;
  /** Aborted when no client waits for the response any more. */
  readonly signal: AbortSignal;
  /** The client's name, if there were credentials. */
  readonly identity?: string;
  /** Whether the client accepts this content type; absent: it accepts all. */
  accepts?(contentType: string): boolean;
  /** Adds a header to the response, successful or not. */
  header?(name: string, value: string): void;
  /** Called once the request is known to be valid. */
  onPlanned?(plan: RenderPlan): void;
  onPhase?(phase: string): void;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Milliseconds that the request has waited before: they count towards its timeout. */
  readonly waitedMs?: number | undefined;
  /** Keeps the work of a long render, so that it can go on after this process has ended. */
  readonly openState?: OpenState | undefined;
  /** Reads the files beside the target, if that is a local file. */
  readonly readLocalFile?: ReadLocalFile | undefined;
  /** Resolves the paths of files that parameters name. */
  readonly resolveLocalPath?: ResolveLocalPath | undefined;
  /** See `RenderOptions.publishAsset`. Default: publishes the asset for the store's lifetime, and longer while the render lasts. */
  readonly publishAsset?: RenderOptions['publishAsset'];
  /** Called with how a cache handles the request. */
  onDealt?(outcome: CacheOutcome): void;
}

/** Validates, plans, and renders or lets a plugin respond. HTTP, the command line and every future entry point call this one function. */
export async function renderRequest(parts: RenderServiceParts, request: RenderRequest): Promise<RenderResponse> {
  const { kernel, hooks } = parts;
  const { id, endpoint, signal, identity } = request;
  const plan = planRequest(kernel, request);
  request.onPlanned?.(plan);
  const call: RenderCall = {
    id,
    endpoint,
    plan,
    signal,
    ...(identity === undefined ? {} : { identity }),
    header(name, value) {
      request.header?.(name, value);
    },
  };
  const render = async (until: AbortSignal) => {
    assertAcceptable(request, plan.output.contentType);
    return await admitAndRender(parts, request, { ...call, signal: until });
  };
  const reportCacheStatus = (outcome: CacheOutcome) => request.onDealt?.(outcome);
  const answered = await hooks.beforeRender.promise({ ...call, reportCacheStatus, render: (until) => preserveErrorSource(render(until)) });
  if (answered === undefined) return await render(signal);
  try {
    assertAcceptable(request, answered.output.contentType);
    return answered;
  } catch (error) {
    discardOutput(answered);
    throw error;
  }
}

/** @throws PlatenError a 4xx error */
export function planRequest(
  kernel: Pick<Kernel, 'plan' | 'validate' | 'schema'>,
  request: Pick<RenderRequest, 'raw' | 'source'>,
): RenderPlan {
  try {
    return kernel.plan(kernel.validate(request.raw, request.source));
  } catch (error) {
    throw withListHint(error, request, kernel.schema);
  }
}

/** The output will not be read: closes the stream that it comes from. */
export function discardOutput({ output: { body } }: RenderResult): void {
  if (!Buffer.isBuffer(body)) body.destroy();
}

/** Renders once a slot is free, here or where a plugin executes it; the slot is held until the output has been read. */
async function admitAndRender(
  { kernel, hooks, store, log }: RenderServiceParts,
  request: RenderRequest,
  call: RenderCall,
): Promise<RenderResult> {
  const { id, trace, onPhase, onProgress, openState, readLocalFile, resolveLocalPath, waitedMs: waitedBefore = 0 } = request;
  const { publishAsset = createPublisher() } = request;
  const askedAt = performance.now();
  const slot = await hooks.admit.promise(call);
  const waitedMs = performance.now() - askedAt + waitedBefore;
  const free = () => slot?.[Symbol.dispose]();
  const admitted: AdmittedCall = {
    ...call,
    store,
    log: log.child({ request: id, ...trace }),
    waitedMs,
    ...(onPhase === undefined ? {} : { onPhase }),
    ...{ onProgress, openState, readLocalFile, resolveLocalPath, publishAsset },
  };
  try {
    const result = (await hooks.execute.promise(admitted)) ?? (await kernel.render(call.plan, admitted));
    whenRead(result, free);
    return { ...result, timings: { ...result.timings, queue: waitedMs + (result.timings.queue ?? 0) } };
  } catch (error) {
    free();
    throw error;
  }
}

function whenRead({ output: { body } }: RenderResult, then: () => void): void {
  if (Buffer.isBuffer(body)) then();
  else finished(body, { writable: false }).then(then, then);
}

/** Only `output_type` selects the format; an `Accept` that excludes it is rejected before a browser starts (RFC 9110, 15.5.7). */
function assertAcceptable({ accepts }: RenderRequest, contentType: string): void {
  const mediaType = contentType.split(';')[0] ?? contentType;
  if (accepts === undefined || accepts(mediaType)) return;
  throw new PlatenError(
    'not_acceptable',
    `the response would be ${mediaType}, which the header "Accept" excludes: choose another "output_type" or accept it`,
  );
}

/** Phases in the order of `Server-Timing`. */
export const PHASES = ['queue', 'open', 'navigate', 'wait', 'capture', 'encode'] as const satisfies readonly (keyof Timings)[];
