import { PlatenError } from '../../errors.js';
import type { Logger } from '../../logger.js';
import type { EventName, EventPayload, ProtocolSession } from './contract.js';
import { TOO_LARGE } from './pipe-transport.js';
import type { RawConnection, RawSession } from './raw-session.js';

const DEFAULT_TIMEOUT_MS = 30_000;
/** Timeout of calls made after an interruption. It is short because the client is waiting for an error. */
const LAST_CALLS_MS = 1000;

/** A session that its owner can end: pending calls are rejected then, later calls immediately. */
export interface ClosableSession extends ProtocolSession {
  /** Why the session ended; undefined while it lives. */
  readonly ended: Error | undefined;
  end(reason: Error): void;
  /** Rejects all pending calls; later calls are sent with a short timeout. */
  interrupt(reason: Error): void;
  /** Runs the listener once, when the session ends; immediately if it has ended. */
  onEnd(listener: (reason: Error) => void): void;
}

/** All sessions of one browser. */
export interface SessionRegistry {
  /** Wraps a session with timeouts; `detached` creates the error of calls to a target that has ended. */
  keep(raw: RawSession, detached: () => Error): ClosableSession;
  /** The browser has exited, and with it all sessions. */
  endAll(reason: Error): void;
}

export function createSessionRegistry(connection: RawConnection, log: Logger): SessionRegistry {
  const kept = new Map<RawSession, { readonly session: ClosableSession; readonly detached: () => Error }>();
  connection.on('sessiondetached', (raw) => {
    const found = kept.get(raw);
    found?.session.end(found.detached());
  });
  return {
    keep(raw, detached) {
      const session = createProtocolSession(raw, log);
      kept.set(raw, { session, detached });
      session.onEnd(() => kept.delete(raw));
      return session;
    },
    endAll(reason) {
      for (const { session } of [...kept.values()]) session.end(reason);
    },
  };
}

/** Limits every call, since Chromium never responds to calls to a looping or crashed page. */
function createProtocolSession(raw: RawSession, log: Logger): ClosableSession {
  const pending = new Set<(reason: Error) => void>();
  const enders: ((reason: Error) => void)[] = [];
  let ended: Error | undefined;
  let longest = Infinity;
  const failAll = (reason: Error): void => {
    for (const fail of [...pending]) fail(reason);
  };
  const end = (reason: Error): void => {
    if (ended) return;
    ended = reason;
    failAll(reason);
    for (const listener of enders.splice(0)) listener(reason);
  };
  raw.once('Inspector.targetCrashed', () => {
    end(new PlatenError('page_crashed', 'the page crashed', { retryable: true }));
  });
  return {
    get ended() {
      return ended;
    },
    end,
    interrupt(reason) {
      longest = LAST_CALLS_MS;
      failAll(reason);
    },
    onEnd(listener) {
      if (ended) listener(ended);
      else enders.push(listener);
    },
    send(method, params, { timeoutMs: wanted = DEFAULT_TIMEOUT_MS } = {}) {
      if (ended) return Promise.reject(ended);
      const timeoutMs = Math.min(wanted, longest);
      // Puppeteer's own timer is off (0): one is enough.
      // A message that cannot be sent is thrown.
      const call = (async () => raw.send(method, params, { timeout: 0 }))();
      return bound(call, { method, timeoutMs, pending, reason: () => ended });
    },
    on: (event, listener) => listen(raw, guard(event, listener, log)),
  };
}

interface Bounds {
  readonly method: string;
  readonly timeoutMs: number;
  /** The reject functions of pending calls. */
  readonly pending: Set<(reason: Error) => void>;
  /** The reason why the session ended, if it has. */
  readonly reason: () => Error | undefined;
}

function bound<T>(call: Promise<T>, { method, timeoutMs, pending, reason }: Bounds): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer);
      pending.delete(fail);
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
    };
    const late = (): void => {
      fail(
        new PlatenError('render_timeout', `the page did not answer within ${String(timeoutMs / 1000)} s`, {
          unmet: method,
          retryable: true,
        }),
      );
    };
    const timer = Number.isFinite(timeoutMs) ? setTimeout(late, timeoutMs) : undefined;
    pending.add(fail);
    call.then(
      (result) => {
        settle();
        resolve(result);
      },
      (error: unknown) => {
        fail(reason() ?? refusal(error, method));
      },
    );
  });
}

function refusal(error: unknown, method: string): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (!error.message.endsWith(TOO_LARGE)) return error;
  return new PlatenError('capture_too_large', 'the page is too large: a response of the browser exceeds the message limit', {
    unmet: method,
  });
}

interface Listening {
  readonly event: string;
  readonly handle: (payload: unknown) => void;
}

/** A listener whose failure does not reach the dispatch of other sessions' messages. */
function guard<E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void, log: Logger): Listening {
  return {
    event,
    handle(payload) {
      try {
        // An event's payload has the type that the protocol declares.
        listener(payload as EventPayload<E>);
      } catch (error) {
        log.error({ err: error, event }, 'a listener of a protocol event failed');
      }
    },
  };
}

function listen(raw: RawSession, { event, handle }: Listening): () => void {
  raw.on(event, handle);
  return () => {
    raw.off(event, handle);
  };
}
