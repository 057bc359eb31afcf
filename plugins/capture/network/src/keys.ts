import { contextKey } from '@platen/kernel';
import type { ExchangeRecord } from './exchange.js';

export interface RecorderOptions {
  /** Response bodies cost browser time, so they are recorded only on request. */
  readonly bodies: boolean;
}

/** The only recorder of a render. Nothing is recorded or requested from the browser unless a plugin needs it. */
export interface ExchangeRecorder {
  /** To be called in `beforeNavigate`, any number of times. */
  want(options: RecorderOptions): void;
  /** Ends the recording once; every call returns the same record. Undefined if no plugin needed it, or if no recording has begun. */
  stop(): Promise<ExchangeRecord> | undefined;
  /**
   * Returns the recording since the beginning or the last call, and begins a new one: the memory does not grow with the number of pages.
   * The caller disposes of the record, with its bodies. Requests in flight count as unfinished.
   */
  take(): Promise<TakenRecord> | undefined;
  /**
   * Resolves when no request has begun or been in flight for `idleMs`, or after `maxMs`. Event streams and WebSockets do not count as in
   * flight.
   */
  waitForIdle(options: IdleOptions): Promise<void>;
  /** Requests since the beginning, or since the last `take`. */
  requests(): number;
}

/** Milliseconds. */
export interface IdleOptions {
  readonly idleMs: number;
  readonly maxMs: number;
  readonly signal: AbortSignal;
}

/** A record whose bodies are deleted when it is disposed of. */
export type TakenRecord = ExchangeRecord & AsyncDisposable;

export const networkKey = contextKey<ExchangeRecorder>('network');
