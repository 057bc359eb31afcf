import type { DocumentState, Lifecycle } from './contract.js';
import type { EventPayload, ProtocolSession } from '../protocol/contract.js';

type Frame = EventPayload<'Page.frameNavigated'>['frame'];

/** The main document's lifecycle, with its owner's controls. */
export interface ClosableLifecycle extends Lifecycle {
  /** A navigation is about to begin: events until its commit belong to the old document. */
  begin(): Navigation;
  /** Runs the listener at each new main document. `byItself`: the page navigated, not a call of Platen. */
  onCommit(listener: (frame: Frame, how: { readonly byItself: boolean }) => void): void;
  /** The current document failed: rejects pending waits, until another document begins. No effect once it was parsed. */
  lose(reason: Error): void;
  /** Reaches the states that the current document had before this lifecycle was created. */
  joinLate(): void;
  /** Rejects all pending and future waits. */
  end(reason: Error): void;
  /** Why it ended; undefined while the page lives. */
  readonly ended: Error | undefined;
}

export interface Navigation {
  /** Resolves with the frame of the new document. */
  readonly committed: Promise<Frame>;
  /** The navigation did not commit: the old document stays. */
  cancel(): void;
}

const STATES: readonly DocumentState[] = ['DOMContentLoaded', 'load'];

/** Restarts at each main document (redirect by script or meta refresh included); waiters wait for the newest. */
export function createLifecycle(session: ProtocolSession, mainFrameId: string): ClosableLifecycle {
  const listeners: Parameters<ClosableLifecycle['onCommit']>[0][] = [];
  const milestones = createMilestones();
  let navigating: Resolvers<Frame> | undefined;
  const reach = (state: DocumentState): void => {
    if (!navigating) milestones.reach(state);
  };
  onStates(session, reach);
  onStopped(session, mainFrameId, reach);
  session.on('Page.frameNavigated', ({ frame, type }) => {
    if (frame.parentId !== undefined) return;
    milestones.restart();
    const byItself = navigating === undefined;
    navigating?.resolve(frame);
    navigating = undefined;
    for (const listener of listeners) listener(frame, { byItself });
    // A page out of the back/forward cache fires no events: it has been through all of them.
    if (type === 'BackForwardCacheRestore') STATES.forEach(reach);
  });

  return {
    reached: (state) => milestones.reached(state),
    get failed() {
      return milestones.lost;
    },
    get ended() {
      return milestones.ended;
    },
    begin() {
      const own = (navigating = withResolvers<Frame>());
      milestones.restart();
      if (milestones.ended) own.reject(milestones.ended);
      return {
        committed: own.promise,
        cancel() {
          if (navigating === own) navigating = void joinLate(session, milestones);
        },
      };
    },
    onCommit: (listener) => void listeners.push(listener),
    lose(reason) {
      if (!navigating && !milestones.parsed) milestones.lose(reason);
    },
    joinLate: () => void joinLate(session, milestones),
    end: (reason) => {
      navigating?.reject(reason);
      milestones.end(reason);
    },
  };
}

function onStates(session: ProtocolSession, reach: (state: DocumentState) => void): void {
  session.on('Page.domContentEventFired', () => {
    reach('DOMContentLoaded');
  });
  session.on('Page.loadEventFired', () => {
    reach('load');
  });
}

/**
 * Reaches all states when the loading of a document has ended without its load event, as by `window.stop()` (HTML, "abort a document"). A
 * document whose body was interrupted is not complete.
 */
function onStopped(session: ProtocolSession, mainFrameId: string, reach: (state: DocumentState) => void): void {
  let awaited: string | undefined;
  session.on('Page.frameNavigated', ({ frame: { id, loaderId } }) => {
    if (id === mainFrameId) awaited = loaderId;
  });
  session.on('Page.loadEventFired', () => {
    awaited = undefined;
  });
  session.on('Page.frameStoppedLoading', ({ frameId }) => {
    const stopped = awaited;
    if (frameId !== mainFrameId || stopped === undefined) return;
    void readState(session).then((state) => {
      if (state === 'complete' && awaited === stopped) STATES.forEach(reach);
    });
  });
}

/** Reaches the states that a document had before. */
async function joinLate(session: ProtocolSession, milestones: ReturnType<typeof createMilestones>): Promise<void> {
  const { documents } = milestones;
  const state = await readState(session);
  if (milestones.documents !== documents || state === undefined) return;
  if (state !== 'loading') milestones.reach('DOMContentLoaded');
  if (state === 'complete') milestones.reach('load');
}

/** Undefined if the page does not respond. */
function readState(session: ProtocolSession): Promise<unknown> {
  return session.send('Runtime.evaluate', { expression: 'document.readyState', returnByValue: true }).then(
    ({ result }) => result.value as unknown,
    () => undefined,
  );
}

/** The states of a document; waits for states not reached carry over to the next document. */
function createMilestones() {
  const fresh = () => ({ ...withResolvers<number>(), passed: false });
  const milestones = { DOMContentLoaded: fresh(), load: fresh() };
  let lost = new AbortController();
  let documents = 0;
  let ended: Error | undefined;
  const lose = (reason: Error): void => {
    lost.abort(reason);
    for (const state of STATES) milestones[state].reject(reason);
  };
  return {
    get ended() {
      return ended;
    },
    get lost() {
      return lost.signal;
    },
    get parsed() {
      return milestones.DOMContentLoaded.passed;
    },
    /** Number of documents that have begun. */
    get documents() {
      return documents;
    },
    lose,
    reached: (state: DocumentState): Promise<number> => (ended ? Promise.reject(ended) : milestones[state].promise),
    reach(state: DocumentState): void {
      milestones[state].passed = true;
      milestones[state].resolve(performance.now());
    },
    restart(): void {
      documents += 1;
      const wasLost = lost.signal.aborted;
      for (const state of STATES) if (wasLost || milestones[state].passed) milestones[state] = fresh();
      if (wasLost && !ended) lost = new AbortController();
    },
    end(reason: Error): void {
      ended ??= reason;
      lose(reason);
    },
  };
}

interface Resolvers<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: Error): void;
}

/** `Promise.withResolvers`, which Node 20 lacks. A rejection that no caller awaits is not an error. */
function withResolvers<T>(): Resolvers<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: Error) => void = () => undefined;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
