import type { ErrorCode, PlatenError, RenderPlan, Timings } from '@platen/kernel';
import type { TraceContext } from '../http/trace-context.js';
import type { CacheOutcome } from './hooks.js';

/** One request, over: what log lines and metrics are made of. */
export interface RequestRecord {
  readonly id: string;
  /** Where the caller sent a `traceparent`. */
  readonly trace?: TraceContext;
  /** `GET /`, `GET /status`, `command line`; `other` for what no endpoint answers, so that the set of values stays small. */
  readonly endpoint: string;
  /** Who asked, where credentials were: a name that the operator has given. */
  readonly identity?: string;
  /** The output type that was asked for, where it is one that there is: known before the request is planned, or believed. */
  readonly format?: string;
  /** Absent where no cache stands in the way. */
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
