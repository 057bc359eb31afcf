import { contextKey, type TargetTree } from '@platen/kernel';
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

/** Set in `beforeOpen` by a capture with several tabs: the tab to which the shared and service workers of all tabs belong. */
export const firstTabKey = contextKey<{ targets: TargetTree | undefined }>('network: first tab');

/** The characters of windows-1252 for the bytes from 0x80 to 0x9f. Node.js decodes that as ISO-8859-1. */
const UPPER = Array.from('€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ');

/**
 * A header value as text, from its bytes: one character each, in ISO-8859-1, as Node.js reads them, or in windows-1252, as Chromium does.
 * The bytes are UTF-8 by the usual practice of today, otherwise that one character each (RFC 9110, 5.5). Those of a `Location` are
 * percent-encoded, as browsers follow it.
 */
export function decodeHeaderValue(name: string, value: string): string {
  if (!/[^\x00-\x7f]/.test(value)) return value;
  const codes = Array.from(value, (character) => (UPPER.includes(character) ? 0x80 + UPPER.indexOf(character) : character.charCodeAt(0)));
  // Not from the network: made by a service worker.
  if (codes.some((code) => code > 0xff)) return value;
  const bytes = Buffer.from(codes);
  if (name.toLowerCase() === 'location')
    return bytes.toString('latin1').replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return value;
  }
}
