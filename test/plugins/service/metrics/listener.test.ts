import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@platen/kernel';
import { describe, expect, it } from 'vitest';
import { startMetrics } from './metrics-server.js';

const ADDRESS = 'server-prometheus-bind-address';
const PORT = 'server-prometheus-bind-port';

/** A log that remembers where metrics are served. */
function listening() {
  const urls: string[] = [];
  const log: Logger = {
    debug() {},
    info(fields, message) {
      if (message.startsWith('metrics are served') && 'url' in fields) urls.push(String(fields.url));
    },
    warn() {},
    error() {},
    child: () => log,
  };
  return { log, urls };
}

describe('the separate listener', () => {
  it('has /metrics and nothing else, and takes it from the main one; the log says where', async () => {
    const { log, urls } = listening();
    const server = await startMetrics({ flags: { [PORT]: 0 }, log });
    const [url = ''] = urls;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    expect(await (await fetch(url)).text()).toContain('svc_requests_total');
    expect((await fetch(new URL('/?url=http://a.test/', url))).status).toBe(404);
    expect((await server.ask('/metrics')).status).toBe(404);
    expect((await server.ask('/?url=http://a.test/')).status).toBe(200);
    const counted = await (await fetch(url)).text();
    expect(counted).toContain('svc_http_requests_total{method="GET",endpoint="GET /metrics",status="200"} 1');
    expect(counted).toContain('svc_http_requests_total{method="other",endpoint="other",status="404"} 2');
  });

  it('asks for the same credentials', async () => {
    const { log, urls } = listening();
    await startMetrics({ flags: { [ADDRESS]: '127.0.0.1', [PORT]: 0, 'server-prometheus-auth': ['ops:secret'] }, log });
    const [url = ''] = urls;
    expect((await fetch(url)).status).toBe(401);
    const authorization = `Basic ${Buffer.from('ops:secret').toString('base64')}`;
    expect((await fetch(url, { headers: { authorization } })).status).toBe(200);
  });

  it('may be a Unix socket', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-metrics-'));
    const { log, urls } = listening();
    const socketPath = join(folder, 'metrics.sock');
    await startMetrics({ flags: { [ADDRESS]: socketPath }, log });
    expect(urls).toEqual([`unix:${socketPath}`]);
    const status = new Promise<number | undefined>((resolve, reject) => {
      const asked = request({ socketPath, path: '/metrics', headers: { host: 'localhost' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      asked.once('error', reject).end();
    });
    expect(await status).toBe(200);
    await rm(folder, { recursive: true });
  });

  it('a port that is taken ends the start, naming the flag', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const bound = other.address();
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
    await expect(startMetrics({ flags: { [PORT]: port } })).rejects.toThrow(
      `/metrics: cannot listen on 127.0.0.1 port ${String(port)}: it is in use; choose another with --server-prometheus-bind-port`,
    );
    other.close();
  });
});

it('the port of the main listener ends the start, which says so', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  other.close();
  await once(other, 'close');
  await expect(startMetrics({ flags: { [PORT]: port, 'server-bind-port': port } })).rejects.toThrow(
    `cannot listen on 127.0.0.1 port ${String(port)}: another listener of this server uses that port`,
  );
});

describe('without --server-enable-prometheus', () => {
  it('there is no /metrics', async () => {
    const server = await startMetrics({ flags: { 'server-enable-prometheus': false } });
    expect((await server.ask('/metrics')).status).toBe(404);
  });

  it.each([
    [{ 'server-prometheus-auth': ['ops:canary'] }, '--server-prometheus-auth'],
    [{ [ADDRESS]: '127.0.0.1' }, '--server-prometheus-bind-address'],
    [{ [ADDRESS]: '127.0.0.1', [PORT]: 9464 }, '--server-prometheus-bind-address and --server-prometheus-bind-port'],
  ])('%j ends the start, naming both flags', async (flags, named) => {
    const starting = startMetrics({ flags: { 'server-enable-prometheus': false, ...flags } });
    await expect(starting).rejects.toMatchObject({
      code: 'boot_invalid_flag',
      message: `${named} requires --server-enable-prometheus`,
    });
  });
});
