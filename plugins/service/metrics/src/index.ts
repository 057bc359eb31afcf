import { definePlugin, PlatenError } from '@platen/kernel';
import { USER_PATTERN } from '@platen/lib-credentials';
import type { EndpointDescription } from '@platen/server';
import {
  addMetricsRoute,
  AUTH_FLAG,
  DEFAULT_ADDRESS,
  DEFAULT_PORT,
  guardMetrics,
  METRICS_PATH,
  type MetricsGuard,
  openListener,
} from './route.js';
import type { Series } from './series.js';

const ENABLE = 'server-enable-prometheus';

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
        'Basic credential for /metrics only: USER:PASSWORD, or @FILE with one per line. May be repeated. Without it /metrics requires the credentials of the server.',
      'x-secret': true,
      'x-reloads': true,
      'x-expects': 'USER:PASSWORD without control characters and with a non-empty password',
    },
    'server-prometheus-bind-address': {
      type: 'string',
      minLength: 1,
      description: `Serve /metrics from a separate listener instead of the main one: its address, or the path of a Unix socket. Default if only the port is given: ${DEFAULT_ADDRESS}.`,
      examples: ['10.0.0.5', '/run/platen-metrics.sock'],
    },
    'server-prometheus-bind-port': {
      type: 'integer',
      minimum: 0,
      maximum: 65_535,
      description: `Port of the separate /metrics listener; 0: any free port. Default if only the address is given: ${String(DEFAULT_PORT)}.`,
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
    let series: Series | undefined;
    hooks.finished.tap(NAME, (record) => {
      series?.record(record);
    });
    hooks.assetLink.tap(NAME, (query, asset) => {
      series?.linked(asset);
      return query;
    });
    hooks.routes.tap(NAME, (router) => {
      addMetricsRoute(router, async () => (await series?.registry.getMetricsAsJSON()) ?? []);
    });
    const guard = guardMetrics(server, { users: options[AUTH_FLAG] ?? [], log });
    // The separate listener is not part of this API.
    if (!hasOwnListener(options)) {
      hooks.describe.tap(NAME, (description) => ({ ...description, endpoints: [...description.endpoints, describeEndpoint(guard)] }));
    }
    const listen = async () => {
      const { 'server-prometheus-bind-address': address, 'server-prometheus-bind-port': port } = options;
      if (hasOwnListener(options)) await openListener(server, { address, port, log });
    };
    hooks.check.tapPromise(NAME, listen);
    hooks.start.tapPromise(NAME, async () => {
      // Imported only here: servers without metrics do not load the library.
      const { createSeries } = await import('./series.js');
      series = createSeries(server);
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

/**
 * Refuses flags of /metrics if it is disabled: an operator who protects or moves /metrics expects it to exist.
 *
 * @throws PlatenError `boot_invalid_flag`.
 */
function rejectOrphanFlags(options: Readonly<Record<string, unknown>>): void {
  if (options[ENABLE] === true) return;
  const given = Object.keys(options).filter((name) => name.startsWith('server-prometheus-') && options[name] !== undefined);
  if (given.length === 0) return;
  const flags = given.map((name) => `--${name}`).join(' and ');
  throw new PlatenError('boot_invalid_flag', `${flags} requires --${ENABLE}`);
}

/** OpenAPI description of `GET /metrics`. With dedicated credentials it accepts no others (Authentication, rule 7). */
function describeEndpoint(guard: MetricsGuard): EndpointDescription {
  const text = { type: 'string' } as const;
  return {
    method: 'get',
    path: METRICS_PATH,
    summary: 'Metrics for Prometheus',
    answers: {
      200: {
        description: 'All series, in the format that the client prefers.',
        content: { 'text/plain': text, 'application/openmetrics-text': text },
      },
    },
    ...(guard.isOn ? { credentials: { metrics: { type: 'http', scheme: 'basic' } } } : {}),
  };
}
