import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';

import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkHealth } from '../../../server/src/cli/check-health.js';
import { runCli } from '../../helpers/run-cli.js';
import { openServer, rendered } from '../test-server.js';

async function check(args: readonly string[], environment: Record<string, string> = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await checkHealth(args, { stdout, stderr, environment, cwd: '/' });
  return { code, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'platen-test-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

async function open(flags = {}, render = rendered) {
  const server = await openServer({ flags, render });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

async function openForeign(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

function deferred() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

const OK = { code: 0, stdout: 'ok\n', stderr: '' };

it('fails while no browser can open a page, as `/status` says', async () => {
  const { url, kernel } = await open({ 'browser-path': '/no/such/browser' });
  expect(await check([url])).toEqual(OK);
  await expect(kernel.start()).rejects.toMatchObject({ code: 'browser_unavailable' });
  expect(await check([url])).toMatchObject({ code: 1, stderr: expect.stringContaining('status 503, degraded') as unknown });
  const status = await fetch(`${url}/status`);
  expect([status.status, await status.json()]).toEqual([503, expect.objectContaining({ status: 'degraded' })]);
});

describe('platen healthcheck', () => {
  it('ends with 0 where a server takes renders: by URL, flags, environment and config file', async () => {
    const { url, port } = await open();
    const config = join(await folder(), 'platen.yaml');
    await writeFile(config, `server-bind-port: ${String(port)}\nserver-bind-address: 0.0.0.0\nserver-token-auth: '@/nowhere'\n`);
    expect(await check([url])).toEqual(OK);
    expect(await check([`${url}/status`])).toEqual(OK);
    expect(await check(['--server-bind-port', String(port)])).toEqual(OK);
    expect(await check([], { PLATEN_SERVER_BIND_PORT: String(port), PLATEN_SERVER: 'true' })).toEqual(OK);
    expect(await check(['--config', config])).toEqual(OK);
    expect(await check([], { PLATEN_CONFIG: config })).toEqual(OK);
  });

  it('asks a Unix socket', async () => {
    const path = join(await folder(), 'platen.sock');
    await open({ 'server-bind-address': path });
    expect(await check([], { PLATEN_SERVER_BIND_ADDRESS: path })).toEqual(OK);
    expect(await check([`unix:${path}`])).toEqual(OK);
  });

  it('asks no socket whose path the system would cut', async () => {
    const path = `/tmp/${'x'.repeat(103)}`;
    const refused = { code: 1, stdout: '', stderr: `platen: no server can listen on ${path}: the path is longer than 107 bytes\n` };
    expect(await check([`unix:${path}`])).toEqual(refused);
    expect(await check([], { PLATEN_SERVER_BIND_ADDRESS: path })).toEqual(refused);
  });

  it('ends with 1 while the server drains', async () => {
    const begun = deferred();
    const free = deferred();
    const server = await open({}, async (plan, options) => {
      begun.resolve();
      await free.promise;
      return await rendered(plan, options);
    });
    const answer = server.get('url=http://a.test/');
    await begun.promise;
    const closed = server.server.close(60_000);
    expect(await check([server.url])).toEqual({ code: 1, stdout: '', stderr: 'platen: the server is not ready: status 503, draining\n' });
    free.resolve();
    await Promise.all([answer, closed]);
  });

  it('ends with 1 where nobody listens, where somebody else does, and where no answer comes', async () => {
    const gone = await open();
    await gone.server.close(0);
    expect(await check([gone.url])).toMatchObject({ code: 1, stderr: expect.stringContaining('ECONNREFUSED') });
    expect(await check([`http://[::1]:${new URL(gone.url).port}`])).toMatchObject({
      stderr: expect.stringContaining(`no server responds at [::1]:${new URL(gone.url).port}: `),
    });
    const other = await openForeign((_request, response) => response.end('hello'));
    expect(await check([other])).toMatchObject({ code: 1, stderr: 'platen: the server is not ready: status 200\n' });
    const silent = await openForeign(() => undefined);
    expect(await check([silent])).toMatchObject({ code: 1, stderr: expect.stringContaining('no response in time') });
  });

  it.each([
    [['https://127.0.0.1:3000']],
    [['nowhere']],
    [['http://127.0.0.1:1', 'more']],
    [['--server-bind-port', 'x']],
    [['--server-bind-port', '0']],
    [['--server-max-concurrency', '4']],
    [['--config', '/nowhere.json']],
  ])('knows no third code: %j', async (args) => {
    expect(await check(args)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^platen: /) });
  });

  it('is a word of the command line', async () => {
    const { url } = await open();
    expect(await runCli(['healthcheck', url])).toMatchObject({ code: 0, stderr: '' });
  });
});
