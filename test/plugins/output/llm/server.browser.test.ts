import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openModelServer } from '../../../helpers/model-server.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { provideByStdio } from '../../../helpers/stdio-provider.js';
import { openLlmHost, openLlmServer } from './open-host.js';

const KEY = 'sk-Secret_0123456789';

let site: Site;
beforeAll(async () => {
  site = await openSite({ '/': '<title>Page</title><img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA7" alt=Dot><p>Hello' });
});
afterAll(() => site[Symbol.asyncDispose]());

const request = () => ({ url: site.url('/'), output_type: 'llm_text' });

describe('a server with its own model', () => {
  it('needs no key for it, and counts its use; requests with models of their own are counted together', async () => {
    await using own = await openModelServer('openai', () => ({ text: 'own' }));
    await using other = await openModelServer('anthropic', () => ({ text: 'other' }));
    await using server = await openLlmServer({ 'llm-format-model': own.connection({ key: KEY, options: '&name=main' }) });
    const first = await server.post(request());
    expect([first.status, await first.text(), first.headers.get('content-type')]).toEqual([200, 'own', 'text/plain; charset=utf-8']);
    expect(first.headers.get('server-timing')).toMatch(/, encode;dur=[\d.]+, model;dur=\d+;desc="main in=100 out=20 cached=40 calls=1"$/);
    const second = await server.post({ ...request(), llm_format_model: other.connection({ key: KEY, options: '&name=chosen' }) });
    expect([await second.text(), second.headers.get('x-llm-model')]).toEqual(['other', 'chosen']);
    const metrics = await (await server.get('/metrics')).text();
    for (const model of ['main', 'other']) {
      expect(metrics).toContain(`svc_model_calls_total{model="${model}"} 1\n`);
      for (const [kind, count] of Object.entries({ input: 100, output: 20, cached: 40 })) {
        expect(metrics).toContain(`svc_model_tokens_total{model="${model}",kind="${kind}"} ${String(count)}\n`);
      }
    }
    expect(metrics).not.toContain('chosen');
    expect(await (await server.get('/status')).json()).not.toHaveProperty('models');
    expect(server.logged.filter((line) => line.includes('a language model was asked'))).toHaveLength(2);
  });

  it('keeps keys and data: URLs to itself, whatever fails', async () => {
    const steps = [
      { text: 'ok' },
      { status: 401, body: KEY },
      { status: 500, body: KEY, headers: { 'retry-after': '9999' } },
      'cut json' as const,
    ];
    await using model = await openModelServer('google', (_, index) => steps[index] ?? { status: 400, body: KEY });
    await using server = await openLlmServer();
    const said: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      const response = await server.post({ ...request(), llm_format_model: model.connection({ key: KEY }) });
      said.push(JSON.stringify([...response.headers]), await response.text());
    }
    said.push(...server.logged, await (await server.get('/metrics')).text());
    expect(model.seen.every(({ key }) => key === KEY)).toBe(true);
    for (const text of said) {
      expect(text).not.toContain(KEY);
      expect(text).not.toContain('R0lGOD');
    }
  });

  it('may be a program, which requests may not name', async () => {
    await using program = await provideByStdio([{ text: 'by a program' }]);
    await using server = await openLlmServer({ 'llm-format-model': program.connection() });
    const response = await server.post(request());
    expect([response.status, await response.text()]).toEqual([200, 'by a program']);
    const refused = await server.post({ ...request(), llm_format_model: program.connection() });
    expect([refused.status, await refused.json()]).toMatchObject([400, { errors: [{ parameter: 'llm_format_model' }] }]);
  });

  it('does not start with a model that is not valid', async () => {
    await using host = openLlmHost({ 'llm-format-model': 'nope://h?model=m' });
    await expect(host.kernel.prepare()).rejects.toMatchObject({ code: 'boot_invalid_flag', message: /--llm-format-model/ });
  });
});

describe('while the model is asked', () => {
  it('the browser is free: another page is rendered by its only slot', async () => {
    let answer: (step: { text: string }) => void = () => undefined;
    const answering = new Promise<{ text: string }>((resolve) => {
      answer = resolve;
    });
    await using model = await openModelServer('openai', () => answering);
    await using host = openLlmHost({ 'browser-concurrency': 1, 'llm-format-model': model.connection() });
    const asked = host.render(request());
    const png = await host.render({ url: site.url('/'), output_type: 'png', timeout: 60 });
    expect((await png.bytes()).subarray(1, 4).toString()).toBe('PNG');
    answer({ text: 'later' });
    expect((await (await asked).bytes()).toString()).toBe('later');
  });

  it('the timeout of the render ends the request', async () => {
    await using model = await openModelServer('ollama', () => 'hang');
    await using host = openLlmHost();
    const late = host.render({ ...request(), llm_format_model: model.connection(), timeout: 3 });
    await expect(late).rejects.toMatchObject({
      code: 'render_timeout',
      message: /the language model "test"/,
      details: { phase: 'encode' },
    });
  });

  it('a client that leaves ends the request', async () => {
    const provider = createServer();
    const arrived = once(provider, 'request');
    provider.listen(0, '127.0.0.1');
    await once(provider, 'listening');
    // A listening TCP server has a port.
    const { port } = provider.address() as AddressInfo;
    await using server = await openLlmServer();
    const leaving = new AbortController();
    const model = `openai://127.0.0.1:${String(port)}?model=m`;
    const posted = server.post({ ...request(), llm_format_model: model }, { signal: leaving.signal });
    // The listener's arguments: request and response.
    const [, response] = (await arrived) as [unknown, NodeJS.EventEmitter];
    const closed = once(response, 'close');
    leaving.abort();
    await expect(posted).rejects.toThrow();
    await closed;
    provider.close();
  });
});
