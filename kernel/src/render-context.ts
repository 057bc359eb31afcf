import { Changes } from './changes.js';
import { renderAs } from './capture-outputs.js';
import { createEnding } from './base-render-context.js';
import type { TargetResponse } from './browser/page/contract.js';
import type { Tab } from './browser/page/tab.js';
import type { Lease } from './browser/pool/lease.js';
import type { BaseRenderContext, PageWorker, PipelineContext, Progress, RenderContext, Visit } from './context.js';
import type { Deadline } from './deadline.js';
import type { KernelHooks } from './hooks.js';
import type { Logger } from './logger.js';
import { checkCurrentResponse, navigateToTarget, renavigate } from './navigate.js';

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
  readonly hooks: KernelHooks;
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
    get isUnready() {
      return state.unready.isUp;
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
    navigated() {
      // It is not checked again when the page is captured.
      checkCurrentResponse(owned);
      navigated.raise();
    },
    open: () => navigateToTarget(owned),
    renavigate: () => renavigate(owned),
    renderAs: (type) => renderAs(parts.hooks, owned.context, type),
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
  readonly unready: Flag;
  readonly ending: ReturnType<typeof createEnding>;
}

function createState(log: Logger): State {
  return {
    ...{ response: undefined, headers: {}, ending: createEnding(log) },
    ...{ released: new Flag(), readied: new Flag(), navigated: new Flag(), unready: new Flag() },
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
    waitedInVain(phase) {
      state.unready.raise();
      parts.context.setResponseHeader('X-Timeout', phase);
    },
    responded(response) {
      state.response = response;
    },
  };
}

function refuseWorker(): never {
  throw new TypeError('only the render itself opens workers, not one of its visits');
}

/** Any caller can raise it; it stays raised. */
class Flag {
  readonly #changes = new Changes();
  readonly raised = this.#changes.next();
  isUp = false;
  readonly raise = (): void => {
    this.isUp = true;
    this.#changes.notify();
  };
}
