import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { answerClientErrors } from '../../../server/src/http/client-errors.js';
import { openSocket, parseAnswer } from '../raw-http.js';

let server: Server;
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

async function listen(): Promise<number> {
  server = createServer({ headersTimeout: 20, requestTimeout: 20, connectionsCheckingInterval: 5 });
  answerClientErrors(server, 1024);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

it.each(['GET /status HTTP/1.1\r\nHost: ', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nx'])(
  'what does not arrive in time is a 408: %j',
  async (half) => {
    const socket = openSocket(await listen());
    socket.write(half);
    const { status, headers, body } = parseAnswer(await text(socket));
    expect(status).toBe(408);
    expect(headers).toMatchObject({ 'content-type': 'application/problem+json', connection: 'close' });
    expect(JSON.parse(body)).toMatchObject({ code: 'request_timeout', status: 408, retryable: false });
  },
);
