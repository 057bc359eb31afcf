import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openCheckedFile, runChecker } from '../../../helpers/checkers.js';
import { caching, clustered, refusing, startMetrics } from './metrics-server.js';
import type { Scrape } from './parse-metrics.js';

const EXAMPLES = new URL('../../../../plugins/service/metrics/examples/', import.meta.url);
const pathOf = (name: string) => new URL(name, EXAMPLES).pathname;

interface Dashboard {
  readonly templating: { readonly list: readonly { readonly definition?: string }[] };
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

async function readDashboard(): Promise<Dashboard> {
  // The test asks for each member that it declares.
  return JSON.parse(await readFile(pathOf('dashboard.json'), 'utf8')) as Dashboard;
}

/** A server that has seen each kind of request. */
async function scrapeAll(): Promise<Scrape> {
  const server = await startMetrics({ plugins: [caching, clustered, refusing] });
  await server.ask('/?url=http://a.test/');
  await server.ask('/?url=http://a.test/target_status');
  await server.ask('/?reason=expired');
  return await server.scrape();
}

/** The series of a query that are Platen's, each with the labels that it is asked or grouped by. */
function readQuery(expression: string): readonly { readonly name: string; readonly labels: readonly string[] }[] {
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/));
  return [...expression.matchAll(/\b(svc_\w+)(?:\{([^}]*)\})?/g)].map(([, name = '', matchers = '']) => ({
    name,
    labels: [...grouped, ...[...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label)].filter(
      (label) => label !== 'instance',
    ),
  }));
}

function expectExported(scrape: Scrape, expression: string): void {
  const queried = readQuery(expression);
  expect(queried.length, expression).toBeGreaterThan(0);
  for (const { name, labels } of queried) {
    const sample = scrape.samples.find((each) => each.name === name);
    expect(sample, `${name} in ${expression}`).toBeDefined();
    expect(Object.keys(sample?.labels ?? {}), `${name} in ${expression}`).toEqual(expect.arrayContaining([...labels]));
  }
}

describe('the alert rules', () => {
  it('are valid, and fire when and only when they should', async () => {
    expect((await runChecker('promtool', ['check', 'rules', pathOf('alerts.yml')])).toString()).toContain('SUCCESS: 14 rules');
    expect((await runChecker('promtool', ['test', 'rules', pathOf('alerts.test.yml')])).toString()).toContain('SUCCESS');
  });

  it('ask for series and labels that there are, and each alert is tested', async () => {
    const scrape = await scrapeAll();
    const rules = await readFile(pathOf('alerts.yml'), 'utf8');
    const expressions = rules
      .split(/\bexpr:/)
      .slice(1)
      .map((text) => text.split(/\n +(?:for|labels|annotations|- )/)[0] ?? '');
    const own = expressions.filter((expression) => expression.includes('svc_'));
    expect(own).toHaveLength(13);
    for (const expression of own) expectExported(scrape, expression);
    const tested = await readFile(pathOf('alerts.test.yml'), 'utf8');
    for (const [, alert = ''] of rules.matchAll(/alert: (\w+)/g)) expect(tested).toContain(`alertname: ${alert}\n        exp_alerts:\n`);
  });
});

describe('the dashboard', () => {
  it('asks for series and labels that there are', async () => {
    const { panels, templating } = await readDashboard();
    const scrape = await scrapeAll();
    const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThan(20);
    for (const expression of expressions) expectExported(scrape, expression);
    for (const { definition = 'svc_build_info' } of templating.list) expectExported(scrape, definition.replace(/, instance/, ''));
  });

  it("has queries that Prometheus's own parser takes", async () => {
    const { panels } = await readDashboard();
    const expressions = panels.flatMap(({ targets }) =>
      targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*')),
    );
    const rules = expressions.map((expr, at) => ({ record: `panel:${String(at)}`, expr }));
    // JSON is YAML.
    await using file = await openCheckedFile(Buffer.from(JSON.stringify({ groups: [{ name: 'panels', rules }] })), 'yml');
    expect((await runChecker('promtool', ['check', 'rules', file.path])).toString()).toContain(`SUCCESS: ${String(rules.length)} rules`);
  });

  it('has panels with an id each that do not lie upon each other', async () => {
    const { panels } = await readDashboard();
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${String(x + (at % w))} ${String(y + Math.floor(at / w))}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });
});
