/**
 * The two text formats of https://prometheus.io/docs/instrumenting/exposition_formats/ (0.0.4) and of the OpenMetrics specification
 * (1.0.0), each with its content type. prom-client writes both, but renames its counters permanently when it writes the second.
 */
export const FORMATS = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
} as const;

export type MetricsFormat = keyof typeof FORMATS;

/** One metric as a registry of prom-client collects it. */
export interface CollectedMetric {
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
