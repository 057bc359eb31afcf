import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import { createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bind, isLoopback, toBindAddress } from '../../../server/src/http/bind.js';
import { openServer } from '../test-server.js';

describe('bind', () => {
  it('tells addresses from paths', () => {
    expect(toBindAddress('0.0.0.0', 80)).toEqual({ host: '0.0.0.0', port: 80 });
    expect(toBindAddress('[::1]', 80)).toEqual({ host: '::1', port: 80 });
    expect(toBindAddress('./x.sock', 80)).toEqual({ path: './x.sock' });
  });

  it.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['localhost', true],
    ['0.0.0.0', false],
    ['::', false],
    ['10.0.0.1', false],
  ])('%s is loopback: %s', (address, loopback) => {
    expect(isLoopback(toBindAddress(address, 1))).toBe(loopback);
  });

  it('names the flag that helps when a port is taken', async () => {
    const other = createNetServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const bound = other.address();
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
    await expect(bind(createHttpServer(), { host: '127.0.0.1', port })).rejects.toThrow(/in use.*--server-bind-port/);
    other.close();
  });

  it('serves on a Unix socket, clears away a stale one, and leaves alone what is in use or something else', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
    const path = join(folder, 'platen.sock');
    await using server = await openServer({ flags: { 'server-bind-address': path } });
    expect(server.url).toBe(`unix:${path}`);
    const answer = await new Promise<number | undefined>((resolve) => {
      httpRequest({ socketPath: path, path: '/status' }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).end();
    });
    expect(answer).toBe(200);
    await expect(bind(createHttpServer(), { path })).rejects.toThrow(/another server is listening/);
    await server.server.close(0);
    await expect(stat(path)).rejects.toThrow();

    await makeStaleSocket(path);
    expect((await stat(path)).isSocket()).toBe(true);
    await using next = await openServer({ flags: { 'server-bind-address': path } });
    await next.server.close(0);

    await writeFile(path, 'precious');
    await expect(bind(createHttpServer(), { path })).rejects.toThrow(/not a socket/);
    expect((await stat(path)).isFile()).toBe(true);
    await rm(folder, { recursive: true });
  });
});

describe("a Unix socket's path", () => {
  it('may be as long as the system keeps it, in bytes, and is refused beyond', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
    const longest = join(folder, 'x'.repeat(107)).slice(0, 107);
    await using server = await openServer({ flags: { 'server-bind-address': longest } });
    expect(await readdir(folder)).toEqual([basename(longest)]);
    await server.server.close(0);
    for (const path of [`${longest}x`, `${longest.slice(0, -1)}ü`]) {
      await expect(bind(createHttpServer(), { path })).rejects.toThrow(`cannot listen on ${path}: the path is longer than 107 bytes`);
    }
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });
});

/** A socket file whose server was killed: a process that does not clean up. */
async function makeStaleSocket(path: string): Promise<void> {
  const child = spawn(process.execPath, [
    '-e',
    `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`,
  ]);
  await once(child, 'exit');
}
