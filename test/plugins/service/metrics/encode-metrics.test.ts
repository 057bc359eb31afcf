import { describe, expect, it } from 'vitest';
import { runChecker } from '../../../helpers/checkers.js';
import { encodeMetrics } from '../../../../plugins/service/metrics/src/route.js';
import { caching, refusing, startMetrics } from './metrics-server.js';
import { parseMetrics } from './parse-metrics.js';

const TEXT = 'text/plain; version=0.0.4; charset=utf-8';
const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
/** What Prometheus 2 and 3 send. */
const PROMETHEUS_2 =
  'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
const PROMETHEUS_3 =
  'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2';

describe('GET /metrics', () => {
  it.each([
    ['*/*', TEXT],
    ['text/plain', TEXT],
    ['text/html,application/xhtml+xml,*/*;q=0.8', TEXT],
    ['application/json', TEXT],
    ['application/openmetrics-text', OPEN_METRICS],
    ['application/openmetrics-text; version=1.0.0', OPEN_METRICS],
    ['application/openmetrics-text; version=0.0.1', TEXT],
    ['text/plain;q=0.9, application/openmetrics-text;q=0.1', TEXT],
    [PROMETHEUS_2, OPEN_METRICS],
    [PROMETHEUS_3, TEXT],
  ])('Accept: %s', async (accept, type) => {
    const server = await startMetrics();
    const answer = await server.ask('/metrics', { headers: { accept } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('vary')).toBe('Accept');
    expect((await answer.text()).endsWith('\n# EOF\n')).toBe(type === OPEN_METRICS);
  });

  it('HEAD answers the same headers and no body; other methods are 405', async () => {
    const server = await startMetrics();
    const head = await server.ask('/metrics', { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-type')).toBe(TEXT);
    expect(await head.text()).toBe('');
    const post = await server.ask('/metrics', { method: 'POST' });
    expect(post.status).toBe(405);
    expect(post.headers.get('allow')).toBe('HEAD, GET');
  });

  it('both formats hold the same series, each once, and asking for one does not change the other', async () => {
    const server = await startMetrics({ plugins: [caching, refusing] });
    await server.ask('/?url=http://a.test/');
    await server.ask('/?reason=expired');
    const types = (scrape: Awaited<ReturnType<typeof server.scrape>>) =>
      [...scrape.types].map(([name, type]) => [name.replace(/_total$/, ''), type]);
    // A garbage collection of a kind that was not there yet brings a series between the two.
    const isOwn = ({ name, labels }: { readonly name: string; readonly labels: Readonly<Record<string, string>> }) =>
      !labels['endpoint']?.includes('/metrics') && !name.includes('_gc_duration_');
    const names = (scrape: Awaited<ReturnType<typeof server.scrape>>) =>
      scrape.samples.filter(isOwn).map(({ name, labels }) => ({ name, labels }));
    await server.scrape();
    const open = await server.scrape({ accept: 'application/openmetrics-text' });
    const text = await server.scrape();
    expect(names(open)).toEqual(names(text));
    expect(types(open)).toEqual(types(text));
    expect([...text.types].filter(([, type]) => type === 'counter').map(([name]) => name.endsWith('_total'))).not.toContain(false);
    expect([...open.types].filter(([, type]) => type === 'counter').map(([name]) => name.endsWith('_total'))).not.toContain(true);
    expect([...text.types.keys()].every((name) => name.startsWith('svc_'))).toBe(true);
  });

  it('promtool check metrics has nothing against it', async () => {
    const server = await startMetrics({ plugins: [caching, refusing] });
    await server.ask('/?url=http://a.test/');
    await server.ask('/?url=http://a.test/target_status');
    await server.ask('/?reason=expired');
    await server.scrape();
    const text = await (await server.ask('/metrics')).text();
    expect((await runChecker('promtool', ['check', 'metrics'], text)).toString()).toBe('');
    await expect(runChecker('promtool', ['check', 'metrics'], '# TYPE a_total gauge\na_total 1\n')).rejects.toThrow('_total');
  });
});

describe('encodeMetrics', () => {
  const metric = { name: 'a', help: 'Of "b" \\ and\na line.', type: 'gauge', values: [{ value: 1, labels: { l: 'x"\\\n' } }] };

  it('escapes as each format has it', () => {
    expect(encodeMetrics([metric], 'text')).toBe('# HELP a Of "b" \\\\ and\\na line.\n# TYPE a gauge\na{l="x\\"\\\\\\n"} 1\n');
    expect(encodeMetrics([metric], 'openmetrics')).toBe(
      '# HELP a Of \\"b\\" \\\\ and\\na line.\n# TYPE a gauge\na{l="x\\"\\\\\\n"} 1\n# EOF\n',
    );
  });

  it('writes numbers and bounds that both formats take', () => {
    const values = [Infinity, -Infinity, 0, 1e21, 1.5e-7].map((value, at) => ({ value, labels: { le: at } }));
    const text = encodeMetrics([{ ...metric, values }], 'text');
    expect(text.split('\n').slice(2, -1)).toEqual([
      'a{le="0.0"} +Inf',
      'a{le="1.0"} -Inf',
      'a{le="2.0"} 0',
      'a{le="3.0"} 1e+21',
      'a{le="4.0"} 1.5e-7',
    ]);
  });
});

it('the parser of these tests is strict', () => {
  expect(() => parseMetrics('# TYPE a gauge\na 1\na 2\n')).toThrow('twice');
  expect(() => parseMetrics('# TYPE a gauge\na{x="1",y="2"} 1\na{y="2",x="1"} 1\n')).toThrow('twice');
  expect(() => parseMetrics('# TYPE a gauge\nb 1\n')).toThrow('not of the family');
  expect(() => parseMetrics('# TYPE a gauge\na{x=1} 1\n')).toThrow('no labels');
  expect(() => parseMetrics('# TYPE a gauge\na 1')).toThrow('does not end');
});
