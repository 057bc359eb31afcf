import type { EventName, EventPayload, Method, Params, Result } from './contract.js';

/** Puppeteer only transports messages: these are the members of its objects that the kernel uses. */
interface Sender {
  /** Its own time limit is off by 0. */
  send<M extends Method>(method: M, params?: Params<M>[0], options?: { readonly timeout: 0 }): Promise<Result<M>>;
}

/** Its `CDPSession`. */
export interface RawSession extends Sender {
  id(): string;
  connection(): RawConnection | undefined;
  on<E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void): unknown;
  on(event: string, listener: (payload: unknown) => void): unknown;
  once(event: 'Inspector.targetCrashed', listener: () => void): unknown;
  off(event: string, listener: (payload: unknown) => void): unknown;
}

/** Its `Connection`: all sessions of one browser. */
export interface RawConnection extends Sender {
  session(sessionId: string): RawSession | null;
  on(event: 'sessiondetached', listener: (session: RawSession) => void): unknown;
}

/** Its `Browser`. */
export interface RawBrowser {
  readonly connected: boolean;
  target(): { createCDPSession(): Promise<RawSession> };
  once(event: 'disconnected', listener: () => void): unknown;
}
