import { contextKey } from '@platen/kernel';
import type { ExchangeRecord } from './exchange.js';

export interface RecorderOptions {
  /** Response bodies cost the browser time: they are recorded where one asks for them. */
  readonly bodies: boolean;
}

/** The one recorder of a render. Nothing is recorded, and nothing is asked of the browser, unless somebody wants it. */
export interface ExchangeRecorder {
  /** To be called in `beforeNavigate`, any number of times. */
  want(options: RecorderOptions): void;
  /** Ends the recording, once; every call has the same record. Undefined where nobody wanted it, or no recording has begun. */
  stop(): Promise<ExchangeRecord> | undefined;
}

export const networkKey = contextKey<ExchangeRecorder>('network');
