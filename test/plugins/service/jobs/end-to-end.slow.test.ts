import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../../../helpers/run-cli.js';
import { openSite, type Site } from '../../../helpers/site.js';
import type { ShownJob } from './jobs-server.js';

let folder: string;
let site: Site;
/** Called with each request for the page that never responds. */
let onSlow: (connection: { readonly closed: Promise<unknown> }) => void = () => undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-jobs-'));
  site = await openSite({
    '/': '<!doctype html><title>Page</title><h1>Hello</h1>',
    '/slow': (request) => {
      onSlow({ closed: once(request.socket, 'close') });
      return undefined;
    },
  });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const slowRequest = () =>
  new Promise<{ readonly closed: Promise<unknown> }>((resolve) => {
    onSlow = resolve;
  });

const create = async ({ url }: RunningServer, path: string) => {
  const query = new URLSearchParams({ url: site.url(path), no_timeout: 'true' });
  const response = await fetch(`${url}/?${query.toString()}`, { headers: { prefer: 'respond-async' } });
  expect(response.status).toBe(202);
  return response.headers.get('location') ?? '';
};

it('a page is rendered by a job; one that the server was killed in is rendered by the next start, and can be canceled', async () => {
  let interrupted: string;
  {
    await using server = await startServer(['--server-enable-jobs', folder]);
    const path = await create(server, '/');
    const job = (await (await fetch(server.url + path, { headers: { prefer: 'wait=60' } })).json()) as ShownJob;
    expect(job).toMatchObject({ state: 'done', output: { content_type: 'image/png' } });
    const image = Buffer.from(await (await fetch(server.url + (job.output?.url ?? ''))).arrayBuffer());
    expect(image.subarray(1, 4).toString()).toBe('PNG');
    expect(image).toHaveLength(job.output?.bytes ?? 0);

    const asked = slowRequest();
    interrupted = await create(server, '/slow');
    await asked;
    server.signal('SIGKILL');
    await server.exited;
  }
  const asked = slowRequest();
  await using server = await startServer(['--server-enable-jobs', folder]);
  const connection = await asked;
  expect((await fetch(server.url + interrupted, { method: 'DELETE' })).status).toBe(204);
  await connection.closed;
  expect(await (await fetch(server.url + interrupted)).json()).toMatchObject({ state: 'canceled' });
});
