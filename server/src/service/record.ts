import type { ErrorCode, PlatenError, RenderPlan, Timings } from '@platen/kernel';

/** One request, over: what log lines and metrics are made of. */
export interface RequestRecord {
  readonly id: string;
  /** `GET /`, `GET /status`, `command line`; `other` for what no endpoint answers, so that the set of values stays small. */
  readonly endpoint: string;
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
