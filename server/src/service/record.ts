import type { ErrorCode, PlatenError, RenderPlan, Timings } from '@platen/kernel';
import type { TraceContext } from './trace-context.js';

/** How a cache handled a request: metrics count by it. */
export type CacheOutcome = 'hit' | 'miss' | 'bypass';

/** A request that has ended: the source of log lines and metrics. */
export interface RequestRecord {
  readonly id: string;
  /** Present if the client sent a `traceparent`. */
  readonly trace?: TraceContext;
  /** `GET /`, `GET /status`, `command line`; `other` if no endpoint matches, so that the number of values stays small. */
  readonly endpoint: string;
  /** Another line reports the same, or it is a health check. */
  readonly isQuiet?: boolean;
  /** The client's name, if there were credentials: a name that the operator has configured. */
  readonly identity?: string;
  /** The requested output type, if it exists: known before the request is planned or authorized. */
  readonly format?: string;
  /** Absent if no cache handled the request. */
  readonly cache?: CacheOutcome;
  /** HTTP status; 499 if the client disconnected before its response was complete. */
  readonly status: number;
  readonly code?: ErrorCode;
  readonly error?: PlatenError;
  /** Absent if the request was rejected before it was planned. */
  readonly plan?: RenderPlan;
  readonly timings?: Timings;
  /** Bytes of the body that were sent. */
  readonly bytes: number;
  readonly durationMs: number;
}
