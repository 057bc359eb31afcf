import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { PlatenError } from '@platen/kernel';
import type { ActiveRequests } from '../service/active-requests.js';
import { problemHeaders, toProblem } from '../service/problem.js';
import type { ReportFinished } from '../service/hooks.js';
import { clientClosed, createRequestState, type RequestState, toRecord } from '../service/request-state.js';
import { readTraceContext } from '../service/trace-context.js';
import { chooseRequestId, SECURITY_HEADERS } from './response-headers.js';

/**
 * A connection with more pending responses is closed: a client that sends without reading could make the server hold any number of
 * requests.
 */
const MAX_OWED = 100;

export interface ClientErrorOptions {
  /** Bytes. */
  readonly maxHeaderSize: number;
  readonly open: Pick<ActiveRequests, 'of'>;
  readonly onFinished: ReportFinished;
}

/**
 * Some requests never reach the application, because Node's parser rejects them or hands over the bare connection. They get a problem
 * document and are reported to observers like other requests.
 */
export function answerClientErrors(server: Server, { maxHeaderSize, open, onFinished }: ClientErrorOptions): void {
  const owed = trackResponses(server);
  const end = (socket: Duplex, state: RequestState, problem: PlatenError) => {
    endWithProblem(socket, state, problem);
    onFinished(toRecord(state, problem.status));
  };
  server.on('clientError', (error, socket) => {
    const answers = owed.of(socket);
    const last = answers.at(-1);
    const code: unknown = 'code' in error ? error.code : undefined;
    if (!socket.writable || code === 'ECONNRESET') {
      socket.destroy();
    } else if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && last !== undefined && open.of(last)?.isEndless === true) {
      // Reported once for each request: the connection goes on.
      return;
    } else if (last?.req.complete === true) {
      // Invalid bytes after a complete request: its response is still pending, and must not be interrupted by other bytes.
      last.once('close', () => socket.end());
    } else if (last === undefined || (answers.length === 1 && !last.headersSent)) {
      const problem = toClientError(error, maxHeaderSize);
      const state = last === undefined ? undefined : open.of(last);
      if (state === undefined) end(socket, createRequestState(randomUUID()), problem);
      else {
        // The code that responds to the request reports it, once it is closed. If the body is incomplete, the client has disconnected.
        if (code === 'HPE_INVALID_EOF_STATE') state.error ??= clientClosed();
        endWithProblem(socket, state, problem);
      }
    } else {
      socket.destroy();
    }
  });
  server.on('connect', (request, socket) => {
    socket.on('error', () => socket.destroy());
    const { 'x-request-id': ids = [], traceparent } = request.headersDistinct;
    const refuse = () => {
      if (socket.writable) end(socket, createRequestState(chooseRequestId(ids.join()), readTraceContext(traceparent)), noProxy(request));
    };
    const last = owed.of(socket).at(-1);
    if (last === undefined) refuse();
    else {
      // The response must wait for the pending responses. No other code reads this socket, so nothing else would notice that the client
      // disconnects.
      last.once('close', refuse);
      socket.once('end', () => socket.destroy()).resume();
    }
  });
}

/** Refuses a connection before its first request, with a problem document. */
export function refuseConnection(socket: Duplex, { onFinished }: Pick<ClientErrorOptions, 'onFinished'>): void {
  socket.on('error', () => socket.destroy());
  const state = createRequestState(randomUUID());
  const problem = new PlatenError('overloaded', 'the server has as many connections as it can hold');
  endWithProblem(socket, state, problem);
  onFinished(toRecord(state, problem.status));
}

/** Writes the whole response by hand: there is no response object. */
function endWithProblem(socket: Duplex, state: RequestState, problem: PlatenError): void {
  const { id } = state;
  const body = JSON.stringify(toProblem(problem, id));
  state.error ??= problem;
  state.bytes = Buffer.byteLength(body);
  const headers = {
    ...problemHeaders(problem),
    ...SECURITY_HEADERS,
    'X-Request-Id': id,
    'Content-Length': String(state.bytes),
    Date: new Date().toUTCString(),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${String(problem.status)} ${REASONS[problem.status] ?? 'Error'}\r\n${lines.join('')}\r\n${body}`);
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
  503: 'Service Unavailable',
};

function toClientError(error: Error, maxHeaderSize: number): PlatenError {
  switch ('code' in error ? error.code : undefined) {
    case 'HPE_HEADER_OVERFLOW':
      return new PlatenError(
        'headers_too_large',
        `the request line and headers are larger than ${String(maxHeaderSize)} bytes: send the parameters as the body of POST /`,
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new PlatenError('request_timeout', 'the request did not arrive in time');
    default:
      return new PlatenError('malformed_request', `this is not HTTP/1.1${'reason' in error ? `: ${String(error.reason)}` : ''}`);
  }
}

function noProxy({ method = 'CONNECT' }: IncomingMessage): PlatenError {
  return new PlatenError('method_not_allowed', `this server is not a proxy: it does not support ${method}`, {
    allow: ['DELETE', 'GET', 'HEAD', 'POST'],
  });
}

/** The pending responses of each connection, oldest first. */
interface PipelinedResponses {
  of(socket: Duplex): readonly ServerResponse[];
}

/**
 * Tracks every request of the server. When a connection breaks, Node closes only the response that is being written. Responses to pipelined
 * requests wait behind it without a socket; they are closed here, so that listeners learn that the client has disconnected.
 */
function trackResponses(server: Server): PipelinedResponses {
  const owed = new WeakMap<Duplex, Set<ServerResponse>>();
  const answersOf = (socket: Duplex) => {
    const known = owed.get(socket);
    if (known !== undefined) return known;
    const answers = new Set<ServerResponse>();
    owed.set(socket, answers);
    // One listener per connection, however many requests it sends.
    socket.once('close', () => {
      for (const answer of answers) if (answer.socket === null) closeUnsent(answer);
    });
    return answers;
  };
  const follow = ({ socket }: IncomingMessage, response: ServerResponse) => {
    const answers = answersOf(socket).add(response);
    response.once('close', () => answers.delete(response));
    if (answers.size > MAX_OWED) socket.destroy();
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) server.on(event, follow);
  return { of: (socket) => [...(owed.get(socket) ?? [])] };
}

/** `destroy` alone emits no event if there is no socket. */
function closeUnsent(answer: ServerResponse): void {
  answer.destroy();
  answer.emit('close');
}
