import type { Kernel } from '@platen/kernel';

/** The body of `GET /status`; never contains a secret. */
export interface StatusReport {
  /** `degraded`: no browser can open a page. */
  readonly status: 'ok' | 'degraded' | 'draining';
  /** Renders in progress. */
  readonly in_flight: number;
  readonly queued: number;
  readonly max_concurrency: number;
  /** Of each walk that is running. */
  readonly walks?: readonly { readonly done: number; readonly queued: number; readonly failed: number; readonly bytes: number }[];
  readonly uptime_seconds: number;
  readonly version: string;
  /** Contents of the cache, if there is one: for observers; `GET /status` omits it. */
  readonly cache?: CacheReport;
  /** Statistics of blocked requests, if there are filter lists: for observers; `GET /status` omits it. */
  readonly adblock?: AdblockReport;
  /** Calls of language models since the start, if there were any: for observers; `GET /status` omits it. */
  readonly models?: readonly ModelReport[];
  /** The cluster that the server belongs to. */
  readonly cluster?: ClusterReport;
}

/** Numbers of a cluster, without its hosts. */
export interface ClusterReport {
  readonly role: 'front' | 'worker' | 'both';
  /** Whether the queue can be reached. */
  readonly queue: 'up' | 'down';
  /** Jobs that wait for a worker, of all fronts. */
  readonly queued: number;
  /** Jobs that workers have begun, of all fronts. */
  readonly active: number;
  readonly workers: number;
  /** Jobs that all workers together render concurrently. */
  readonly capacity: number;
  /** Attempts that workers have begun for this front since its start. */
  readonly attempts: number;
  /** Attempts that ended without a result since the start: the worker was lost. */
  readonly lost: number;
}

/** Calls and tokens of one model. */
export interface ModelReport {
  /** The name of a startup model; `other` for all models that requests name. */
  readonly model: string;
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** The part of `input_tokens` that the provider read from its cache. */
  readonly cached_tokens: number;
}

export interface AdblockReport {
  readonly lists: number;
  readonly rules: number;
  readonly skipped_lines: number;
  /** Requests since the start. */
  readonly blocked: number;
  readonly replaced: number;
  readonly rewritten: number;
}

export interface CacheReport {
  readonly entries: number;
  readonly bytes: number;
  readonly limit_bytes: number;
}

export interface StatusParts {
  readonly kernel: Pick<Kernel, 'status' | 'version'>;
  readonly hooks: { readonly status: { call(report: StatusReport): StatusReport } };
  draining(): boolean;
}

/** The server's state. Plugins may refine it; it never waits for a browser. */
export function createStatus({ kernel, hooks, draining }: StatusParts): () => StatusReport {
  const startedAt = performance.now();
  return () => {
    const { inFlight, waiting, capacity, degraded, walks } = kernel.status();
    return hooks.status.call({
      status: draining() ? 'draining' : degraded ? 'degraded' : 'ok',
      in_flight: inFlight,
      queued: waiting,
      max_concurrency: capacity,
      // Without their URLs: this response is public.
      ...(walks.length === 0
        ? {}
        : { walks: walks.map(({ done, queued: left, failed, bytes }) => ({ done, queued: left, failed, bytes })) }),
      uptime_seconds: Math.floor((performance.now() - startedAt) / 1000),
      version: kernel.version,
    });
  };
}
