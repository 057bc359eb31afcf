import type { DocumentState, EventPayload, Lifecycle, ProtocolSession } from './contract.js';

type Frame = EventPayload<'Page.frameNavigated'>['frame'];

/** The main document's lifecycle as its owner has it. */
export interface OwnedLifecycle extends Lifecycle {
  /** A navigation is about to begin: what is heard until its commit is the old document's. */
  begin(): Navigation;
  /** Runs the listener at each new main document. */
  onCommit(listener: (frame: Frame) => void): void;
  /** Rejects everything that is waited for, and all that will be. */
  end(reason: Error): void;
}

export interface Navigation {
  /** Resolves with the frame of the new document. */
  readonly committed: Promise<Frame>;
  /** It came to nothing: the old document stays. */
  cancel(): void;
}

interface Milestone {
  readonly promise: Promise<number>;
  reach(): void;
  fail(reason: Error): void;
}

const STATES: readonly DocumentState[] = ['DOMContentLoaded', 'load'];

/** Starts anew at each main document (redirect by script or meta refresh included); waiters wait for the newest. */
export function createLifecycle(session: ProtocolSession): OwnedLifecycle {
  const listeners: ((frame: Frame) => void)[] = [];
  let reachedAt = new Map<DocumentState, number>();
  let navigating: { resolve(frame: Frame): void; reject(reason: Error): void } | undefined;
  let ended: Error | undefined;
  const milestones = new Map<DocumentState, Milestone>(STATES.map((state) => [state, createMilestone()]));

  const reach = (state: DocumentState): void => {
    if (navigating) return;
    reachedAt.set(state, performance.now());
    milestones.get(state)?.reach();
  };
  const restart = (): void => {
    for (const state of reachedAt.keys()) milestones.set(state, createMilestone());
    reachedAt = new Map();
  };
  session.on('Page.domContentEventFired', () => {
    reach('DOMContentLoaded');
  });
  session.on('Page.loadEventFired', () => {
    reach('load');
  });
  session.on('Page.frameNavigated', ({ frame, type }) => {
    if (frame.parentId !== undefined) return;
    restart();
    navigating?.resolve(frame);
    navigating = undefined;
    for (const listener of listeners) listener(frame);
    // A page out of the back/forward cache fires no events: it has been through all of them.
    if (type === 'BackForwardCacheRestore') STATES.forEach(reach);
  });

  return {
    async reached(state) {
      // A document may be replaced while it is being waited for: its milestone is then simply reached by the next one.
      const milestone = milestones.get(state);
      if (ended || !milestone) throw ended ?? new Error(`unknown state ${state}`);
      return milestone.promise;
    },
    begin() {
      restart();
      const { promise, resolve, reject } = withResolvers<Frame>();
      const own = { resolve, reject };
      navigating = own;
      if (ended) reject(ended);
      return {
        committed: promise,
        cancel() {
          if (navigating === own) navigating = undefined;
        },
      };
    },
    onCommit(listener) {
      listeners.push(listener);
    },
    end(reason) {
      ended ??= reason;
      navigating?.reject(reason);
      for (const milestone of milestones.values()) milestone.fail(reason);
    },
  };
}

function createMilestone(): Milestone {
  const { promise, resolve, reject } = withResolvers<number>();
  return {
    promise,
    reach: () => {
      resolve(performance.now());
    },
    fail: reject,
  };
}

/** `Promise.withResolvers`, which Node 20 lacks; a rejection that nobody waits for is no fault. */
function withResolvers<T>(): { promise: Promise<T>; resolve(value: T): void; reject(reason: Error): void } {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: Error) => void = () => undefined;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
