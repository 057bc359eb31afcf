import { silentLogger } from '@platen/kernel';
import { createServer } from '@platen/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelScript, openModelServer } from '../../../helpers/model-server.js';
import { done, navigatorScript, type Turn } from '../../../helpers/navigator-script.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { until } from '../../../helpers/until.js';
import { type NavigatorHost, openNavigatorHost } from './open-host.js';

const flags = { 'server-bind-port': 0 };

let site: Site;
let host: NavigatorHost;
let server: ReturnType<typeof createServer>;
let base: string;
beforeAll(async () => {
  site = await openSite({ '/': '<h1>Start</h1><label>Name <input></label>' });
  host = openNavigatorHost();
  server = createServer({ kernel: host.kernel, log: silentLogger, flags });
  base = await server.listen();
});
afterAll(async () => {
  await server.close(0);
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const post = (body: Readonly<Record<string, unknown>>, init?: RequestInit) =>
  fetch(base, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), ...init });

async function withModel<T>(script: ModelScript, work: (model: Awaited<ReturnType<typeof openModelServer>>) => Promise<T>): Promise<T> {
  const model = await openModelServer('openai', script);
  try {
    return await work(model);
  } finally {
    await model[Symbol.asyncDispose]();
  }
}

const fill: Turn = ({ ref }) => [{ kind: 'fill', ref: ref('textbox', 'Name'), value: 'data:name' }];

describe('over HTTP', () => {
  it('GET navigates, POST with data too', async () => {
    const turns: Turn[] = [() => [done('A start.')], fill, ({ page }) => [done(/value="(\w+)"/.exec(page)?.[1])]];
    await withModel(navigatorScript(turns).script, async (model) => {
      const query = new URLSearchParams({ url: site.url('/'), navigate: 'Look.', navigator_type: model.connection() });
      const got = await fetch(`${base}/?${query.toString()}`);
      expect([got.status, got.headers.get('content-type'), await got.text()]).toEqual([200, 'text/plain; charset=utf-8', 'A start.']);
      expect(got.headers.get('server-timing')).toMatch(/model;dur=\d+;desc="test in=100 out=20 cached=40 calls=1"/);
      const body = { url: site.url('/'), navigate: 'Fill it.', navigator_type: model.connection(), navigator_data_json: [{ name: 'Ada' }] };
      expect(await (await post(body)).text()).toBe('Ada');
    });
  });

  it.each(['navigator_credential', 'navigator_credential_origin', 'navigator_data', 'navigator_data_json', 'navigator_file'])(
    '%s is not accepted in a query',
    async (key) => {
      const query = new URLSearchParams({ url: site.url('/'), navigate: 'x', [key]: '{}' });
      const refused = await fetch(`${base}/?${query.toString()}`);
      expect([refused.status, await refused.json()]).toEqual([
        400,
        expect.objectContaining({ errors: [expect.objectContaining({ parameter: key })] }),
      ]);
    },
  );

  it('a goal that is not reached is a problem with a report', async () => {
    await withModel([{ value: { actions: [{ kind: 'fail', reason: 'No form.' }] } }], async (model) => {
      const answer = await post({ url: site.url('/'), navigate: 'x', navigator_type: model.connection() });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([422, 'application/problem+json']);
      expect(await answer.json()).toMatchObject({
        code: 'goal_not_reached',
        detail: 'the goal was not reached after 1 step: the navigator gave up: No form.',
        report: { status: 'failed', answer: 'No form.', steps: 1, url: site.url('/'), history: ['1. fail'] },
      });
    });
  });

  it('a client that leaves ends its navigation', async () => {
    await withModel(
      () => 'hang',
      async (model) => {
        const leaving = new AbortController();
        const answer = post({ url: site.url('/'), navigate: 'x', navigator_type: model.connection() }, { signal: leaving.signal });
        const left = expect(answer).rejects.toThrow();
        await model.hanging;
        leaving.abort();
        await left;
        await until(async () => ((await (await fetch(`${base}/status`)).json()) as { in_flight: number }).in_flight === 0);
      },
    );
  });

  it.each<readonly [string, ModelScript, string]>([
    ['refuses the key', () => ({ status: 401, body: '{"error":"sk-test-key is wrong"}' }), 'llm_upstream'],
    ['fails', () => ({ status: 500, body: 'sk-test-key' }), 'llm_upstream'],
    ['writes prose', () => ({ text: 'I would click the button.' }), 'llm_output_invalid'],
  ])('a model that %s is 502, without its key', async (_name, script, code) => {
    await withModel(script, async (model) => {
      const connection = model.connection({ key: 'sk-test-key' });
      const answer = await post({ url: site.url('/'), navigate: 'x', navigator_type: connection, navigator_step_timeout: 2 });
      const body = await answer.text();
      expect([answer.status, JSON.parse(body)]).toEqual([502, expect.objectContaining({ code })]);
      expect(body).not.toContain('sk-test-key');
    });
  });
});
