import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../helpers/run-cli.js';

const SILENT = 500;
const SLOW = 500;

let server: RunningServer;
const sockets: Socket[] = [];
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await server[Symbol.asyncDispose]();
});

it('I11: a thousand connections that say nothing, or never end what they say, keep nobody from being answered', async () => {
  const { hostname, port } = new URL(server.url);
  const open = async (said: string): Promise<void> => {
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    if (said !== '') socket.write(said);
  };
  const unfinished = [
    'GET /status HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  ];
  await Promise.all([
    ...Array.from({ length: SILENT }, () => open('')),
    ...Array.from({ length: SLOW }, (_, index) => open(unfinished[index % unfinished.length] ?? '')),
  ]);
  const answer = await fetch(`${server.url}/status`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ status: 'ok', in_flight: 0 });
  expect(sockets.filter(({ destroyed }) => !destroyed)).toHaveLength(SILENT + SLOW);
});
