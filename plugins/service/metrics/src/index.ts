import { definePlugin } from '@platen/kernel';
import { USER_PATTERN } from '@platen/lib-credentials';
import type {} from '@platen/server';
import { describeEndpoint } from './describe-endpoint.js';
import { AUTH_FLAG, guardMetrics } from './guard-metrics.js';
import { DEFAULT_ADDRESS, DEFAULT_PORT, openListener } from './open-listener.js';
import { rejectOrphanFlags } from './reject-orphan-flags.js';
import { addMetricsRoute } from './route.js';
import { createSeries } from './series.js';

const NAME = 'metrics';

/** `GET /metrics` for Prometheus (the interface specification, "Metrics exposed by /metrics", and Authentication, rule 7). */
export default definePlugin({
  name: NAME,
  flags: {
    'server-enable-prometheus': {
      type: 'boolean',
      description: 'Enable /metrics.',
      default: false,
      'x-paths': ['/metrics'],
      'x-tier': 'enterprise',
    },
    [AUTH_FLAG]: {
      type: 'array',
      items: { type: 'string', minLength: 1, pattern: USER_PATTERN },
      minItems: 1,
      description:
        'Basic credential for /metrics only: USER:PASSWORD, or @FILE with a line each. May be repeated. Without it /metrics takes the credentials of the server.',
      'x-secret': true,
      'x-reloads': true,
      'x-expects': 'USER:PASSWORD, neither with control characters, the password not empty',
    },
    'server-prometheus-bind-address': {
      type: 'string',
      minLength: 1,
      description: `Serve /metrics from a separate listener, and no longer from the main one: its address, or the path of a Unix socket. Given the port alone: ${DEFAULT_ADDRESS}.`,
      examples: ['10.0.0.5', '/run/platen-metrics.sock'],
    },
    'server-prometheus-bind-port': {
      type: 'integer',
      minimum: 0,
      maximum: 65_535,
      description: `Port of the separate /metrics listener; 0 takes a free one. Given the address alone: ${String(DEFAULT_PORT)}.`,
    },
  },
  serve(server, { options, log }) {
    const { hooks } = server;
    hooks.reload.tap(NAME, rejectOrphanFlags);
    if (options['server-enable-prometheus'] !== true) {
      const refuse = () => {
        rejectOrphanFlags(options);
      };
      hooks.check.tap(NAME, refuse);
      hooks.start.tap(NAME, refuse);
      return;
    }
    const series = createSeries(server);
    hooks.finished.tap(NAME, series.record);
    hooks.assetLink.tap(NAME, (query, asset) => {
      series.linked(asset);
      return query;
    });
    hooks.routes.tap(NAME, (router) => {
      addMetricsRoute(router, series.registry);
    });
    const guard = guardMetrics(server, { users: options[AUTH_FLAG] ?? [], log });
    // A listener of its own is none of this API's.
    if (!hasOwnListener(options)) {
      hooks.describe.tap(NAME, (description) => ({ ...description, endpoints: [...description.endpoints, describeEndpoint(guard)] }));
    }
    const listen = async () => {
      const { 'server-prometheus-bind-address': address, 'server-prometheus-bind-port': port } = options;
      if (hasOwnListener(options)) await openListener(server, { address, port, log });
    };
    hooks.check.tapPromise(NAME, listen);
    hooks.start.tapPromise(NAME, async () => {
      series.observe();
      await listen();
    });
  },
});

function hasOwnListener(options: {
  readonly 'server-prometheus-bind-address'?: string;
  readonly 'server-prometheus-bind-port'?: number;
}): boolean {
  return options['server-prometheus-bind-address'] !== undefined || options['server-prometheus-bind-port'] !== undefined;
}
