import type { ServerApi } from '@platen/kernel';
import type { RequestRecord } from '@platen/server';
import { Registry } from 'prom-client';
import { createRequestSeries } from './request-series.js';
import { observeProcess } from './observe-process.js';
import { observeServer } from './observe-server.js';
import { createRenderSeries, type LinkedAsset } from './render-series.js';

/** All series of one server, in a dedicated registry. */
export interface Series {
  readonly registry: Registry;
  /** Counts a completed request. */
  readonly record: (record: RequestRecord) => void;
  /** Counts an additional asset linked from a response. */
  readonly linked: (asset: LinkedAsset) => void;
  /** Adds the gauges of server and process: once, and only if /metrics is served. */
  observe(): void;
}

export function createSeries(server: ServerApi): Series {
  const registry = new Registry();
  const requests = createRequestSeries(registry, server);
  const renders = createRenderSeries(registry, server);
  return {
    registry,
    record(record) {
      requests.record(record);
      renders.record(record);
    },
    linked: renders.linked,
    observe() {
      observeServer(registry, server);
      observeProcess(registry);
    },
  };
}
