import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKernel, type Kernel, type ServerApi } from '@platen/kernel';
import { createSeries } from '../../../plugins/service/metrics/src/series.js';
import { collectFlags, type FlagSet } from '../../../server/src/flags/flag-set.js';
import { listPlugins } from '../../architecture/workspaces.js';
import { loadAll, openDocumented, type Document } from '../../plugins/service/openapi/open-documented.js';
import { serving } from '../../server/test-server.js';

export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: unknown;
  readonly labelNames: readonly string[];
}

/** The definitions of the product with all its plugins, which the reference is made of. */
export interface Product {
  readonly kernel: Kernel;
  readonly flags: FlagSet;
  /** The OpenAPI document of a server with every endpoint. */
  readonly document: Document;
  readonly metrics: readonly Metric[];
  /** The folder of each plugin. */
  readonly packages: ReadonlyMap<string, string>;
}

export async function openProduct(): Promise<Product & AsyncDisposable> {
  const plugins = await loadAll();
  const kernel = createKernel({ plugins });
  return {
    kernel,
    flags: collectFlags(plugins),
    ...(await readServer()),
    packages: new Map(plugins.map(({ definition: { name } }) => [name, folderOf(name)])),
    [Symbol.asyncDispose]: () => kernel.close(0),
  };
}

function folderOf(name: string): string {
  return listPlugins().find((plugin) => plugin.name === name)?.folder ?? '';
}

async function readServer(): Promise<Pick<Product, 'document' | 'metrics'>> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  let api: ServerApi | undefined;
  const guest = serving((server) => {
    api = server;
  });
  const flags = {
    'server-enable-prometheus': true,
    'server-enable-mcp': true,
    'server-enable-jobs': join(folder, 'jobs'),
    'server-cache': join(folder, 'cache'),
  };
  try {
    await using server = await openDocumented({ more: [guest], flags });
    if (api === undefined) throw new Error('the server has no plugins');
    const metrics = createSeries(api).registry.getMetricsAsArray();
    return { document: server.document, metrics: metrics.map(toMetric) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function toMetric(metric: Omit<Metric, 'labelNames'> & object): Metric {
  const { name, help, type } = metric;
  // prom-client publishes the names of labels without declaring them.
  const { labelNames = [] } = metric as Partial<Metric>;
  return { name, help, type, labelNames };
}
