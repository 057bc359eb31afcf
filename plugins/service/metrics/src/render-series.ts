import type { PublishedAsset, ServerApi } from '@platen/kernel';
import type { RequestRecord } from '@platen/server';
import { Counter, Histogram, type Registry } from 'prom-client';
import { DURATION_BUCKETS, NO_FORMAT } from './labels.js';

export type LinkedAsset = Pick<PublishedAsset, 'asset'>;

/** Series of render requests, served by a browser or a cache. */
export interface RenderSeries {
  readonly record: (record: RequestRecord) => void;
  readonly linked: (asset: LinkedAsset) => void;
}

/** Value of the label `cache` without a cache. */
const NO_CACHE = 'none';

export function createRenderSeries(registry: Registry, { kernel }: Pick<ServerApi, 'kernel'>): RenderSeries {
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

/** Includes requests refused before planning. Excludes purges, which have a plan but do not render. */
function isRender({ endpoint, plan }: RequestRecord): boolean {
  if (endpoint.startsWith('DELETE ')) return false;
  return plan !== undefined || /^(?:GET|HEAD|POST) \/$/.test(endpoint);
}
