import type { Server } from 'node:http';
import { randomUUID } from 'node:crypto';
import { PlatenError } from '@platen/kernel';
import { problemHeaders, toProblem } from './problem.js';

/** What never becomes a request, because Node's parser refuses it, is answered with a problem document as well. */
export function answerClientErrors(server: Server, maxHeaderSize: number): void {
  server.on('clientError', (error, socket) => {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const problem = toClientError('code' in error ? error.code : undefined, maxHeaderSize);
    const body = JSON.stringify(toProblem(problem, randomUUID()));
    const headers = {
      ...problemHeaders(problem),
      'X-Content-Type-Options': 'nosniff',
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${String(problem.status)} ${REASONS[problem.status] ?? 'Error'}\r\n${lines.join('')}\r\n${body}`);
  });
}

const REASONS: Readonly<Record<number, string>> = { 400: 'Bad Request', 408: 'Request Timeout', 431: 'Request Header Fields Too Large' };

function toClientError(code: unknown, maxHeaderSize: number): PlatenError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new PlatenError(
        'headers_too_large',
        `the request line and headers are larger than ${String(maxHeaderSize)} bytes: send the parameters as the body of POST /`,
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new PlatenError('request_timeout', 'the request did not arrive in time');
    default:
      return new PlatenError('malformed_request', 'this is not HTTP/1.1');
  }
}
