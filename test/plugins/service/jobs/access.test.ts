import basic from '@platen/plugin-auth-basic';
import signedUrl from '@platen/plugin-auth-signed-url';
import { isPlatenError, silentLogger } from '@platen/kernel';
import { expect, it } from 'vitest';
import type { JobRecord } from '../../../../plugins/service/jobs/src/job.js';
import { JobRunner, MAX_UNFINISHED } from '../../../../plugins/service/jobs/src/run-jobs.js';
import { basicHeader, signedPage } from '../../auth/auth-server.js';
import { ASYNC, heldRenders, openJobsServer, PAGE } from './jobs-server.js';

const [ann, bob] = [basicHeader('ann:one'), basicHeader('bob:two')];
const USERS = { 'server-basic-auth': ['ann:one', 'bob:two'] };

it('is for the client that created the job', async () => {
  const held = heldRenders();
  const server = await openJobsServer({ plugins: [basic], flags: USERS, render: held.render });
  const path = await server.create(PAGE, ann);
  await held.begun(1);
  const ask = async (method: string, headers: Record<string, string> = {}) => (await fetch(server.url + path, { method, headers })).status;
  expect([await ask('GET'), await ask('GET', bob), await ask('DELETE'), await ask('DELETE', bob)]).toEqual([401, 404, 401, 404]);
  expect(held.began[0]?.signal?.aborted).toBe(false);
  expect([await ask('GET', ann), await ask('DELETE', ann)]).toEqual([200, 204]);
});

it('of a signed request needs the credentials of a header, if there are any', async () => {
  const flags = { ...USERS, 'server-signed-url': ['a shared secret'] };
  const server = await openJobsServer({ plugins: [basic, signedUrl], flags });
  const path = await server.create(signedPage());
  const job = await server.ended(path, bob);
  expect(job.state).toBe('done');
  expect((await fetch(server.url + path)).status).toBe(401);
  // The link is signed.
  expect(await (await fetch(server.url + (job.output?.url ?? ''))).text()).toBe('a png');
});

it('is limited: further jobs are a 429 before anything is stored', async () => {
  const base = { requestId: 'r', source: 'query', state: 'queued', createdAt: 1, starts: 0 } as const;
  const jobs = new Map<string, JobRecord>(Array.from({ length: MAX_UNFINISHED }, (_, at) => [String(at), { id: String(at), ...base }]));
  const stored: string[] = [];
  const store = { jobs, paramBytes: 0, create: (job: JobRecord) => Promise.resolve(void stored.push(job.id)) };
  const runner = new JobRunner({ store, log: silentLogger, server: {}, onEnded: () => undefined } as unknown as ConstructorParameters<
    typeof JobRunner
  >[0]);
  const call = { id: 'r', endpoint: 'GET /', source: 'query', raw: {}, requestHeader: () => '' } as unknown as Parameters<
    JobRunner['submit']
  >[0];
  const error: unknown = await runner.submit(call, undefined).catch((thrown: unknown) => thrown);
  expect(isPlatenError(error) && [error.code, error.details.retry_after]).toEqual(['too_many_requests', 10]);
  expect(stored).toEqual([]);
});

it('ends with the drain for a client that waits for a job', async () => {
  const held = heldRenders();
  const server = await openJobsServer({ render: held.render });
  const path = await server.create();
  await held.begun(1);
  const asked = fetch(server.url + path, { headers: { prefer: 'wait=60' } });
  const received = new Promise<void>((resolve) => {
    const poll = () => (server.server.api.openEndpoints().includes('GET /jobs/:id') ? resolve() : setImmediate(poll));
    poll();
  });
  await received;
  const closing = server.server.close(60_000);
  const answer = await asked;
  expect([answer.status, answer.headers.get('preference-applied'), await answer.json()]).toMatchObject([
    200,
    'wait=60',
    { state: 'running' },
  ]);
  held.began[0]?.release();
  await closing;
});

it('is in the description of the endpoints', async () => {
  const server = await openJobsServer();
  const { endpoints, renders } = server.server.api.describe();
  expect(endpoints.map(({ method, path }) => `${method} ${path}`)).toEqual(['get /jobs/{id}', 'delete /jobs/{id}']);
  expect(renders.parameters).toMatchObject([{ name: 'Prefer' }, { name: 'Webhook-URL' }]);
  expect(renders.answers).toMatchObject({ 202: { headers: { Location: 'Path of the job.' } } });
  expect((await server.get(PAGE, { headers: ASYNC })).status).toBe(202);
});
