import { once } from 'node:events';
import { type ClientRequest, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { definePlugin, type ServerApi } from '@platen/kernel';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callFront } from '../../../../plugins/service/cluster/src/call-front.js';
import { encodeBytes, encodeMessage, END } from '../../../../plugins/service/cluster/src/frames.js';
import { PREFIX, type JobData } from '../../../../plugins/service/cluster/src/queue.js';
import { SECRET_HEADER } from '../../../../plugins/service/cluster/src/route.js';
import { until } from '../../../helpers/until.js';
import { type TestServer } from '../../../server/test-server.js';
import { useCluster } from './cluster-servers.js';

const { join, redis } = useCluster();

/** A render with a side effect. */
const unrepeatable = definePlugin({
  name: 'unrepeatable',
  plan(draft) {
    if (draft.url.pathname === '/once') draft.disableRetry();
  },
});

/** The only job in the queue of a cluster. */
async function readJob(name: string): Promise<{ readonly id: string; readonly data: JobData }> {
  const connection = new Redis(redis().url, { maxRetriesPerRequest: null });
  const queue = new Queue<JobData>(name, { connection, prefix: PREFIX });
  onTestFinished(async () => {
    await queue.close();
    connection.disconnect();
  });
  const find = async () => (await queue.getJobs(['wait', 'prioritized']))[0];
  await until(async () => (await find()) !== undefined);
  const job = await find();
  if (job?.id === undefined) throw new Error('there is no job');
  return { id: job.id, data: job.data };
}

interface Caller {
  readonly status: number;
  readonly request: ClientRequest;
  /** Resolves when the front has closed the connection. */
  readonly closed: Promise<unknown>;
}

/** Calls back as a worker does. */
async function call(front: TestServer, path: string, secret: string): Promise<Caller> {
  const calling = request(`${front.url}/cluster/jobs/${path}`, {
    method: 'POST',
    agent: false,
    headers: { [SECRET_HEADER]: secret, 'transfer-encoding': 'chunked' },
  });
  calling.on('error', () => undefined).flushHeaders();
  const [response] = (await once(calling, 'response')) as [IncomingMessage];
  response.on('error', () => undefined).resume();
  return { status: response.statusCode ?? 0, request: calling, closed: new Promise((resolve) => response.once('close', resolve)) };
}

const RESULT = { contentType: 'image/png', extension: 'png', headers: {}, timings: {}, missing: [] };
const HAR = { name: 'har', contentType: 'application/json', extension: 'har' };

function send({ request: calling }: Caller, text: string) {
  const body = Buffer.from(text);
  calling.write(encodeMessage({ type: 'result', result: { ...RESULT, length: body.length } }));
  for (const piece of encodeBytes(body)) calling.write(piece);
  calling.end(END);
}

const ask = async (name: string, path = '/', more = '') => {
  const stored: string[] = [];
  const discarded: string[] = [];
  const watch = definePlugin({
    name: 'watch',
    serve({ hooks }: ServerApi) {
      hooks.execute.tap({ name: 'watch', stage: -100 }, ({ store }) => {
        const { put, discard } = store;
        store.put = async (...given) => {
          const made = await put.apply(store, given);
          stored.push(made.id);
          return made;
        };
        store.discard = async (assets) => {
          discarded.push(...assets.map(({ id }) => id));
          await discard.call(store, assets);
        };
        return undefined;
      });
    },
  });
  const front = await join('front', name, { plugins: [unrepeatable, watch] });
  const response = front.get(`url=http://a.test${path}${more}`);
  return { front, response, stored, discarded, ...(await readJob(name)) };
};

describe('a worker that calls back', () => {
  it('is let in by the secret of its job only', async () => {
    const { front, id, data, response } = await ask('secrets');
    expect((await call(front, `${id}/1`, 'wrong')).status).toBe(403);
    expect((await call(front, `${id}/1`, '')).status).toBe(403);
    expect((await call(front, `unknown/1`, data.secret)).status).toBe(409);
    expect((await fetch(`${front.url}/cluster/jobs/${id}/1`)).status).toBe(403);
    const worker = await call(front, `${id}/1`, data.secret);
    expect(worker.status).toBe(200);
    send(worker, 'right');
    expect(await (await response).text()).toBe('right');
    await worker.closed;
    expect((await call(front, `${id}/2`, data.secret)).status).toBe(409);
  });

  it('ends an earlier attempt, whose assets are discarded, and is refused if it is late itself', async () => {
    const { front, id, data, response, stored, discarded } = await ask('fence');
    const first = await call(front, `${id}/1`, data.secret);
    first.request.write(encodeMessage({ type: 'asset', head: HAR }));
    for (const piece of [...encodeBytes(Buffer.from('{}')), END]) first.request.write(piece);
    await until(() => stored.length === 1);
    const second = await call(front, `${id}/2`, data.secret);
    await first.closed;
    await until(() => discarded.length === 1);
    expect(discarded).toEqual(stored);
    expect((await call(front, `${id}/1`, data.secret)).status).toBe(409);
    expect((await call(front, `${id}/2`, data.secret)).status).toBe(409);
    send(second, 'of the second');
    const answer = await response;
    expect(await answer.text()).toBe('of the second');
    expect(answer.headers.get('link')).toBeNull();
    expect(front.server.api.status().cluster).toMatchObject({ attempts: 2, lost: 1 });
  });

  it('and is lost can be replaced, until the client reads the body', async () => {
    const { front, id, data, response, discarded } = await ask('lost');
    const first = await call(front, `${id}/1`, data.secret);
    first.request.write(encodeMessage({ type: 'result', result: { ...RESULT, length: 10 } }));
    first.request.write(Buffer.concat([...encodeBytes(Buffer.from('half'))]));
    first.request.destroy();
    await until(() => front.server.api.status().cluster?.lost === 1);
    const second = await call(front, `${id}/2`, data.secret);
    second.request.write(encodeMessage({ type: 'result', result: RESULT }));
    for (const piece of encodeBytes(Buffer.alloc(200_000))) second.request.write(piece);
    const answer = await response;
    expect(answer.status).toBe(200);
    expect((await call(front, `${id}/3`, data.secret)).status).toBe(409);
    second.request.destroy();
    await expect(answer.arrayBuffer()).rejects.toThrow();
    await until(() => front.records.some(({ endpoint, code }) => endpoint === 'GET /' && code === 'browser_lost'));
    expect(discarded).toEqual([]);
  });

  it('and is lost is not replaced if the render may have side effects', async () => {
    const { front, id, data, response } = await ask('once', '/once');
    const first = await call(front, `${id}/1`, data.secret);
    first.request.destroy();
    const answer = await response;
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: 'browser_lost', retryable: false });
    expect((await call(front, `${id}/2`, data.secret)).status).toBe(409);
  });

  it('may send anything but frames: it counts as lost', async () => {
    const { front, id, data, response } = await ask('noise', '/once');
    const first = await call(front, `${id}/1`, data.secret);
    first.request.write('GET / HTTP/1.1\r\n\r\n');
    expect((await response).status).toBe(503);
    await first.closed;
  });
});

describe('a job that has no worker which is heard', () => {
  const connect = () => {
    const connection = new Redis(redis().url, { maxRetriesPerRequest: null });
    onTestFinished(() => connection.disconnect());
    return connection;
  };

  it('is answered when it has failed in the queue', async () => {
    const { response } = await ask('failed');
    const worker = new Worker('failed', () => Promise.reject(new Error('no')), { connection: connect(), prefix: PREFIX });
    onTestFinished(() => worker.close());
    const answer = await response;
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      code: 'browser_unavailable',
      detail: expect.stringContaining('no worker of the cluster has reached this server') as string,
    });
  });

  it('is answered when it has failed although its worker is connected, whose connection is closed', async () => {
    const { front, id, data, response } = await ask('gone');
    const worker = await call(front, `${id}/1`, data.secret);
    const queue = new Queue('gone', { connection: connect(), prefix: PREFIX });
    onTestFinished(() => queue.close());
    await queue.remove(id);
    expect((await response).status).toBe(503);
    await worker.closed;
  });

  it('waits until its timeout when it was taken from a silent worker', async () => {
    const { front, id, data, response } = await ask('silent', '/', '&timeout=2');
    // The queue still has it, as after a lock that has expired.
    const worker = await call(front, `${id}/1`, data.secret);
    expect(await (await response).json()).toMatchObject({ code: 'render_timeout', phase: 'queue' });
    await worker.closed;
  });

  it('is answered soon when workers reach another server by the address of its front', async () => {
    const other = await join('front', 'other');
    const front = await join('front', 'astray', { flags: { 'cluster-address': other.url } });
    await join('worker', 'astray');
    const answer = await front.get('url=http://a.test/');
    expect([answer.status, await answer.json()]).toMatchObject([503, { detail: expect.stringContaining('--cluster-address') as string }]);
  });

  it.each([
    [403, /status 403: --cluster-address must lead to the front itself, whose --server-allowed-hosts must permit it/],
    [502, /status 502: --cluster-address/],
  ])('has a worker that reports a status %i of its front', async (status, message) => {
    const proxy = createServer((_, response) => response.writeHead(status).end()).listen(0, '127.0.0.1');
    onTestFinished(() => void proxy.close());
    await once(proxy, 'listening');
    const replyTo = `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`;
    const data = { params: {}, requestId: 'request', replyTo, secret: 'secret', cacheKey: 'key', protections: [] };
    await expect(callFront(data, 'id', 1)).rejects.toThrow(message);
  });

  it('is queued again when only the connection to its worker was lost, but not for ever', async () => {
    const { front, response, ...first } = await ask('cut');
    const queue = new Queue('cut', { connection: connect(), prefix: PREFIX });
    onTestFinished(() => queue.close());
    for (let job: Awaited<ReturnType<typeof readJob>> = first, attempt = 1; ; attempt += 1) {
      const worker = await call(front, `${job.id}/1`, job.data.secret);
      const lost = once(worker.request, 'close');
      worker.request.destroy();
      await lost;
      // As a worker does whose front has closed the connection.
      await queue.remove(job.id);
      if (attempt === 3) break;
      job = await readJob('cut');
    }
    const answer = await response;
    expect([answer.status, await answer.json()]).toMatchObject([503, { detail: expect.stringContaining('could not carry out') as string }]);
  });

  it('is queued again under another id when the queue has lost it', async () => {
    const { front, id, response } = await ask('forgotten');
    const connection = connect();
    await connection
      .multi()
      .del(`${PREFIX}:forgotten:${id}`, `${PREFIX}:forgotten:prioritized`)
      .call('CLIENT', 'KILL', 'TYPE', 'normal')
      .exec();
    const again = await readJob('forgotten');
    expect(again.id).not.toBe(id);
    const worker = await call(front, `${again.id}/1`, again.data.secret);
    send(worker, 'after all');
    expect(await (await response).text()).toBe('after all');
  });
});
