import type { ProtocolSession, TargetSession } from './contract.js';

/** Limit in bytes of POST data within request events; `Network.getRequestPostData` has more. */
const MAX_POST_BYTES = 64 * 1024;

/** The sessions whose requests a plugin listens to, by the protocol's id. */
const listened = new Set<string>();

/**
 * Reports a target's requests (Network.enable) for as long as the session lasts. Without a limit, `requestWillBeSent` has all POST data,
 * escaped: up to six times its size.
 */
export function enableNetwork(session: Pick<ProtocolSession, 'send'> & Partial<TargetSession>): Promise<void> {
  const { sessionId } = session;
  if (sessionId !== undefined && !listened.has(sessionId)) {
    listened.add(sessionId);
    session.onEnd?.(() => listened.delete(sessionId));
  }
  return enable(session);
}

/** Reports the requests of a page's main documents alone. */
export interface DocumentRequests {
  /** A main document is about to be requested. */
  start(): Promise<void>;
  /** It is there. */
  stop(): void;
}

/**
 * Off while no main document is loading, unless `enableNetwork` was called: events of each request cost time in the renderer and in this
 * process.
 */
export function createDocumentRequests(target: TargetSession): DocumentRequests {
  let started: Promise<void> | undefined;
  return {
    start: () => (started ??= enable(target)),
    stop() {
      if (started === undefined || listened.has(target.sessionId)) return;
      started = undefined;
      target.send('Network.disable').catch(() => undefined);
    },
  };
}

function enable({ send }: Pick<ProtocolSession, 'send'>): Promise<void> {
  return send('Network.enable', { maxPostDataSize: MAX_POST_BYTES });
}
