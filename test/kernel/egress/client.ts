import { once } from 'node:events';
import { request, type Agent, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

export interface SentRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly agent?: Agent;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends an absolute-form request through the proxy, as a browser does. */
export function ask(port: number, url: string, { method = 'GET', headers = {}, agent }: SentRequest = {}): ClientRequest {
  return request({
    host: '127.0.0.1',
    port,
    path: url,
    method,
    headers: { host: new URL(url).host, 'proxy-connection': 'keep-alive', ...headers },
    ...(agent ? { agent } : { agent: false }),
  });
}

export async function get(port: number, url: string, options: SentRequest = {}): Promise<Answer> {
  const outgoing = ask(port, url, options);
  outgoing.end(options.body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: await text(incoming) };
}

/** Asks for a tunnel; the socket is the tunnel where the status is 200. */
export async function tunnel(port: number, authority: string): Promise<{ readonly status: number; readonly socket: Socket }> {
  const outgoing = request({ host: '127.0.0.1', port, method: 'CONNECT', path: authority, agent: false });
  outgoing.end();
  const [incoming, socket, head] = (await once(outgoing, 'connect')) as [IncomingMessage, Socket, Buffer];
  if (head.length > 0) socket.unshift(head);
  return { status: incoming.statusCode ?? 0, socket };
}

export interface RawServer extends AsyncDisposable {
  readonly port: number;
  readonly sockets: ReadonlySet<Socket>;
}

/** A TCP server that hands each connection to the test. */
export async function openRawServer(onSocket: (socket: Socket) => void, host = '127.0.0.1'): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    onSocket(socket);
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Sends bytes to a port as they are and returns everything that comes back. */
export async function exchangeBytes(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

/** A promise and what resolves it. */
export function createLatch(): { readonly reached: Promise<void>; reach(): void } {
  let reach = (): void => undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return {
    reached,
    reach: () => {
      reach();
    },
  };
}

/** A request as a browser writes it to its proxy. */
export const getOf = ({ port }: { readonly port: number }, ...fields: readonly string[]) =>
  [`GET http://127.0.0.1:${String(port)}/ HTTP/1.1`, `Host: 127.0.0.1:${String(port)}`, ...fields, '', ''].join('\r\n');
