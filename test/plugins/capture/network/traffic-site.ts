import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { WebSocketServer } from 'ws';

export interface TrafficSite extends AsyncDisposable {
  readonly port: number;
  url(path: string, host?: string): string;
  /** Bodies that were posted, by path. */
  readonly posted: ReadonlyMap<string, Buffer>;
  /** Resolves when that path is asked for, with its open answer. */
  asked(path: string): Promise<ServerResponse>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Plain pages by path, over a base of answers that have something peculiar about them. */
export async function openTrafficSite(pages: Readonly<Record<string, string | Handler>> = {}): Promise<TrafficSite> {
  const posted = new Map<string, Buffer>();
  const asked = new Map<string, PromiseWithResolversLike<ServerResponse>>();
  const askedOf = (path: string) => {
    const known = asked.get(path) ?? withResolvers<ServerResponse>();
    asked.set(path, known);
    return known;
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    askedOf(pathname).resolve(response);
    const page = pages[pathname] ?? PECULIAR[pathname];
    if (request.method === 'POST') {
      void buffer(request).then((body) => {
        posted.set(pathname, body);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
      });
    } else if (typeof page === 'function') page(request, response);
    else if (page === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('not here');
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  });
  const sockets = new WebSocketServer({ server, path: '/socket' });
  sockets.on('connection', (socket) => {
    socket.on('message', (data, isBinary) => {
      socket.send(data, { binary: isBinary });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    posted,
    asked: (path) => askedOf(path).promise,
    url: (path, host = '127.0.0.1') => `http://${host}:${String(port)}${path}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export const TEXT = 'Zürich '.repeat(500);

/** Bytes that are no UTF-8. */
export const BINARY = Buffer.from([0, 255, 254, 128, 10, 13, 65]);

const PECULIAR: Readonly<Record<string, Handler>> = {
  '/first': (_request, response) =>
    response
      .writeHead(302, ['Location', '/second', 'X-CaSe', 'Kept', 'Set-Cookie', 'a=1; Path=/; HttpOnly', 'Set-Cookie', 'b=2; SameSite=Lax'])
      .end(),
  '/second': (_request, response) => response.writeHead(301, { location: '/landed' }).end('gone'),
  '/landed': (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<title>landed</title>'),
  '/gzip': (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'content-encoding': 'gzip' }).end(gzipSync(TEXT)),
  '/brotli': (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'content-encoding': 'br' }).end(brotliCompressSync(TEXT)),
  '/etag': (request, response) => {
    const known = request.headers['if-none-match'] === '"one"';
    response
      .writeHead(known ? 304 : 200, { etag: '"one"', 'cache-control': 'no-cache', 'content-type': 'text/plain' })
      .end(known ? '' : 'tagged');
  },
  '/kept': (_request, response) => response.writeHead(200, { 'cache-control': 'max-age=3600', 'content-type': 'text/plain' }).end('kept'),
  '/binary': (_request, response) => response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(BINARY),
  '/latin1': (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' }).end(Buffer.from('é', 'latin1')),
  '/nothing': (_request, response) => response.writeHead(204).end(),
  '/events': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: one\n\n');
  },
  '/never': () => undefined,
  '/json': (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"n":1}'),
};

interface PromiseWithResolversLike<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
}

function withResolvers<T>(): PromiseWithResolversLike<T> {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((onResolve) => {
    resolve = onResolve;
  });
  return { promise, resolve };
}
