import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definePlugin, PlatenError, type ErrorCode, type Plugin } from '@platen/kernel';
import metrics from '@platen/plugin-metrics';
import type {} from '@platen/server';
import { afterEach } from 'vitest';
import { until } from '../../../helpers/until.js';
import { openServer, rendered, type TestServer, type TestServerOptions } from '../../../server/test-server.js';
import { parseMetrics, type Scrape } from './parse-metrics.js';

export interface MetricsServer extends TestServer {
  /** Asks for a path and resolves once the request was counted. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  scrape(headers?: Readonly<Record<string, string>>): Promise<Scrape>;
}

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
});

/** A folder for a server that is started after it: removed once that server has ended, and nothing is written there any more. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-metrics-'));
  open.push({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) });
  return folder;
}

/** A server with the plugin; renders fail with the code that is the path of their target: `http://a.test/render_timeout`. */
export async function startMetrics({ plugins = [], flags = {}, ...rest }: TestServerOptions = {}): Promise<MetricsServer> {
  const server = await openServer({
    plugins: [metrics, ...plugins],
    flags: { 'server-enable-prometheus': true, ...flags },
    render(plan, options) {
      const code = new URL(plan.url).pathname.slice(1);
      return code === '' ? rendered(plan, options) : Promise.reject(new PlatenError(asCode(code), 'failed, as it should'));
    },
    ...rest,
  });
  open.push(server);
  const ask = async (path: string, init?: RequestInit) => {
    const before = server.records.length;
    const answer = await fetch(`${server.url}${path}`, init);
    await until(() => server.records.length > before);
    return answer;
  };
  return {
    ...server,
    ask,
    scrape: async (headers = {}) => parseMetrics(await (await ask('/metrics', { headers })).text()),
  };
}

function asCode(code: string): ErrorCode {
  // The tests write codes of the table.
  return code as ErrorCode;
}

/** Refuses with the reason that the query names, as plugins that ask for credentials do. */
export const refusing: Plugin = definePlugin({
  name: 'refusing',
  serve({ hooks }) {
    hooks.authorize.tap('refusing', ({ query }) => {
      const asked = new URLSearchParams(query);
      const reason = asked.get('reason');
      if (reason !== null) throw new PlatenError('unauthorized', 'not you', { reason });
      if (asked.has('unreasoned')) throw new PlatenError('forbidden', 'not you');
      return undefined;
    });
  },
});

/** Knows the target `http://a.test/?hit`, has missed all others, and says what it holds. */
export const caching: Plugin = definePlugin({
  name: 'caching',
  serve({ hooks }) {
    hooks.status.tap('caching', (report) => ({ ...report, cache: { entries: 3, bytes: 4000, limit_bytes: 5000 } }));
    hooks.purge.tap('caching', () => true);
    hooks.beforeRender.tapPromise('caching', async ({ plan, signal, render }) => {
      const result = await render(signal);
      return { ...result, cache: plan.url.endsWith('?hit') ? 'hit' : 'miss' };
    });
  },
});

/** A front of a cluster, which has lost one attempt of four. */
export const clustered: Plugin = definePlugin({
  name: 'clustered',
  serve({ hooks }) {
    const cluster = { role: 'front', queue: 'up', queued: 5, active: 2, workers: 3, capacity: 6, attempts: 4, lost: 1 } as const;
    hooks.status.tap('clustered', (report) => ({ ...report, cluster }));
  },
});
