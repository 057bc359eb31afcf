import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import type { SelfListener } from '@platen/kernel';
import type { ExtraListener } from '../service/hooks.js';
import { bind, toBindAddress, type BindAddress } from './bind.js';
import { REQUEST_TIMEOUT_MS } from './meter-body.js';
import { answerClientErrors, type ClientErrorOptions, refuseConnection } from './client-errors.js';
import { connectionLimit, limitConnections } from './limit-connections.js';

/** Enough for a page in a `data:` URL on GET. */
const MAX_HEADER_SIZE = 256 * 1024;
const HEADERS_TIMEOUT_MS = 15_000;
const CHECK_INTERVAL_MS = 5_000;

/** The address of a listener. */
export interface Bound {
  /** The host of its bind address, as configured; empty for a Unix socket. */
  readonly host: string;
  /** Whether it is bound to a loopback address. A Unix socket is not: no browser reaches it without a proxy. */
  readonly isLoopback: boolean;
}

/** The addresses of the application: its main listener, and listeners for paths that are not public. */
export interface Listeners {
  /** Opens the main listener; resolves with its URL, or `unix:PATH`. */
  listen(address: BindAddress): Promise<string>;
  /** Opens another listener, which takes over its paths from the main listener. */
  add(listener: ExtraListener): Promise<string>;
  /** Whether the path is served by the listener of the request. */
  answers(request: IncomingMessage, path: string): boolean;
  /** The listener of the request. */
  boundOf(request: IncomingMessage): Bound;
  /** Stops listening, and ends connections that are still open. */
  close(): Promise<void>;
}

export interface ListenersOptions extends Omit<ClientErrorOptions, 'maxHeaderSize'> {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  readonly bodyLimit: number;
  /** Called for each listener that other programs reach by an address and a port. */
  onBound(listener: SelfListener): void;
}

export function createListeners(options: ListenersOptions): Listeners {
  const servers: HttpServer[] = [];
  const arrivals = new WeakMap<IncomingMessage, Arrival>();
  const elsewhere = new Set<string>();
  const most = connectionLimit();
  const limit = most === undefined ? undefined : limitConnections(most, (socket) => refuseConnection(socket, options));

  const open = async (address: BindAddress, paths?: readonly string[]) => {
    const arrival = { paths, host: 'host' in address ? address.host : '', isLoopback: true };
    const server = createListener(options, (request) => {
      arrivals.set(request, arrival);
    });
    limit?.(server);
    // A name in the configuration may resolve to any address: the address counts.
    server.once('listening', () => {
      arrival.isLoopback = isLoopbackAddress(server);
    });
    const isOurs = servers.some((other) => hasPort(other, address));
    servers.push(server);
    const url = await bind(server, address, isOurs ? 'another listener of this server uses that port' : undefined);
    const bound = server.address();
    if (bound !== null && typeof bound !== 'string') options.onBound(bound);
    return url;
  };

  return {
    listen: (address) => open(address),
    async add({ address, port, paths }) {
      const url = await open(toBindAddress(address, port), paths);
      for (const path of paths) elsewhere.add(path);
      return url;
    },
    answers(request, path) {
      const own = arrivals.get(request)?.paths;
      return own === undefined ? !elsewhere.has(path) : own.includes(path);
    },
    boundOf: (request) => arrivals.get(request) ?? { host: '', isLoopback: true },
    async close() {
      await Promise.all(servers.map(stopListening));
    },
  };
}

/** The listener of a request. */
interface Arrival extends Bound {
  /** The paths that only this listener serves. */
  readonly paths: readonly string[] | undefined;
}

function isLoopbackAddress(server: HttpServer): boolean {
  const bound = server.address();
  return bound !== null && typeof bound !== 'string' && /^(?:::ffff:)?127\.|^::1$/.test(bound.address);
}

function hasPort(server: HttpServer, address: BindAddress): boolean {
  const bound = server.address();
  return bound !== null && typeof bound !== 'string' && 'port' in address && bound.port === address.port;
}

function createListener({ handle, bodyLimit, open, onFinished }: ListenersOptions, note: (request: IncomingMessage) => void): HttpServer {
  const options = {
    maxHeaderSize: MAX_HEADER_SIZE,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    // Node's own rejection has no body: `assertRequest` checks the header.
    requireHostHeader: false,
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    note(request);
    void handle(request, response);
  };
  const server = createHttpServer(options, listener);
  // A client that sends `Expect: 100-continue` must not get 100 for a body that would be rejected anyway.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (!(Number(request.headers['content-length']) > bodyLimit)) response.writeContinue();
    listener(request, response);
  });
  server.on('checkExpectation', listener);
  answerClientErrors(server, { maxHeaderSize: MAX_HEADER_SIZE, open, onFinished });
  return server;
}

async function stopListening(server: HttpServer): Promise<void> {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
