import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { RequestRecord } from '@platen/server';
import { afterEach, describe, expect, it } from 'vitest';
import { answerClientErrors } from '../../../server/src/http/client-errors.js';
import { createRequestState } from '../../../server/src/service/request-state.js';
import { createActiveRequests } from '../../../server/src/service/active-requests.js';
import { createLog } from '../../../server/src/log/create-log.js';
import { openSocket, parseAnswer, sendRaw } from '../raw-http.js';
import { openServer } from '../test-server.js';

describe('what does not arrive in time', () => {
  let server: Server;
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  async function send(half: string) {
    const records: RequestRecord[] = [];
    const open = createActiveRequests();
    server = createServer({ headersTimeout: 250, requestTimeout: 250, connectionsCheckingInterval: 5 }, (request, response) => {
      open.add(createRequestState('its own'), response);
      request.on('error', () => undefined);
    });
    answerClientErrors(server, { maxHeaderSize: 1024, open, onFinished: (record) => records.push(record) });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = openSocket((server.address() as AddressInfo).port);
    socket.write(half);
    return { ...parseAnswer(await text(socket)), records };
  }

  it.each([
    ['GET /status HTTP/1.1\r\nHost: ', 1],
    ['POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nx', 0],
  ])('is a 408, told of once: %j', async (half, told) => {
    const { status, headers, body, records } = await send(half);
    expect(status).toBe(408);
    expect(headers).toMatchObject({ 'content-type': 'application/problem+json', connection: 'close' });
    const problem = JSON.parse(body) as { instance: string };
    expect(problem).toMatchObject({ code: 'request_timeout', status: 408, retryable: false, instance: headers['x-request-id'] });
    // A request that is under way is told of by whoever answers it, under its id.
    expect(records).toHaveLength(told);
    expect(records[0]?.id ?? 'its own').toBe(problem.instance);
  });
});

describe('what is no request', () => {
  it.each([
    ['headers too long', `GET /?${'a'.repeat(300_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431, 'headers_too_large'],
    ['no HTTP', 'hello\r\n\r\n', 400, 'malformed_request'],
    ['CONNECT', 'CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n', 405, 'method_not_allowed'],
  ])('is counted and logged under the id of its answer: %s', async (_, sent, status, code) => {
    const lines: string[] = [];
    const log = createLog({ level: 'info', stream: { isTTY: false, write: (line: string) => lines.push(line) } });
    await using server = await openServer({ log });
    const answer = await sendRaw(server.port, sent);
    expect(answer.status).toBe(status);
    const id = answer.headers['x-request-id'];
    expect(server.records).toEqual([
      expect.objectContaining({ id, endpoint: 'other', status, code, bytes: Buffer.byteLength(answer.body) }),
    ]);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ request: id, endpoint: 'other', status, code, msg: 'refused' }),
    ]);
  });

  it('CONNECT keeps the id that the client gives', async () => {
    await using server = await openServer();
    await sendRaw(server.port, 'CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\nX-Request-Id: mine\r\n\r\n');
    expect(server.records.map(({ id }) => id)).toEqual(['mine']);
  });
});

describe('CONNECT behind a request', () => {
  const BOTH = 'GET /?url=http://a.test/ HTTP/1.1\r\nHost: localhost\r\n\r\nCONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n';

  it('is answered behind its answer', async () => {
    await using server = await openServer();
    const { status, body } = await sendRaw(server.port, BOTH);
    expect(status).toBe(200);
    expect(body).toMatch(/^a png.*HTTP\/1\.1 405 Method Not Allowed\r\n/s);
    expect(server.records.map((record) => record.status)).toEqual([200, 405]);
  });

  it('does not hide that the client leaves', async () => {
    const seen = new EventEmitter();
    const begun = once(seen, 'begun');
    await using server = await openServer({
      render: async (_, { signal }) => {
        if (signal === undefined) throw new Error('the server must pass a signal');
        seen.emit('begun');
        await once(signal, 'abort');
        throw signal.reason;
      },
    });
    const left = server.finished(({ code }) => code === 'client_closed');
    const socket = openSocket(server.port);
    socket.write(BOTH);
    await begun;
    socket.destroy();
    await left;
    expect(server.records).toHaveLength(1);
  });
});

it('an interrupted body is reported once, with its response', async () => {
  await using server = await openServer();
  const over = server.finished(() => true);
  const { status, body } = await sendRaw(
    server.port,
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  );
  expect(status).toBe(400);
  await over;
  const { instance } = JSON.parse(body) as { instance: string };
  expect(server.records).toEqual([expect.objectContaining({ id: instance, endpoint: 'POST /', status: 400, code: 'malformed_request' })]);
});
