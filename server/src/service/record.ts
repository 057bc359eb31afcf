import type { ErrorCode, PlatenError, RenderPlan, Timings } from '@platen/kernel';
import type { TraceContext } from '../http/trace-context.js';
import type { CacheOutcome } from './hooks.js';

/** One request, over: what log lines and metrics are made of. */
export interface RequestRecord {
  readonly id: string;
  /** Where the caller sent a `traceparent`. */
  readonly trace?: TraceContext;
  /** `GET /`, `GET /status`, `command line`; `other` if no endpoint matches, so that the number of values stays small. */
  readonly endpoint: string;
  /** Who asked, where credentials were: a name that the operator has given. */
  readonly identity?: string;
  /** The requested output type, if it exists: known before the request is planned or authorized. */
  readonly format?: string;
  /** Absent if no cache handled the request. */
  readonly cache?: CacheOutcome;
  /** HTTP status; 499 where the client left before its answer was whole. */
  readonly status: number;
  readonly code?: ErrorCode;
  readonly error?: PlatenError;
  /** Absent where the request was refused before it was planned. */
  readonly plan?: RenderPlan;
  readonly timings?: Timings;
  /** Bytes of the body that were sent. */
  readonly bytes: number;
  readonly durationMs: number;
}
