import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import type { OwnListener } from '@platen/kernel';
import type { ExtraListener } from '../service/hooks.js';
import { bind, toBindAddress, type BindAddress } from './bind.js';
import { REQUEST_TIMEOUT_MS } from './request-time.js';
import { answerClientErrors, type ClientErrorOptions } from './client-errors.js';

/** Long enough for a page in a `data:` URL on GET. */
const MAX_HEADER_SIZE = 256 * 1024;
const HEADERS_TIMEOUT_MS = 15_000;
const CHECK_INTERVAL_MS = 5_000;

/** Where the application is reached: its main listener, and those for paths that are not for everybody. */
export interface Listeners {
  /** Opens the main listener; resolves with its URL, or `unix:PATH`. */
  listen(address: BindAddress): Promise<string>;
  /** Opens another one, which takes its paths away from the main one. */
  add(listener: ExtraListener): Promise<string>;
  /** Whether the path is answered where the request came in. */
  answers(request: IncomingMessage, path: string): boolean;
  /** Stops listening, and ends connections that are still open. */
  close(): Promise<void>;
}

export interface ListenersOptions extends Omit<ClientErrorOptions, 'maxHeaderSize'> {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  bodyLimit(): number;
  /** Told of each listener that other programs reach by an address and a port. */
  onBound(listener: OwnListener): void;
}

export function createListeners(options: ListenersOptions): Listeners {
  const servers: HttpServer[] = [];
  /** The paths that a listener has for itself, by the requests that came in there. */
  const reserved = new WeakMap<IncomingMessage, readonly string[]>();
  const elsewhere = new Set<string>();

  const open = async (address: BindAddress, paths?: readonly string[]) => {
    const server = createListener(options, (request) => {
      if (paths !== undefined) reserved.set(request, paths);
    });
    const isOurs = servers.some((other) => hasPort(other, address));
    servers.push(server);
    const url = await bind(server, address, isOurs ? 'another listener of this server has that port' : undefined);
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
      const own = reserved.get(request);
      return own === undefined ? !elsewhere.has(path) : own.includes(path);
    },
    async close() {
      await Promise.all(servers.map(stopListening));
    },
  };
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
    // Node's own refusal has no body: `assertRequest` looks.
    requireHostHeader: false,
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    note(request);
    void handle(request, response);
  };
  const server = createHttpServer(options, listener);
  // A client that asks before it sends is not told to go on with what would be refused anyway.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (!(Number(request.headers['content-length']) > bodyLimit())) response.writeContinue();
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
