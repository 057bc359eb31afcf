import type { PublishedAsset, ServerApi } from '@platen/kernel';
import type { ClusterReport, RequestRecord } from '@platen/server';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { createRequestSeries, DURATION_BUCKETS, NO_FORMAT } from './request-series.js';

/** Value of the label `cache` without a cache. */
const NO_CACHE = 'none';

/** Default metrics of prom-client that are omitted. */
const OMITTED = [
  // Gauges with counter names, which linters reject, and related ones.
  ...['handles', 'requests', 'resources'].flatMap((what) => [`svc_nodejs_active_${what}`, `svc_nodejs_active_${what}_total`]),
  // Not a number if two scrapes are close together.
  ...['min', 'max', 'mean', 'stddev'].map((what) => `svc_nodejs_eventloop_lag_${what}_seconds`),
];

/** All series of one server, in a dedicated registry. */
export interface Series {
  readonly registry: Registry;
  /** Counts a completed request. */
  readonly record: (record: RequestRecord) => void;
  /** Counts an additional asset linked from a response. */
  readonly linked: (asset: LinkedAsset) => void;
}

export function createSeries(server: ServerApi): Series {
  const registry = new Registry();
  const requests = createRequestSeries(registry, server);
  const renders = createRenderSeries(registry, server);
  observeServer(registry, server);
  observeProcess(registry);
  return {
    registry,
    record(record) {
      requests.record(record);
      renders.record(record);
    },
    linked: renders.linked,
  };
}

/** CPU, memory, file descriptors, event loop and garbage collection of this process: `svc_process_*`, `svc_nodejs_*`. */
function observeProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry, prefix: 'svc_' });
  for (const name of OMITTED) registry.removeSingleMetric(name);
}

type Observed = Pick<ServerApi, 'kernel' | 'status'>;

/** Gauges of the server and its browsers, read at each scrape. Those of the cache exist if a cache reports. */
function observeServer(registry: Registry, server: Observed): void {
  const gauge = (name: string, help: string, read: () => number) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };
  const { kernel, status } = server;
  gauge('svc_renders_in_flight', 'Renders in progress.', () => status().in_flight);
  gauge('svc_renders_queued', 'Requests that are queued for a render.', () => status().queued);
  gauge('svc_renders_capacity', 'Maximum number of concurrent renders.', () => status().max_concurrency);
  gauge('svc_draining', '1 while the server shuts down.', () => (status().status === 'draining' ? 1 : 0));
  gauge('svc_browsers', 'Running browsers.', () => kernel.status().browsers);
  gauge('svc_browser_pages_warm', 'Pages opened in advance for future renders.', () => kernel.status().warm);
  gauge('svc_browser_pages_busy', 'Pages in use by renders.', () => kernel.status().busy);
  gauge('svc_browser_pages_capacity', 'Maximum number of pages in use concurrently.', () => kernel.status().capacity);
  countRestarts(registry, server);
  describeBuild(registry, kernel.version);
  countModels(registry, server);
  observeCluster(registry, server);
  const { cache } = status();
  if (cache === undefined) return;
  gauge('svc_cache_entries', 'Entries in the cache.', () => status().cache?.entries ?? 0);
  gauge('svc_cache_bytes', 'Size of the cache in bytes.', () => status().cache?.bytes ?? 0);
  gauge('svc_cache_limit_bytes', 'Maximum size of the cache in bytes.', () => status().cache?.limit_bytes ?? 0);
}

/** Series of a cluster, read at each scrape: without one they have no samples. The server joins it after the series are created. */
function observeCluster(registry: Registry, { status }: Observed): void {
  const observe = (
    type: typeof Gauge | typeof Counter,
    name: string,
    read: { readonly help: string; of(cluster: ClusterReport): number },
  ) => {
    new type({
      name,
      help: read.help,
      // Without a label a metric without a value would be exported as 0.
      labelNames: ['role'],
      registers: [registry],
      collect() {
        this.reset();
        const { cluster } = status();
        if (cluster !== undefined) this.inc({ role: cluster.role }, read.of(cluster));
      },
    });
  };
  observe(Gauge, 'svc_cluster_queue_up', {
    help: '1 if the queue of the cluster can be reached.',
    of: ({ queue }) => Number(queue === 'up'),
  });
  observe(Gauge, 'svc_cluster_jobs_queued', { help: 'Jobs of all fronts that wait for a worker.', of: ({ queued }) => queued });
  observe(Gauge, 'svc_cluster_jobs_active', { help: 'Jobs of all fronts that workers render.', of: ({ active }) => active });
  observe(Gauge, 'svc_cluster_workers', { help: 'Workers of the cluster.', of: ({ workers }) => workers });
  observe(Gauge, 'svc_cluster_capacity', { help: 'Jobs that all workers render concurrently.', of: ({ capacity }) => capacity });
  observe(Counter, 'svc_cluster_attempts_total', { help: 'Attempts that workers began for this front.', of: ({ attempts }) => attempts });
  observe(Counter, 'svc_cluster_attempts_lost_total', {
    help: 'Attempts that ended without a result: the worker was lost.',
    of: ({ lost }) => lost,
  });
}

function countRestarts(registry: Registry, { kernel }: Observed): void {
  new Counter({
    name: 'svc_browser_restarts_total',
    help: 'Browsers started to replace a crashed or worn-out browser.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(kernel.status().restarts);
    },
  });
}

/** Calls and tokens of language models. The names of models are those of the operator. */
function countModels(registry: Registry, { status }: Observed): void {
  new Counter({
    name: 'svc_model_calls_total',
    help: 'Answered calls of language models.',
    labelNames: ['model'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { model, calls } of status().models ?? []) this.inc({ model }, calls);
    },
  });
  new Counter({
    name: 'svc_model_tokens_total',
    help: 'Tokens of language models: "input" includes "cached", the input that a provider read from its cache.',
    labelNames: ['model', 'kind'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { model, input_tokens: input, output_tokens: output, cached_tokens: cached } of status().models ?? []) {
        for (const [kind, count] of Object.entries({ input, output, cached })) this.inc({ model, kind }, count);
      }
    },
  });
}

function describeBuild(registry: Registry, version: string): void {
  const labelNames = ['version', 'node'];
  new Gauge({ name: 'svc_build_info', help: 'Always 1: what runs.', labelNames, registers: [registry] }).set(
    { version, node: process.versions.node },
    1,
  );
}

type LinkedAsset = Pick<PublishedAsset, 'asset'>;

/** Series of render requests, served by a browser or a cache. */
interface RenderSeries {
  readonly record: (record: RequestRecord) => void;
  readonly linked: (asset: LinkedAsset) => void;
}

function createRenderSeries(registry: Registry, { kernel }: Pick<ServerApi, 'kernel'>): RenderSeries {
  const registers = [registry];
  const buckets = [...DURATION_BUCKETS];
  const duration = new Histogram({
    name: 'svc_request_duration_seconds',
    help: 'Duration of render requests, from the request header to the end of the response.',
    labelNames: ['format', 'cache', 'status'],
    buckets,
    registers,
  });
  const phase = new Histogram({
    name: 'svc_render_phase_duration_seconds',
    help: 'Duration of each phase of a render; "queue" is the wait for a slot and a browser.',
    labelNames: ['phase'],
    buckets,
    registers,
  });
  const cached = new Counter({
    name: 'svc_cache_requests_total',
    help: 'Render requests, by cache result.',
    labelNames: ['result'],
    registers,
  });
  const assets = new Counter({
    name: 'svc_assets_linked_total',
    help: 'Additional assets linked from responses.',
    labelNames: ['asset'],
    registers,
  });
  const assetNames = new Set(kernel.plugins.flatMap(({ definition }) => (definition.assets ?? []).map(({ name }) => name)));
  return {
    record(record) {
      if (!isRender(record)) return;
      const { format = NO_FORMAT, cache, status, timings = {} } = record;
      duration.observe({ format, cache: cache ?? NO_CACHE, status }, record.durationMs / 1000);
      if (cache !== undefined) cached.inc({ result: cache });
      // The phases of a cached result were counted when it was rendered.
      if (cache !== 'hit') for (const [name, ms] of Object.entries(timings)) phase.observe({ phase: name }, ms / 1000);
    },
    linked({ asset: { name } }) {
      assets.inc({ asset: assetNames.has(name) ? name : 'other' });
    },
  };
}

/** Includes requests refused before planning. Excludes purges and accepted jobs (202), which do not render. */
function isRender({ endpoint, plan, status }: RequestRecord): boolean {
  if (endpoint.startsWith('DELETE ') || status === 202) return false;
  return plan !== undefined || /^(?:GET|HEAD|POST) \/$/.test(endpoint);
}
