import type { BrowserLease, TargetResponse } from './browser/contract.js';
import type { ContextKey, RenderContext } from './context.js';
import type { Deadline } from './deadline.js';
import type { Logger } from './logger.js';
import { loadAgain } from './navigate.js';
import type { RenderPlan } from './plan.js';

/** A render's context with what only the pipeline may do to it. */
export interface OwnedContext {
  readonly context: RenderContext;
  readonly headers: Readonly<Record<string, string>>;
  responded(response: TargetResponse | undefined): void;
  /** Resolves once somebody said that the capture was read to its end. */
  readonly released: Promise<void>;
}

export interface ContextParts {
  readonly plan: RenderPlan;
  readonly lease: BrowserLease;
  readonly deadline: Deadline;
  readonly log: Logger;
}

export function createRenderContext({ plan, lease, deadline, log }: ContextParts): OwnedContext {
  const values = new Map<ContextKey<unknown>, unknown>();
  const headers: Record<string, string> = {};
  let response: TargetResponse | undefined;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const context: RenderContext = {
    plan,
    params: plan.params,
    signal: deadline.signal,
    log,
    page: lease.page,
    intercept: lease.intercept,
    egress: lease.egress,
    get response() {
      return response;
    },
    // A key carries its value's type, and `set` is the only way in.
    get: <T>(key: ContextKey<T>) => values.get(key) as T | undefined,
    set(key, value) {
      values.set(key, value);
    },
    loadAgain: () => loadAgain(owned),
    header(name, value) {
      headers[name] = value;
    },
    waitingFor: (condition) => {
      deadline.waitingFor(condition);
    },
    release: () => {
      release();
    },
  };
  const owned: OwnedContext = {
    context: Object.freeze(context),
    headers,
    released,
    responded(answer) {
      response = answer;
    },
  };
  return owned;
}
