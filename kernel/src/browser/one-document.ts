import { setTimeout as delay } from 'node:timers/promises';
import { untilAborted } from '../deadline.js';
import { isPlatenError, PlatenError } from '../errors.js';
import type { ProtocolSession } from './contract.js';
import type { OwnedLifecycle } from './lifecycle.js';

/** Holds what is asked of a page to the document that the page shows. */
export interface OneDocument {
  /** The session's own; while `run` is in progress its calls are given up when the document is replaced. */
  readonly send: ProtocolSession['send'];
  /** See `BrowserLease.onOneDocument`. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Milliseconds by which the commit of a new document may be reported after a call to the old one has failed. */
const COMMIT_MS = 250;

/** The error of a call that the page answers no more: its main frame has committed another document. */
export function documentReplaced(cause?: unknown): PlatenError {
  return new PlatenError('page_unstable', 'the page went on to another document while it was read', { cause });
}

export function createOneDocument(
  session: Pick<ProtocolSession, 'send'>,
  lifecycle: Pick<OwnedLifecycle, 'onCommit' | 'lost'>,
): OneDocument {
  let replaced: AbortController | undefined;
  lifecycle.onCommit((_frame, { byItself }) => {
    if (byItself) replaced?.abort(documentReplaced());
  });
  return {
    // Chromium leaves calls unanswered whose document goes, such as a screenshot that waits for its next frame.
    async send(method, params, options) {
      const { signal } = replaced ?? {};
      signal?.throwIfAborted();
      const answer = session.send(method, params, options);
      return signal === undefined ? answer : untilAborted(answer, signal);
    },
    async run(work) {
      const { signal } = (replaced = new AbortController());
      try {
        const value = await work();
        signal.throwIfAborted();
        return value;
      } catch (error) {
        // What is read between two documents fails in many ways, and news of the commit may come after that.
        const isKnown = isPlatenError(error) && !['page_unstable', 'page_crashed'].includes(error.code);
        if (!isKnown && !lifecycle.lost.aborted) await delay(COMMIT_MS, undefined, { signal }).catch(() => undefined);
        signal.throwIfAborted();
        throw error;
      } finally {
        replaced = undefined;
      }
    },
  };
}
