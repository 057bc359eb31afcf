import type { BrowserLease, TargetResponse } from './browser/contract.js';
import type { ContextKey, BaseRenderContext, RenderContext } from './context.js';
import type { Deadline } from './deadline.js';
import type { Logger } from './logger.js';
import { renavigate } from './navigate.js';
import type { RenderPlan } from './plan.js';

/** A render's context, with methods only for the pipeline. */
export interface OwnedContext {
  readonly context: RenderContext;
  readonly headers: Readonly<Record<string, string>>;
  responded(response: TargetResponse | undefined): void;
  /** Resolves once a plugin has reported that there is nothing more to wait for. */
  readonly readied: Promise<void>;
  readonly isReady: boolean;
  /** Runs the callbacks deferred to the render's end. Never throws. */
  end(): Promise<void>;
  /** Resolves once a plugin has reported that the capture was read to its end. */
  readonly released: Promise<void>;
}

export interface OpenParts {
  readonly plan: RenderPlan;
  readonly deadline: Deadline;
  readonly log: Logger;
}

export function createBaseRenderContext({ plan, deadline, log }: OpenParts): BaseRenderContext {
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
  readonly opened: BaseRenderContext;
  readonly lease: BrowserLease;
  readonly deadline: Deadline;
}

export function createRenderContext({ opened, lease, deadline }: ContextParts): OwnedContext {
  const { log } = opened;
  const headers: Record<string, string> = {};
  const ending = createEnding(log);
  let response: TargetResponse | undefined;
  const released = createFlag();
  const readied = createFlag();
  const context: RenderContext = {
    ...opened,
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
  const owned: OwnedContext = {
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
          log.error({ err: error }, 'a render could not be tidied up after');
        }),
      );
      await Promise.all(tidying);
    },
  };
}
