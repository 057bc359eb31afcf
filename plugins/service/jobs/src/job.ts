import type { DeferrableCall, Problem } from '@platen/server';

export type JobState = 'queued' | 'running' | 'done' | 'failed' | 'canceled';

/** A file of a job, and its link on this server. */
interface JobAsset {
  readonly name: string;
  readonly url: string;
  readonly content_type: string;
  readonly bytes: number;
}

/** The outcome of a render. */
export interface JobResult {
  readonly output?: Omit<JobAsset, 'name'>;
  readonly assets?: readonly JobAsset[];
  /** Response headers of the render: `X-Target-Status`, `X-Missing-Assets`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly problem?: Problem;
}

/** The message that reports the end of a job. */
export interface JobWebhook {
  /** Where the client wants it; undefined: the URL of `--server-webhook-url`. */
  readonly url?: string;
  readonly attempts: number;
  /** Undefined while it is pending. */
  readonly outcome?: 'delivered' | 'failed';
  /** The next attempt; milliseconds since 1970. */
  readonly nextAt?: number;
}

/** A job as stored in its file, without the parameters, which are in another one. Times in milliseconds since 1970. */
export interface JobRecord extends JobResult, Pick<DeferrableCall, 'source' | 'identity' | 'trace'> {
  /** 128 random bits, base64url. */
  readonly id: string;
  readonly requestId: string;
  readonly state: JobState;
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** How often its render was started. */
  readonly starts: number;
  readonly webhook?: JobWebhook;
}

/** How far a running job is. */
export interface JobProgress {
  readonly phase?: string;
  /** Pages or steps of a render that has several. */
  readonly done?: number;
  readonly queued?: number;
  readonly failed?: number;
}

export function hasEnded({ state }: Pick<JobRecord, 'state'>): boolean {
  return state !== 'queued' && state !== 'running';
}

/** The job for its client: the body of `GET /jobs/{id}`. It contains neither parameters nor the webhook's address. */
export function describeJob(job: JobRecord, lifetimeMs: number): object {
  const { id, state, createdAt, startedAt, endedAt, output, assets, headers, problem } = job;
  const known = {
    started_at: toTime(startedAt),
    ended_at: toTime(endedAt),
    expires_at: toTime(endedAt === undefined ? undefined : endedAt + lifetimeMs),
    output,
    assets,
    headers,
    problem,
  };
  return { id, state, created_at: toTime(createdAt), ...known };
}

function toTime(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
