import type { TargetResponse } from './browser/page/contract.js';
import type { Tab } from './browser/page/tab.js';
import type { Lease } from './browser/pool/lease.js';
import type { BaseRenderContext, ContextKey, PageWorker, PipelineContext, Progress, RenderContext, Visit } from './context.js';
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
  readonly lease: Lease;
  /** Default: the lease's first. */
  readonly tab?: Tab;
  readonly deadline: Deadline;
  readonly tabIndex?: number;
  readonly visit?: Visit;
  readonly openWorker?: () => PageWorker;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export function createRenderContext(parts: ContextParts): PipelineContext {
  const { base, lease, tab = lease.tab, deadline, tabIndex = 0, visit, openWorker = refuseWorker, onProgress } = parts;
  const state = createState(base.log);
  const { headers, released, readied, navigated, ending } = state;
  // An earlier visit of the tab may have shown a popup.
  tab.show(tab.page);
  const context: RenderContext = {
    ...base,
    ...{ intercept: tab.intercept, egress: { entries: lease.context.entries }, visit, tabIndex, openWorker },
    get page() {
      return tab.shown;
    },
    get isNavigatedByPlugin() {
      return navigated.isUp;
    },
    get deadlineAt() {
      return deadline.endsAt;
    },
    get response() {
      return state.response;
    },
    show: (page) => {
      tab.show(page);
    },
    progress: (progress) => onProgress?.(progress),
    acceptDownloads: () => lease.context.acceptDownloads(),
    ready: readied.raise,
    open: () => navigateToTarget(owned),
    renavigate: () => renavigate(owned),
    setResponseHeader(name, value) {
      headers[name] = value;
    },
    onRenderEnd: ending.add,
    setWaitReason: deadline.setWaitReason,
    release: released.raise,
  };
  const owned: PipelineContext = toPipelineContext({ context: Object.freeze(context), lease, tab }, state);
  return owned;
}

/** What changes in the course of a render. */
interface State {
  response: TargetResponse | undefined;
  readonly headers: Record<string, string>;
  readonly released: Flag;
  readonly readied: Flag;
  readonly navigated: Flag;
  readonly ending: Ending;
}

function createState(log: Logger): State {
  return {
    ...{ response: undefined, headers: {}, ending: createEnding(log) },
    ...{ released: createFlag(), readied: createFlag(), navigated: createFlag() },
  };
}

function toPipelineContext(parts: Pick<PipelineContext, 'context' | 'lease' | 'tab'>, state: State): PipelineContext {
  const { headers, released, readied, navigated, ending } = state;
  return {
    ...parts,
    ...{ headers, released: released.raised, readied: readied.raised, navigatedByPlugin: navigated.raise, end: ending.run },
    get isReady() {
      return readied.isUp;
    },
    responded(response) {
      state.response = response;
    },
  };
}

function refuseWorker(): never {
  throw new TypeError('only the render itself opens workers, not one of its visits');
}

/** A signal that any caller can set once. */
interface Flag {
  readonly raised: Promise<void>;
  readonly isUp: boolean;
  readonly raise: () => void;
}

function createFlag(): Flag {
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
interface Ending {
  readonly add: (listener: () => Promise<void>) => void;
  readonly run: () => Promise<void>;
}

function createEnding(log: Logger): Ending {
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
