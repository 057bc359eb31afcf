import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, startServer } from '../../../helpers/run-cli.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { until } from '../../../helpers/until.js';

let folder: string;
let site: Site;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-cache-'));
  site = await openSite({ '/': '<!doctype html><title>Page</title><h1>Hello</h1>' });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const loads = () => site.requests.filter(({ url }) => url === '/').length;

/** GET / with the parameters in its query, on a connection of its own. */
async function ask(base: string, params: Readonly<Record<string, string>>, method = 'GET') {
  const asking = request(`${base}/?${new URLSearchParams(params).toString()}`, { method, agent: false }).end();
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  const body = Buffer.concat((await response.toArray()) as Buffer[]);
  return { status: response.statusCode, cache: response.headers['cache-status'], body };
}

it('a page is loaded once for a picture, once for a PDF that streams, and not again after a crash', async () => {
  const flags = ['--server-cache', folder, '--server-max-concurrency', '1', '--log-level', 'info'];
  const page = { url: site.url('/') };
  const pdf = { ...page, output_type: 'pdf' };
  const bodies: Buffer[] = [];
  {
    await using server = await startServer(flags);
    for (const params of [page, pdf]) {
      const before = loads();
      const miss = await ask(server.url, params);
      expect(miss).toMatchObject({ status: 200, cache: 'platen; fwd=uri-miss; stored' });
      const hit = await ask(server.url, params);
      expect(hit.cache).toMatch(/^platen; hit/);
      expect(hit.body.equals(miss.body)).toBe(true);
      expect(loads()).toBe(before + 1);
      bodies.push(hit.body);
    }
    await until(async () => (await readdir(join(folder, 'renders-1'))).filter((name) => /^[0-9a-f]{64}$/.test(name)).length === 2);
    server.signal('SIGKILL');
    await server.exited;
  }
  await using again = await startServer(flags);
  const before = loads();
  const [picture, document] = [await ask(again.url, page), await ask(again.url, pdf)];
  expect([picture.body.equals(bodies[0] ?? Buffer.alloc(0)), document.body.equals(bodies[1] ?? Buffer.alloc(0))]).toEqual([true, true]);
  expect(loads()).toBe(before);
  expect((await ask(again.url, pdf, 'DELETE')).status).toBe(204);
  expect((await ask(again.url, pdf)).cache).toBe('platen; fwd=uri-miss; stored');
  expect((await ask(again.url, {}, 'DELETE')).status).toBe(204);
  await until(async () => (await readdir(join(folder, 'renders-1'))).length === 0);
});

it('a folder that cannot be written ends the start with the flag, the folder and the reason', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  const { code, stderr } = await runCli(['--server', '--server-bind-port', '0', '--server-cache', file]);
  expect(code).toBe(2);
  expect(stderr).toContain(`--server-cache: cannot write to ${join(file, 'renders-1')}: ENOTDIR`);
});
