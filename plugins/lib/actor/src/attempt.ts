import { isPlatenError, type Method, type Page, type Params, type ProtocolSession, type Result } from '@platen/kernel';
import { ActionError, type ActionLimit, type ElementFacts, type Point } from './action.js';

/** One action in progress. */
export interface Attempt {
  readonly page: Page;
  /** Aborted when it is pointless to go on. */
  readonly signal: AbortSignal;
  /** What is known so far: an action that opens a dialog returns before its end. */
  readonly noted: { element?: ElementFacts; to?: ElementFacts; point?: Point; toPoint?: Point };
  /** What the action waits for: the reason why it fails if its time is up. */
  obstacle: string | undefined;
  /** The page may have noticed something: the action cannot be undone. */
  readonly hasBegun: boolean;
  begin(): void;
  /** Remaining milliseconds, at least 1: the protocol takes no other timeout. */
  leftMs(): number;
  /** Sends within the action's time. @throws ActionError if the page does not respond in time. */
  send<M extends Method>(session: Pick<ProtocolSession, 'send'>, method: M, params?: Params<M>[0]): Promise<Result<M>>;
  /** Real input, which the page notices. */
  input<M extends Method>(method: M, params: Params<M>[0]): Promise<Result<M>>;
  cancel(reason: Error): void;
  /** The error of an action whose time is up. */
  late(): ActionError;
}

export function startAttempt(page: Page, { signal, timeoutMs }: ActionLimit): Attempt {
  const endsAt = performance.now() + timeoutMs;
  const canceled = new AbortController();
  let hasBegun = false;
  const attempt: Attempt = {
    page,
    signal: AbortSignal.any([signal, canceled.signal]),
    noted: {},
    obstacle: undefined,
    get hasBegun() {
      return hasBegun;
    },
    begin() {
      attempt.signal.throwIfAborted();
      hasBegun = true;
    },
    leftMs: () => Math.max(1, endsAt - performance.now()),
    async send(session, method, params) {
      attempt.signal.throwIfAborted();
      try {
        return await session.send(method, params, { timeoutMs: attempt.leftMs() });
      } catch (error) {
        if (isPlatenError(error) && error.code === 'render_timeout') throw attempt.late();
        throw error;
      }
    },
    input(method, params) {
      hasBegun = true;
      return attempt.send(page, method, params);
    },
    late: () => new ActionError(attempt.obstacle ?? 'the page did not respond in time'),
    cancel: (reason) => canceled.abort(reason),
  };
  return attempt;
}
