import type { BrowserLease } from './browser/pool/contract.js';
import type { TargetResponse } from './browser/page/contract.js';
import type { BaseRenderContext, ContextKey, PipelineContext, RenderContext } from './context.js';
import type { Deadline } from './deadline.js';
import type { Logger } from './logger.js';
import { renavigate } from './navigate.js';
import type { RenderPlan } from './render-plan.js';

export interface BaseContextParts {
  readonly plan: RenderPlan;
  readonly deadline: Deadline;
  readonly log: Logger;
}

export function createBaseRenderContext({ plan, deadline, log }: BaseContextParts): BaseRenderContext {
  const values = new Map<ContextKey<unknown>, unknown>();
  return Object.freeze<BaseRenderContext>({
    plan,
    params: plan.params,
    signal: deadline.signal,
    log,
    // A key carries its value's type, and `set` is the only way in.
    get: <T>(key: ContextKey<T>) => values.get(key) as T | undefined,
    set(key, value) {
      values.set(key, value);
    },
  });
}

export interface ContextParts {
  readonly base: BaseRenderContext;
  readonly lease: BrowserLease;
  readonly deadline: Deadline;
}

export function createRenderContext({ base, lease, deadline }: ContextParts): PipelineContext {
  const { log } = base;
  const headers: Record<string, string> = {};
  const ending = createEnding(log);
  let response: TargetResponse | undefined;
  const released = createFlag();
  const readied = createFlag();
  const context: RenderContext = {
    ...base,
    page: lease.page,
    intercept: lease.intercept,
    egress: lease.egress,
    deadlineAt: deadline.endsAt,
    get response() {
      return response;
    },
    acceptDownloads: () => lease.acceptDownloads(),
    ready: readied.raise,
    renavigate: () => renavigate(owned),
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
