import fc from 'fast-check';
import { expect, it } from 'vitest';
import { until } from '../../../helpers/until.js';
import { caching, refusing, startMetrics } from './metrics-server.js';

it('no series comes from what clients make up: 1,000 random requests', async () => {
  const server = await startMetrics({ plugins: [refusing, caching] });
  const word = fc.string({ minLength: 1, maxLength: 20 }).map((text) => encodeURIComponent(text));
  const requests = fc.sample(
    fc.record({
      path: fc.oneof(
        fc.constant('/'),
        fc.constant('/assets'),
        fc.constant('/metrics'),
        word.map((text) => `/${text}`),
      ),
      query: fc.oneof(
        word.map((text) => `url=http://a.test/&output_type=${text}`),
        word.map((text) => `id=${text}&reason=${text}`),
        word.map((text) => `url=http://${text}.test/`),
      ),
      method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PROPFIND', 'M-SEARCH'),
      id: word,
    }),
    { numRuns: 1000, seed: 7 },
  );
  for (const { path, query, method, id } of requests) {
    const answer = await fetch(`${server.url}${path}?${query}`, { method, headers: { 'x-request-id': id } });
    await answer.arrayBuffer();
  }
  await until(() => server.records.length === 1000);
  const { samples } = await server.scrape();
  const valuesOf = (label: string) => [...new Set(samples.map(({ labels }) => labels[label]).filter((value) => value !== undefined))];
  expect(
    valuesOf('endpoint').filter((endpoint) => !/^(?:other|(?:GET|HEAD|POST|DELETE) \/(?:assets|metrics|status)?)$/.test(endpoint)),
  ).toEqual([]);
  expect(valuesOf('method').sort()).toEqual(['DELETE', 'GET', 'HEAD', 'POST', 'other']);
  expect(valuesOf('format')).toEqual(expect.arrayContaining(['none']));
  expect(valuesOf('format').filter((format) => !['none', 'png', 'html'].includes(format))).toEqual([]);
  expect(valuesOf('reason')).toEqual(['other']);
  expect(samples.length).toBeLessThan(900);
});

it('no secret is in any of the formats', async () => {
  const server = await startMetrics({
    plugins: [refusing, caching],
    flags: { 'server-prometheus-auth': ['scraper:canary-password'] },
  });
  const authorization = `Basic ${Buffer.from('scraper:canary-password').toString('base64')}`;
  const init = { headers: { authorization: 'Bearer canary', cookie: 'canary=canary', 'x-request-id': 'canary', 'user-agent': 'canary' } };
  await server.ask('/?url=http://canary:canary@canary.test/?canary=canary&output_type=canary', init);
  await server.ask('/?url=http://canary:canary@canary.test/&cookie=canary=canary', init);
  await server.ask('/canary?reason=canary', init);
  await server.ask('/assets?id=canary&signature=canary', init);
  await server.ask('/metrics', init);
  for (const accept of ['text/plain', 'application/openmetrics-text']) {
    const answer = await server.ask('/metrics', { headers: { accept, authorization } });
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(text).toContain('svc_requests_total{');
    expect(text + JSON.stringify([...answer.headers])).not.toContain('canary');
  }
});
