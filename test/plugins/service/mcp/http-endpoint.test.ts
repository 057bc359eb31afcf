import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type FakeRender, rendered } from '../../../server/test-server.js';
import { type Generation, GENERATIONS, type McpServerOptions, useMcp } from './open-mcp.js';

const { serve, connect } = useMcp();

const URL = 'http://a.test/';
const kept = ['mcp', 'png', 'screenshot', 'page', 'target', 'auth-basic', 'auth-token', 'auth-signed-url', 'cache', 'metrics', 'limits'];
const open = (options: McpServerOptions = {}) => serve({ enabled: (name) => kept.includes(name), render: rendered, ...options });

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const call = (id: number | string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'screenshot', arguments: { url: URL } },
});
const cancel = (requestId: number | string) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
const post = (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** Renders that only their signals end. */
function held() {
  const renders: { readonly signal: AbortSignal; readonly ended: Promise<void> }[] = [];
  const waiting: { readonly count: number; resolve(): void }[] = [];
  const render: FakeRender = (_, { signal = new AbortController().signal }) => {
    const ended = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        resolve();
      });
    });
    renders.push({ signal, ended });
    for (const { count, resolve } of waiting) if (renders.length >= count) resolve();
    return ended.then(() => Promise.reject(signal.reason as Error));
  };
  const begun = (count: number) => new Promise<void>((resolve) => (renders.length >= count ? resolve() : waiting.push({ count, resolve })));
  return { render, renders, begun };
}

describe('the endpoint', () => {
  it('is a 404 that names the flag without it', async () => {
    const server = await open({ flags: { 'server-enable-mcp': false } });
    const response = await post(server.url, call(1));
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining('--server-enable-mcp') });
  });

  it.each(['GET', 'DELETE', 'PUT'])('refuses %s', async (method) => {
    const server = await open();
    const response = await fetch(`${server.url}/mcp`, { method, headers: HEADERS });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it.each([
    ['no JSON', '{', {}, 400, -32700],
    ['nothing', '', {}, 400, -32700],
    ['a key twice', '{"id":1,"id":2}', {}, 400, -32600],
    ['no JSON-RPC', '{"a":1}', {}, 400, -32600],
    ['another content type', '{}', { 'content-type': 'text/plain' }, 415, -32600],
    ['an unknown version', call(1), { 'mcp-protocol-version': '1999-01-01' }, 400, -32000],
  ])('answers %s by an error of JSON-RPC', async (_, body, headers, status, code) => {
    const server = await open();
    const response = await post(server.url, body, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code } });
  });

  it.each(['2025-03-26', '2025-06-18', '2025-11-25'])('negotiates %s', async (protocolVersion) => {
    const server = await open();
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    const text = await (await post(server.url, { jsonrpc: '2.0', id: 0, method: 'initialize', params })).text();
    expect(text).toContain(`"protocolVersion":"${protocolVersion}"`);
  });

  it.each([
    ['v1', '2025-11-25'],
    ['v2', '2026-07-28'],
  ] as const)('speaks with clients of %s in their latest version', async (generation, version) => {
    const server = await open();
    expect((await connect(generation, server.url)).version).toBe(version);
  });

  it('is described for the OpenAPI document', async () => {
    const server = await open();
    expect(server.server.api.describe().endpoints.filter(({ path }) => path === '/mcp')).toMatchObject([{ method: 'post' }]);
  });

  it('answers a batch', async () => {
    const server = await open();
    const text = await (await post(server.url, [call('a'), call('b')], { 'mcp-protocol-version': '2025-03-26' })).text();
    expect(text).toContain('"id":"a"');
    expect(text).toContain('"id":"b"');
  });
});

describe('large messages', () => {
  const MIB = 1024 * 1024;
  const large = 'x'.repeat(8 * MIB);
  const files = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`file-${String(n)}`, 'data:,']));
  const rendering = (args: object) => ({ ...call(1), params: { name: 'render', arguments: args } });
  it.each([
    ['a document among the arguments', rendering({ html: large }), 200],
    ['many files among the arguments', rendering({ upload: { 'index.html': 'data:text/html,<p>', ...files } }), 200],
    ['another large argument', rendering({ url: URL, html: null, javascript: large }), 413],
    ['a document beside the arguments', { ...rendering({ url: URL }), html: large }, 413],
    ['many files beside the arguments', { ...rendering({ url: URL }), upload: files }, 400],
  ])('%s', async (_, message, status) => {
    const server = await open({ enabled: (name) => ['upload', 'robots', 'prepare', ...kept].includes(name) });
    const response = await post(server.url, message);
    expect(response.status).toBe(status);
    const text = await response.text();
    if (status === 200) expect(text).toContain('image/png');
  });
});

describe('access', () => {
  it.each([
    ['another host', { host: 'evil.test' }],
    ['a page of another site', { origin: 'https://evil.test' }],
    ['a cross-site request', { 'sec-fetch-site': 'cross-site' }],
  ])('is refused to %s', async (_, headers) => {
    const server = await open();
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${server.url}/mcp`, { method: 'POST', headers: { ...HEADERS, ...headers } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject).end(JSON.stringify(call(1)));
    });
    expect(status).toBe(403);
    expect(server.records).toMatchObject([{ endpoint: 'POST /mcp', code: 'origin_refused' }]);
  });

  it.each([
    ['server-basic-auth', ['me:pass'], `Basic ${btoa('me:pass')}`],
    ['server-token-auth', ['agent:secret-token'], 'Bearer secret-token'],
  ])('needs the credential of --%s', async (flag, value, authorization) => {
    const server = await open({ flags: { [flag]: value } });
    const refused = await post(server.url, call(1));
    expect([refused.status, refused.headers.has('www-authenticate')]).toEqual([401, true]);
    for (const generation of GENERATIONS) {
      const client = await connect(generation, server.url, { headers: { authorization } });
      expect(await client.call('screenshot', { url: URL })).not.toHaveProperty('isError');
    }
  });

  it('is open on a server that requires signatures alone, and links are signed', async () => {
    const server = await open({ flags: { 'server-signed-url': ['a-secret-that-is-long-enough-for-it'] }, render: large });
    const client = await connect('v2', server.url);
    const { facts } = await client.call('screenshot', { url: URL });
    expect(facts.resource.download).toMatch(/&expires=\d+&signature=/);
    expect((await fetch(server.url + String(facts.resource.download))).status).toBe(200);
  });
});

const large: FakeRender = async (plan, options) => {
  const result = await rendered(plan, options);
  return { ...result, output: { ...result.output, body: Buffer.alloc(2 * 1024 * 1024) } };
};

describe('what ends a call', () => {
  it.each(GENERATIONS)('is a cancellation by a client of %s, of this call only', async (generation) => {
    const { render, renders, begun } = held();
    const server = await open({ render });
    const [one, two] = [await connect(generation, server.url), await connect(generation, server.url)];
    const leave = new AbortController();
    const calls = [one.call('screenshot', { url: URL }, { signal: leave.signal }), two.call('screenshot', { url: URL })];
    for (const each of calls) each.catch(() => undefined);
    await begun(2);
    leave.abort();
    await expect(calls[0]).rejects.toThrow();
    await Promise.race(renders.map(({ ended }) => ended));
    expect(renders.filter(({ signal }) => signal.aborted)).toHaveLength(1);
    await server.server.close(0);
    expect(await calls[1]).toMatchObject({ isError: true, facts: { code: 'draining', retryable: true } });
  });

  it.each(GENERATIONS)('is a client of %s that leaves', async (generation) => {
    const { render, renders, begun } = held();
    const server = await open({ render });
    const client = await connect(generation, server.url);
    const calling = client.call('screenshot', { url: URL });
    calling.catch(() => undefined);
    await begun(1);
    await client[Symbol.asyncDispose]();
    await renders[0]?.ended;
    await expect(calling).rejects.toThrow();
  });

  it('is no cancellation with another session, another credential, another type of id, or without session', async () => {
    const { render, renders, begun } = held();
    const auth = { 'server-token-auth': ['one:first-token', 'two:second-token'] };
    const server = await open({ render, flags: auth });
    const session = randomUUID();
    const [mine, others] = ['Bearer first-token', 'Bearer second-token'];
    const calling = post(server.url, call(7), { authorization: mine, 'mcp-session-id': session });
    await begun(1);
    const noCall: [unknown, Record<string, string>][] = [
      [cancel(7), { authorization: mine, 'mcp-session-id': randomUUID() }],
      [cancel(7), { authorization: others, 'mcp-session-id': session }],
      [cancel('7'), { authorization: mine, 'mcp-session-id': session }],
      [cancel(7), { authorization: mine }],
      [
        { ...cancel(7), params: null },
        { authorization: mine, 'mcp-session-id': session },
      ],
    ];
    for (const [body, headers] of noCall) expect((await post(server.url, body, headers)).ok || body === noCall[4]?.[0]).toBe(true);
    expect(renders[0]?.signal.aborted).toBe(false);
    expect((await post(server.url, cancel(7), { authorization: mine, 'mcp-session-id': session })).status).toBe(202);
    await renders[0]?.ended;
    expect(await (await calling).text()).not.toContain('"result"');
  });
});

describe('beside other plugins', () => {
  const calls = async (generation: Generation, url: string) => {
    const client = await connect(generation, url);
    return await Promise.all(Array.from({ length: 3 }, () => client.call('screenshot', { url: URL })));
  };

  it('renders are not cached, and are counted once', async () => {
    let renders = 0;
    const render: FakeRender = (plan, options) => {
      renders += 1;
      return rendered(plan, options);
    };
    const server = await open({ render, flags: { 'server-cache': true, 'server-enable-prometheus': true } });
    for (const generation of GENERATIONS) await calls(generation, server.url);
    expect(renders).toBe(6);
    expect(server.records.filter(({ plan }) => plan !== undefined)).toHaveLength(6);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain('svc_requests_total{endpoint="mcp",format="png",outcome="success"} 6');
    expect(metrics).toMatch(/svc_request_duration_seconds_count\{format="png",cache="(?:none|bypass)",status="200"\} 6/);
    expect(metrics).not.toContain('method="mcp"');
  });

  it('calls share the limits with other requests', async () => {
    const { render, begun } = held();
    const server = await open({ render, flags: { 'server-max-concurrency': 1 } });
    const client = await connect('v2', server.url);
    const holding = client.call('screenshot', { url: URL });
    holding.catch(() => undefined);
    await begun(1);
    expect(await client.call('screenshot', { url: URL })).toMatchObject({
      isError: true,
      facts: { code: 'too_many_requests', retryable: true },
    });
    await server.server.close(0);
    await holding;
  });
});
