import { spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { descendants } from '../../../helpers/descendants.js';
import { CLI, runCli } from '../../../helpers/run-cli.js';
import { until } from '../../../helpers/until.js';
import { GENERATIONS, useMcp } from './open-mcp.js';
import { openSlowSite, type SlowSite } from './slow-site.js';

const { spawn: start } = useMcp();

let site: SlowSite;
beforeAll(async () => {
  site = await openSlowSite();
});
afterAll(() => site[Symbol.asyncDispose]());

const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe.each(GENERATIONS)('platen mcp, for a client of %s', (generation) => {
  it('renders, cancels, and leaves nothing behind when the client closes its input', async () => {
    const client = await start(generation);
    const { content } = await client.call('read_page', { url: site.url('/') });
    expect(content[1].text).toContain('# Hello');
    const { facts } = await client.call('pdf', { url: site.url('/') });
    expect(facts.resource).not.toHaveProperty('download');
    expect((await client.read(facts.resource.uri)).contents[0].mimeType).toBe('application/pdf');
    const leave = new AbortController();
    const [arrived, closed] = site.nextSlow();
    const calling = client.call('read_page', { url: site.url('/slow') }, { signal: leave.signal });
    calling.catch(() => undefined);
    await arrived;
    leave.abort();
    await closed;
    const [another, ended] = site.nextSlow();
    client.call('read_page', { url: site.url('/slow') }).catch(() => undefined);
    await another;
    const children = descendants(client.pid);
    expect(children.length).toBeGreaterThan(0);
    await client[Symbol.asyncDispose]();
    await ended;
    await until(() => ![client.pid, ...children.map(({ pid }) => pid)].some(isThere));
  });
});

describe('the process', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
  };

  it.each(['SIGTERM', 'SIGINT'] as const)('ends by %s, with nothing but JSON-RPC on stdout', async (signal) => {
    const child = spawn(process.execPath, [CLI, 'mcp', '--log-level', 'debug'], { stdio: ['pipe', 'pipe', 'pipe'] });
    const [out, errors] = [text(child.stdout), text(child.stderr)];
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'read_page', arguments: { url: site.url('/') } } };
    child.stdin.write(`${JSON.stringify(initialize)}\nnot JSON\n5\n${JSON.stringify(call)}\n`);
    for await (const [chunk] of on(child.stdout, 'data')) if (String(chunk).includes('# Hello')) break;
    const children = descendants(child.pid ?? 0);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([0, null]);
    const lines = (await out).trimEnd().split('\n');
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    expect(lines[0]).toContain('"protocolVersion":"2025-11-25"');
    expect(await errors).toContain('"endpoint":"mcp"');
    const words = (await errors).split('\n').filter((line) => line !== '' && !line.startsWith('{'));
    expect(words).toEqual(['platen: a line of the input is no JSON-RPC message, and is ignored']);
    await until(() => !children.some(({ pid }) => isThere(pid)));
  });

  it('ends with its input, and refuses wrong flags', async () => {
    expect(await runCli(['mcp'])).toMatchObject({ code: 0, stdout: Buffer.alloc(0) });
    const { code, stderr } = await runCli(['mcp', '--no-such-flag']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--no-such-flag')]);
  });
});
