import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { callFront, type FrontConnection } from '../../../../plugins/service/cluster/src/call-front.js';

interface Front {
  readonly server: Server;
  /** Opened so far. */
  readonly sockets: readonly Socket[];
  call(): Promise<FrontConnection | undefined>;
}

/** Accepts every job, and takes all of it. */
async function openFront(accept: (request: IncomingMessage, response: ServerResponse) => void = take): Promise<Front> {
  const sockets: Socket[] = [];
  const server = createServer(accept).listen(0, '127.0.0.1');
  server.on('connection', (socket) => sockets.push(socket));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  const replyTo = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const data = { params: {}, requestId: 'request', replyTo, secret: 'secret', cacheKey: 'key', protections: [] };
  return { server, sockets, call: () => callFront(data, 'id', 1) };
}

function take(request: IncomingMessage, response: ServerResponse): void {
  response.flushHeaders();
  request.resume().on('end', () => response.end());
}

async function deliver(front: FrontConnection | undefined): Promise<void> {
  front?.request.end('a result');
  await front?.finished();
  front?.close();
}

it('a worker keeps its connection for its next job', async () => {
  const { sockets, call } = await openFront();
  for (let job = 0; job < 3; job += 1) await deliver(await call());
  expect(sockets).toHaveLength(1);
});

it('two jobs at once have a connection each', async () => {
  const { sockets, call } = await openFront();
  const both = await Promise.all([call(), call()]);
  await Promise.all(both.map(deliver));
  expect(sockets).toHaveLength(2);
});

it('a job that the front gives up has its connection closed, and the next one has another', async () => {
  const { sockets, call } = await openFront();
  await deliver(await call());
  const front = await call();
  const gone = front?.finished();
  sockets[0]?.destroy();
  await gone;
  expect(front?.signal.aborted).toBe(true);
  await deliver(await call());
  expect(sockets).toHaveLength(2);
});

it('a worker calls again when the front closes a kept connection just as it is used', async () => {
  const seen = new Set<Socket>();
  const { sockets, call } = await openFront((request, response) => {
    if (seen.has(request.socket)) request.socket.destroy();
    else take(request, response);
    seen.add(request.socket);
  });
  await deliver(await call());
  await deliver(await call());
  expect(sockets).toHaveLength(2);
});

it('a front that closes a new connection is called once', async () => {
  const { sockets, call } = await openFront(({ socket }) => socket.destroy());
  await expect(call()).rejects.toThrow('the front that waits for the job is unreachable');
  expect(sockets).toHaveLength(1);
});
