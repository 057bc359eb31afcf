import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { connectionLimit, limitConnections } from '../../../server/src/http/limit-connections.js';

/** A server of at most three connections, whose path `/held` is answered when `release` is called. */
async function openServer() {
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/held') held.push(response);
    else response.end('ok');
  });
  limitConnections(3, (socket) => socket.end('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n'))(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    server,
    held,
    async ask(path: string, agent?: Agent): Promise<readonly [number | undefined, string]> {
      const [answer] = (await once(get({ port, path, agent }), 'response')) as [IncomingMessage];
      return [answer.statusCode, await text(answer)];
    },
    async idle(): Promise<Socket> {
      const accepted = once(server, 'connection');
      const socket = connect(port, '127.0.0.1')
        .on('error', () => undefined)
        .resume();
      onTestFinished(() => void socket.destroy());
      await accepted;
      return socket;
    },
  };
}

it('a kept connection outlasts any number of connections that never ask', async () => {
  const { ask, idle } = await openServer();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => {
    agent.destroy();
  });
  expect(await ask('/', agent)).toEqual([200, 'ok']);
  const [kept] = Object.values(agent.freeSockets).flat();
  const first = await idle();
  const ended = once(first, 'close');
  for (let count = 0; count < 5; count += 1) await idle();
  await ended;
  expect(await ask('/', agent)).toEqual([200, 'ok']);
  expect(Object.values(agent.freeSockets).flat()).toEqual([kept]);
});

it('the one that has been idle longest makes room where all have asked', async () => {
  const { ask } = await openServer();
  const agents = Array.from({ length: 4 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  onTestFinished(() => {
    for (const agent of agents) agent.destroy();
  });
  const kept = () => agents.map((agent) => Object.values(agent.freeSockets).flat().length);
  for (const agent of agents.slice(0, 3)) await ask('/', agent);
  await ask('/', agents[0]);
  await ask('/', agents[3]);
  await expect.poll(kept).toEqual([1, 0, 1, 1]);
});

it('requests in progress keep their connections: a new one is refused', async () => {
  const { server, held, ask } = await openServer();
  const asking = Array.from({ length: 3 }, () => ask('/held'));
  while (held.length < 3) await once(server, 'request');
  expect(await ask('/')).toEqual([503, '']);
  for (const response of held) response.end('late');
  expect(await Promise.all(asking)).toEqual(Array(3).fill([200, 'late']));
  expect(await ask('/')).toEqual([200, 'ok']);
});

it('the limit is a share of the open files of the process', () => {
  expect(connectionLimit()).toBeGreaterThanOrEqual(16);
});
