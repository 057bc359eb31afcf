import type { PublishedAsset, ServerApi } from '@platen/kernel';
import type { RequestRecord } from '@platen/server';
import { Counter, Histogram, type Registry } from 'prom-client';
import { DURATION_BUCKETS, NO_FORMAT } from './labels.js';

export type LinkedAsset = Pick<PublishedAsset, 'asset'>;

/** Series of renders alone, answered by a browser or by a cache. */
export interface RenderSeries {
  readonly record: (record: RequestRecord) => void;
  readonly linked: (asset: LinkedAsset) => void;
}

/** The label `cache` where none stands in the way. */
const NO_CACHE = 'none';

export function createRenderSeries(registry: Registry, { kernel }: Pick<ServerApi, 'kernel'>): RenderSeries {
  const registers = [registry];
  const buckets = [...DURATION_BUCKETS];
  const duration = new Histogram({
    name: 'svc_request_duration_seconds',
    help: 'Time of requests for a render, from the head of the request to the end of the answer.',
    labelNames: ['format', 'cache', 'status'],
    buckets,
    registers,
  });
  const phase = new Histogram({
    name: 'svc_render_phase_duration_seconds',
    help: 'Time of each phase of a render; "queue" is the wait for a slot and a browser.',
    labelNames: ['phase'],
    buckets,
    registers,
  });
  const cached = new Counter({
    name: 'svc_cache_requests_total',
    help: 'Requests for a render, by how the cache dealt with them.',
    labelNames: ['result'],
    registers,
  });
  const assets = new Counter({
    name: 'svc_assets_linked_total',
    help: 'Additional assets that answers link to.',
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
      // What a cache answers was rendered, and timed, before.
      if (cache !== 'hit') for (const [name, ms] of Object.entries(timings)) phase.observe({ phase: name }, ms / 1000);
    },
    linked({ asset: { name } }) {
      assets.inc({ asset: assetNames.has(name) ? name : 'other' });
    },
  };
}

/** Also one that was refused before it was planned; a purge is planned too, and renders nothing. */
function isRender({ endpoint, plan }: RequestRecord): boolean {
  if (endpoint.startsWith('DELETE ')) return false;
  return plan !== undefined || /^(?:GET|HEAD|POST) \/$/.test(endpoint);
}
