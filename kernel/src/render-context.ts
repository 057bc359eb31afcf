import type { BrowserLease } from './browser/pool/contract.js';
import type { TargetResponse } from './browser/page/contract.js';
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
  const { log } = base;
  const headers: Record<string, string> = {};
  const ending = createEnding(log);
  let response: TargetResponse | undefined;
  const released = createFlag();
  const readied = createFlag();
  const led = createFlag();
  let shown = lease.page;
  const context: RenderContext = {
    ...base,
    get page() {
      return shown;
    },
    get led() {
      return led.isUp;
    },
    intercept: lease.intercept,
    egress: lease.egress,
    get deadlineAt() {
      return deadline.endsAt;
    },
    get response() {
      return response;
    },
    ...{ visit, tabIndex, openLane },
    progress: (progress) => onProgress?.(progress),
    acceptDownloads: () => lease.acceptDownloads(),
    ready: readied.raise,
    open: () => navigateToTarget(owned),
    renavigate: () => renavigate(owned),
    show(page) {
      shown = page;
      lease.show(page);
    },
    setResponseHeader(name, value) {
      headers[name] = value;
    },
    onRenderEnd: ending.add,
    setWaitReason: deadline.setWaitReason,
    release: released.raise,
  };
  const owned: PipelineContext = {
    context: Object.freeze(context),
    headers,
    released: released.raised,
    readied: readied.raised,
    navigatedByPlugin: led.raise,
    get isReady() {
      return readied.isUp;
    },
    responded(answer) {
      response = answer;
    },
    end: ending.run,
  };
  return owned;
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
