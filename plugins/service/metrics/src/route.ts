import { type Logger, PlatenError, type ServerApi, Stage } from '@platen/kernel';
import { BASIC_CHALLENGE, decodeBasic, parseUser, readCredential, credentialError, reloadKeyring } from '@platen/lib-credentials';
import type { Router } from '@platen/server';
import type { Registry } from 'prom-client';

/**
 * The two text formats of https://prometheus.io/docs/instrumenting/exposition_formats/ (0.0.4) and of the OpenMetrics specification
 * (1.0.0), each with its content type. prom-client writes both, but renames its counters permanently when it writes the second.
 */
const FORMATS = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
} as const;

export const METRICS_PATH = '/metrics';

/** `GET /metrics`, in the text format that the client prefers. */
export function addMetricsRoute(router: Router, read: () => ReturnType<Registry['getMetricsAsJSON']>): void {
  router.get(METRICS_PATH, async (ctx) => {
    const format = chooseFormat((types) => ctx.accepts([...types]));
    const text = encodeMetrics(await read(), format);
    ctx.set('Content-Type', FORMATS[format]);
    ctx.set('Cache-Control', 'no-store');
    ctx.vary('Accept');
    ctx.body = text;
  });
}

export const DEFAULT_ADDRESS = '127.0.0.1';
/** Default port of OpenTelemetry's Prometheus exporter. */
export const DEFAULT_PORT = 9464;

export interface ListenerOptions {
  readonly address: string | undefined;
  readonly port: number | undefined;
  readonly log: Logger;
}

/** Moves /metrics to a separate listener. Fails the startup, naming the flags, if the address is not available. */
export async function openListener(
  { listen }: Pick<ServerApi, 'listen'>,
  { address = DEFAULT_ADDRESS, port = DEFAULT_PORT, log }: ListenerOptions,
): Promise<void> {
  const url = await listen({ address, port, paths: [METRICS_PATH] }).catch((error: unknown) => {
    const why = error instanceof Error ? error.message.replaceAll('--server-bind-', '--server-prometheus-bind-') : String(error);
    throw new PlatenError('boot_invalid_flag', `/metrics: ${why}`, { cause: error });
  });
  log.info({ url: url.startsWith('unix:') ? url : `${url}${METRICS_PATH}` }, 'metrics are served by a separate listener');
}

/** With versions, since clients request them. */
const OFFERED = ['text/plain;version=0.0.4', 'application/openmetrics-text;version=1.0.0'] as const;

/** Sends plain text if the client accepts neither (RFC 9110, 12.5.1), so that the scrape does not fail. */
function chooseFormat(accepts: (types: readonly string[]) => string | false | string[]): MetricsFormat {
  return accepts(OFFERED) === OFFERED[1] ? 'openmetrics' : 'text';
}

type MetricsFormat = keyof typeof FORMATS;

/** One metric as a registry of prom-client collects it. */
interface CollectedMetric {
  readonly name: string;
  readonly help: string;
  /** `counter`, `gauge`, `histogram`. */
  readonly type: unknown;
  readonly values: readonly CollectedValue[];
}

interface CollectedValue {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number | undefined>>;
  /** If different from the metric's name: `..._bucket`. */
  readonly metricName?: string;
}

/** Lines end with LF, the last one too. A counter's name ends in `_total`, in OpenMetrics the family's does not. */
export function encodeMetrics(metrics: readonly CollectedMetric[], format: MetricsFormat): string {
  const lines = metrics.flatMap(({ name, help, type, values }) => {
    const family = format === 'openmetrics' && type === 'counter' ? name.replace(/_total$/, '') : name;
    const samples = values.map(({ metricName, labels, value }) => `${metricName ?? name}${encodeLabels(labels)} ${encodeNumber(value)}`);
    return [`# HELP ${family} ${escapeHelp(help, format)}`, `# TYPE ${family} ${String(type)}`, ...samples];
  });
  return [...lines, ...(format === 'openmetrics' ? ['# EOF'] : []), ''].join('\n');
}

function encodeLabels(labels: CollectedValue['labels']): string {
  const pairs = Object.entries(labels)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}="${escapeValue(name === 'le' ? encodeBound(value) : String(value))}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** OpenMetrics requires `1.0`; the text format accepts it too, so both have the same histogram series. */
function encodeBound(bound: string | number | undefined): string {
  return typeof bound === 'number' && Number.isInteger(bound) ? bound.toFixed(1) : String(bound);
}

function encodeNumber(value: number): string {
  return Number.isFinite(value) ? String(value) : String(value).replace('Infinity', 'Inf').replace(/^Inf/, '+Inf');
}

function escapeHelp(text: string, format: MetricsFormat): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return format === 'openmetrics' ? escaped.replaceAll('"', '\\"') : escaped;
}

function escapeValue(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

export const AUTH_FLAG = 'server-prometheus-auth';

interface GuardOptions {
  /** `USER:PASSWORD` each. */
  readonly users: readonly string[];
  readonly log: Logger;
}

export interface MetricsGuard {
  /** Whether dedicated credentials for /metrics are configured now. */
  readonly isOn: boolean;
}

/**
 * If dedicated credentials are configured, only they authorize /metrics (the interface specification, Authentication, rule 7), so
 * this runs before other authentication plugins. Otherwise those decide.
 */
export function guardMetrics({ hooks }: Pick<ServerApi, 'hooks'>, { users: given, log }: GuardOptions): MetricsGuard {
  const keyring = reloadKeyring(hooks, { name: 'metrics', flag: AUTH_FLAG, log, given, parse: parseUser });
  hooks.authorize.tap({ name: 'metrics', stage: Stage.first }, ({ path, headers, header }) => {
    if (path !== METRICS_PATH || keyring.isEmpty) return undefined;
    const credential = readCredential(headers.authorization);
    const text = credential?.scheme === 'basic' ? decodeBasic(credential.text) : undefined;
    const identity = text === undefined ? undefined : keyring.identify(text);
    if (identity !== undefined) return { identity };
    header('WWW-Authenticate', BASIC_CHALLENGE);
    throw credentialError(credential === undefined ? 'missing_credential' : 'wrong_credential', 'Basic <base64 of user:password>');
  });
  return {
    get isOn() {
      return !keyring.isEmpty;
    },
  };
}
