import { createServer as createHttpServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { PlatenError, type Kernel, type Logger } from '@platen/kernel';
import { assetFolders } from '../assets/asset-folder.js';
import { DiskStore } from '../assets/disk-store.js';
import { createServerHooks, type ServerHooks } from '../service/hooks.js';
import { createServerApi } from '../service/server-api.js';
import { logRequests } from '../log/log-requests.js';
import { createApp } from './app.js';
import { limitOfBody } from './body-limit.js';
import { bind, isLoopback, toBindAddress } from './bind.js';
import { answerClientErrors } from './client-errors.js';
import { createOpenExchanges } from './open-exchanges.js';

/** Long enough for a page in a `data:` URL on GET. */
const MAX_HEADER_SIZE = 256 * 1024;
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 300_000;
const CHECK_INTERVAL_MS = 5_000;
/** All additional assets together. */
const MAX_ASSET_BYTES = 4 * 1024 ** 3;
const ASSET_LIFETIME_S = 3600;
/** How long answers of aborted renders may take to leave. */
const ABORT_GRACE_MS = 2_000;

export interface ServerOptions {
  readonly kernel: Kernel;
  /** Values of start-up flags, by flag name without dashes in front. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly log: Logger;
  /** Where additional assets lie, in order of preference; the user's cache folder unless given. */
  readonly assetFolders?: readonly string[];
}

export interface Server {
  readonly hooks: ServerHooks;
  /** Binds; resolves with a URL, or `unix:PATH`. */
  listen(): Promise<string>;
  /**
   * Refuses new renders, lets those under way end within the grace, aborts the others, and stops listening. The kernel is its
   * owner's to close.
   */
  close(graceMs: number): Promise<void>;
}

/** The HTTP server. Plugins have been handed its hooks when this returns. */
export function createServer({ kernel, flags, log, assetFolders: folders = assetFolders(process.env) }: ServerOptions): Server {
  const hooks = createServerHooks();
  const open = createOpenExchanges();
  let draining = false;
  const bodyLimit = () => limitOfBody(kernel);
  logRequests(hooks, log);
  kernel.serve(createServerApi({ hooks, kernel, flags, bodyLimit }));
  const store = new DiskStore({ folders, lifetimeSeconds: lifetimeOf(flags), maxBytes: MAX_ASSET_BYTES, log });
  const app = createApp({ kernel, hooks, store, log, open, draining: () => draining, bodyLimit });
  const server = createListener(app.callback(), bodyLimit);

  return {
    hooks,
    async listen() {
      const { 'server-bind-address': host, 'server-bind-port': port } = flags;
      const address = toBindAddress(typeof host === 'string' ? host : '127.0.0.1', typeof port === 'number' ? port : 3000);
      const url = await bind(server, address);
      await store.sweep();
      if (!isLoopback(address) && !hooks.authorize.isUsed()) {
        log.warn(
          { address: url },
          'other machines can reach this server and nobody is asked for credentials: they can read what this machine can reach',
        );
      }
      return url;
    },
    async close(graceMs) {
      draining = true;
      await open.idle(graceMs);
      open.abort(new PlatenError('draining', 'the server is shutting down'));
      await open.idle(ABORT_GRACE_MS);
      await stopListening(server);
      store.close();
    },
  };
}

function lifetimeOf({ 'server-additional-asset-expiration': seconds }: ServerOptions['flags']): number {
  return typeof seconds === 'number' ? seconds : ASSET_LIFETIME_S;
}

function createListener(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  bodyLimit: () => number,
): HttpServer {
  const options = {
    maxHeaderSize: MAX_HEADER_SIZE,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    // Node's own refusal has no body: `assertRequest` looks.
    requireHostHeader: false,
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    void handle(request, response);
  };
  const server = createHttpServer(options, listener);
  // A client that asks before it sends is not told to go on with what would be refused anyway.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (!(Number(request.headers['content-length']) > bodyLimit())) response.writeContinue();
    listener(request, response);
  });
  server.on('checkExpectation', listener);
  answerClientErrors(server, MAX_HEADER_SIZE);
  return server;
}

async function stopListening(server: HttpServer): Promise<void> {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
