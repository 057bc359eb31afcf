import { type AssetStore, PlatenError, type Kernel, type Logger, type RenderPlan, type RenderResult, type Timings } from '@platen/kernel';
import type { Source } from '@platen/schema';
import type { ServerHooks } from './hooks.js';

export interface RenderServiceParts {
  readonly kernel: Kernel;
  readonly hooks: ServerHooks;
  readonly store: AssetStore;
  readonly log: Logger;
}

/** One request for a render, from whichever door it came through. */
export interface RenderRequest {
  readonly id: string;
  /** `GET /`, `POST /`, `command line`. */
  readonly endpoint: string;
  readonly source: Source;
  /** The parameters as given, not yet validated. */
  readonly raw: unknown;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Whether the client can take this content type; absent: it takes all. */
  accepts?(contentType: string): boolean;
  /** Told once the request is known to be valid. */
  onPlanned?(plan: RenderPlan): void;
  onPhase?(phase: string): void;
}

/** Validates, plans, and renders or lets a plugin answer: HTTP, the command line and every later door call this one function. */
export async function renderRequest({ kernel, hooks, store, log }: RenderServiceParts, request: RenderRequest): Promise<RenderResult> {
  const { id, endpoint, signal } = request;
  const plan = kernel.plan(kernel.validate(request.raw, request.source));
  request.onPlanned?.(plan);
  const answered = await hooks.beforeRender.promise({ id, endpoint, plan, signal });
  assertAcceptable(request, answered?.output.contentType ?? plan.output.contentType);
  if (answered !== undefined) return answered;
  return await kernel.render(plan, {
    signal,
    store,
    log: log.child({ request: id }),
    ...(request.onPhase === undefined ? {} : { onPhase: request.onPhase }),
  });
}

/** `output_type` alone chooses the format; an `Accept` that rules it out is refused before a browser is troubled (RFC 9110, 15.5.7). */
function assertAcceptable({ accepts }: RenderRequest, contentType: string): void {
  const mediaType = contentType.split(';')[0] ?? contentType;
  if (accepts === undefined || accepts(mediaType)) return;
  throw new PlatenError(
    'not_acceptable',
    `the answer would be ${mediaType}, which the header "Accept" rules out: ask for another "output_type" or accept it`,
  );
}

/** Phases in the order of `Server-Timing`. */
export const PHASES = ['queue', 'open', 'navigate', 'wait', 'capture', 'encode'] as const satisfies readonly (keyof Timings)[];
