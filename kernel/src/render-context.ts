import type { BrowserLease } from './browser/pool/contract.js';
import type { Page, TargetResponse } from './browser/page/contract.js';
import type { BaseRenderContext, ContextKey, Lane, PipelineContext, Progress, RenderContext, Visit } from './context.js';
import type { Deadline } from './deadline.js';
import type { Logger } from './logger.js';
import { navigateToTarget, renavigate } from './navigate.js';
import type { RenderPlan } from './render-plan.js';

export interface BaseContextParts {
  readonly plan: RenderPlan;
  readonly deadline: Deadline;
  readonly log: Logger;
  readonly openState?: BaseRenderContext['openState'];
}

export function createBaseRenderContext({ plan, deadline, log, openState }: BaseContextParts): BaseRenderContext {
  return Object.freeze<BaseRenderContext>({ plan, params: plan.params, signal: deadline.signal, log, openState, ...createValues() });
}

/** Values by key; those of the outer context are visible, and can be replaced only for this one. */
export function createValues(outer?: Pick<BaseRenderContext, 'get'>): Pick<BaseRenderContext, 'get' | 'set'> {
  const values = new Map<ContextKey<unknown>, unknown>();
  return {
    // A key carries its value's type, and `set` is the only way in.
    get: <T>(key: ContextKey<T>) => (values.has(key) ? (values.get(key) as T | undefined) : outer?.get(key)),
    set(key, value) {
      values.set(key, value);
    },
  };
}

export interface ContextParts {
  readonly base: BaseRenderContext;
  readonly lease: Pick<BrowserLease, 'page' | 'show' | 'intercept' | 'egress' | 'acceptDownloads'>;
  readonly deadline: Deadline;
  readonly tabIndex?: number;
  readonly visit?: Visit;
  readonly openLane?: () => Lane;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export function createRenderContext(parts: ContextParts): PipelineContext {
  const { base, lease, deadline, tabIndex = 0, visit, openLane = refuseLane, onProgress } = parts;
  const state = createState(lease.page, base.log);
  const { headers, released, readied, led, ending } = state;
  const context: RenderContext = {
    ...base,
    get page() {
      return state.page;
    },
    get led() {
      return led.isUp;
    },
    get deadlineAt() {
      return deadline.endsAt;
    },
    get response() {
      return state.response;
    },
    ...{ intercept: lease.intercept, egress: lease.egress, visit, tabIndex, openLane },
    progress: (progress) => onProgress?.(progress),
    acceptDownloads: () => lease.acceptDownloads(),
    ready: readied.raise,
    open: () => navigateToTarget(owned),
    renavigate: () => renavigate(owned),
    show(page) {
      state.page = page;
      lease.show(page);
    },
    setResponseHeader(name, value) {
      headers[name] = value;
    },
    onRenderEnd: ending.add,
    setWaitReason: deadline.setWaitReason,
    release: released.raise,
  };
  const owned = toPipelineContext(Object.freeze(context), state);
  return owned;
}

/** What changes in the course of a render. */
function createState(page: Page, log: Logger) {
  // Assigned by the two contexts.
  const changing: { page: Page; response: TargetResponse | undefined } = { page, response: undefined };
  const headers: Record<string, string> = {};
  return Object.assign(changing, {
    headers,
    ...{ released: createFlag(), readied: createFlag(), led: createFlag(), ending: createEnding(log) },
  });
}

function toPipelineContext(context: RenderContext, state: ReturnType<typeof createState>): PipelineContext {
  const { headers, released, readied, led, ending } = state;
  return {
    ...{ context, headers, released: released.raised, readied: readied.raised },
    navigatedByPlugin: led.raise,
    get isReady() {
      return readied.isUp;
    },
    responded(response) {
      state.response = response;
    },
    end: ending.run,
  };
}

function refuseLane(): never {
  throw new TypeError('only the render itself opens lanes, not one of its visits');
}

/** A signal that any caller can set once. */
function createFlag(): { readonly raised: Promise<void>; readonly isUp: boolean; readonly raise: () => void } {
  let isUp = false;
  let resolve = (): void => undefined;
  const raised = new Promise<void>((resolvePromise) => {
    resolve = resolvePromise;
  });
  return {
    raised,
    get isUp() {
      return isUp;
    },
    raise() {
      isUp = true;
      resolve();
    },
  };
}

/** Callbacks deferred to the end of a render. A failing callback does not affect the others. */
function createEnding(log: Logger): { readonly add: (listener: () => Promise<void>) => void; readonly run: () => Promise<void> } {
  const listeners: (() => Promise<void>)[] = [];
  return {
    add(listener) {
      listeners.push(listener);
    },
    async run() {
      const tidying = listeners.splice(0).map((listener) =>
        listener().catch((error: unknown) => {
          log.error({ err: error }, 'the cleanup after a render failed');
        }),
      );
      await Promise.all(tidying);
    },
  };
}
