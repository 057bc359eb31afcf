import { setTimeout as delay } from 'node:timers/promises';
import { createController, untilAborted } from '../../deadline.js';
import { isPlatenError, PlatenError } from '../../errors.js';
import type { ProtocolSession } from '../protocol/contract.js';
import type { ClosableLifecycle } from './lifecycle.js';

/** Ensures that all results read from a page belong to its current document. */
export interface OneDocument {
  /** The session's own. While `run` is in progress, its calls are abandoned when the document is replaced. */
  readonly send: ProtocolSession['send'];
  /**
   * Prepares the page's current document, and reads it. If the page navigates to another document during the read, pending `Page` calls are
   * abandoned. The preparation may navigate the page elsewhere and back.
   * @throws `page_unstable` if the page has navigated to another document by itself.
   */
  run<T>(steps: { prepare(): Promise<void>; read(): Promise<T> }): Promise<T>;
  /** Runs a navigation by Platen, which may take the render's whole time. */
  lead<T>(navigation: () => Promise<T>): Promise<T>;
}

/** Milliseconds by which the commit of a new document may be reported after a call to the old one has failed. */
const COMMIT_MS = 250;
/**
 * Milliseconds that the page may take to load another document. Meanwhile Chromium executes no command that needs the renderer. If the
 * server does not respond, the current document stays.
 */
const LEAVING_MS = 5000;

/** The error of a call that gets no response because the main frame has committed another document. */
export function documentReplaced(cause?: unknown): PlatenError {
  return new PlatenError('page_unstable', 'the page navigated to another document while it was read', { cause });
}

export function createOneDocument(
  session: ProtocolSession,
  lifecycle: Pick<ClosableLifecycle, 'onCommit' | 'failed'>,
  frameId: string,
): OneDocument {
  let replaced: AbortController | undefined;
  let isElsewhere = false;
  const hasStrayed = (): boolean => isElsewhere;
  const leaving = followLeaving(session, frameId);
  lifecycle.onCommit((_frame, { byItself }) => {
    leaving.ended();
    isElsewhere = byItself;
    if (byItself) replaced?.abort(documentReplaced());
  });
  return {
    // Chromium does not respond to calls whose document is replaced, such as a screenshot that waits for its next frame.
    async send(method, params, options) {
      const { signal } = replaced ?? {};
      signal?.throwIfAborted();
      const answer = session.send(method, params, options);
      return signal === undefined ? answer : untilAborted(answer, signal);
    },
    async run({ prepare, read }) {
      isElsewhere = false;
      await prepare();
      if (hasStrayed()) throw documentReplaced();
      const { signal } = (replaced = createController());
      leaving.bound();
      try {
        const value = await read();
        signal.throwIfAborted();
        return value;
      } catch (error) {
        // Reads between two documents fail in many ways, and the commit event may arrive after the failure.
        const isKnown = isPlatenError(error) && !['page_unstable', 'page_crashed'].includes(error.code);
        if (!isKnown && !lifecycle.failed.aborted) await delay(COMMIT_MS, undefined, { signal }).catch(() => undefined);
        signal.throwIfAborted();
        throw error;
      } finally {
        replaced = undefined;
        leaving.unbound();
      }
    },
    lead: leaving.lead,
  };
}

/** Stops the page's own navigations that take too long, from `bound` to `unbound`. */
function followLeaving(session: ProtocolSession, mainFrameId: string) {
  let isBound = false;
  let isUnderWay = false;
  let own = 0;
  let timer: NodeJS.Timeout | undefined;
  const update = (): void => {
    clearTimeout(timer);
    if (!isBound || !isUnderWay || own > 0) return;
    timer = setTimeout(() => {
      session.send('Page.stopLoading').catch(() => undefined);
    }, LEAVING_MS);
  };
  const setUnderWay = (underWay: boolean): void => {
    isUnderWay = underWay;
    update();
  };
  const setBound = (bound: boolean): void => {
    isBound = bound;
    update();
  };
  session.on('Page.frameStartedNavigating', ({ frameId, navigationType }) => {
    if (frameId === mainFrameId && !/samedocument$/i.test(navigationType)) setUnderWay(true);
  });
  session.on('Page.frameStoppedLoading', ({ frameId }) => {
    if (frameId === mainFrameId) setUnderWay(false);
  });
  return {
    ended: setUnderWay.bind(undefined, false),
    bound: setBound.bind(undefined, true),
    unbound: setBound.bind(undefined, false),
    async lead<T>(navigation: () => Promise<T>): Promise<T> {
      own += 1;
      try {
        return await navigation();
      } finally {
        own -= 1;
        update();
      }
    },
  };
}
