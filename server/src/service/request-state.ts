import { PlatenError, type RenderPlan, type Timings } from '@platen/kernel';
import type { CacheOutcome, RequestRecord } from './record.js';
import type { Problem } from './problem.js';
import type { TraceContext } from './trace-context.js';

/** The server's state of one request in progress. */
export interface RequestState {
  readonly id: string;
  readonly trace?: TraceContext;
  readonly startedAt: number;
  /** Aborted when the client disconnects or the server must stop. */
  readonly controller: AbortController;
  endpoint: string;
  bytes: number;
  /** Query parameters that were credentials. */
  strip: readonly string[];
  /** Whether a cross-site page may send the request. */
  allowsCrossSite: boolean;
  mayPurgeAll: boolean;
  /** Whether its body may take longer than requests have time: a stream that its sender writes as it goes. */
  isEndless: boolean;
  /** Whether its success is logged at debug level only: another line reports the same, or it is a health check. */
  isQuiet: boolean;
  identity?: string;
  format?: string;
  cache?: CacheOutcome;
  plan?: RenderPlan;
  timings?: Timings;
  error?: PlatenError;
  /** What a failed render has left. */
  left?: Pick<Problem, 'assets' | 'missing_assets'>;
}

export function createRequestState(id: string, trace?: TraceContext): RequestState {
  return {
    ...(trace === undefined ? {} : { trace }),
    id,
    startedAt: performance.now(),
    controller: new AbortController(),
    endpoint: 'other',
    bytes: 0,
    strip: [],
    allowsCrossSite: false,
    mayPurgeAll: false,
    isEndless: false,
    isQuiet: false,
  };
}

/** The completed request, for observers. */
export function toRecord(state: RequestState, status: number): RequestRecord {
  const { id, trace, endpoint, bytes, startedAt, isQuiet, identity, format, cache, plan, timings, error } = state;
  return {
    id,
    endpoint,
    isQuiet,
    status: error?.code === 'client_closed' ? error.status : status,
    bytes,
    durationMs: performance.now() - startedAt,
    ...(trace === undefined ? {} : { trace }),
    ...(identity === undefined ? {} : { identity }),
    ...(format === undefined ? {} : { format }),
    ...(cache === undefined ? {} : { cache }),
    ...(plan === undefined ? {} : { plan }),
    ...(timings === undefined ? {} : { timings }),
    ...(error === undefined ? {} : { code: error.code, error }),
  };
}

export function clientClosed(cause?: unknown): PlatenError {
  return new PlatenError('client_closed', 'the client disconnected before the response was complete', cause === undefined ? {} : { cause });
}
