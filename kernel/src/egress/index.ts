import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { DialError } from './dial-error.js';
import { createDialer, type Dialer, type DialerOptions } from './dialer.js';
import { type HeaderRewriter, serveConnection } from './forward.js';
import { createConnectionLog, type EgressEntry } from './connection-log.js';
import { createSelfListeners, type SelfListeners } from './self-listeners.js';

/** The egress proxy of one render: a forward proxy on its own loopback port, with a log of its connections. */
export interface EgressListener extends AsyncDisposable {
  readonly port: number;
  readonly entries: readonly EgressEntry[];
  /** Connections go through this proxy from now on. */
  useProxy(proxy: string): void;
  /** Every connection is refused from now on, before a name is looked up. */
  goOffline(): void;
}

export interface ListenOptions {
  /** Rewrites the header fields of plain http requests; default: unchanged. */
  readonly rewriteHeaders?: HeaderRewriter;
}

/** Disposing closes every open listener. */
export interface Egress extends AsyncDisposable {
  open(options?: ListenOptions): Promise<EgressListener>;
}

/**
 * The only way in which a browser reaches the network: http in absolute form, everything else by CONNECT. Pages cannot connect to the
 * proxies' own listeners.
 */
export function createEgress(options: DialerOptions = {}, own: SelfListeners = createSelfListeners()): Egress {
  const listeners = new Set<EgressListener>();
  const dialing = { ...options, guards: [own.filterAddress] };
  return {
    async open({ rewriteHeaders } = {}) {
      const listener = await openListener({ ...dialing, rewriteHeaders }, () => {
        listeners.delete(listener);
        own.delete(at);
      });
      const at = { address: '127.0.0.1', port: listener.port };
      listeners.add(listener);
      own.add(at);
      return listener;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...listeners].map((listener) => listener[Symbol.asyncDispose]()));
    },
  };
}

async function openListener(
  { rewriteHeaders, ...options }: DialerOptions & { readonly rewriteHeaders: HeaderRewriter | undefined },
  closed: () => void,
): Promise<EgressListener> {
  // Names are pinned per listener: renders do not share resolved names.
  let proxy: string | undefined;
  let isOffline = false;
  const online = createDialer({ ...options, proxy: () => proxy });
  const dialer: Dialer = {
    ...online,
    async route(...asked) {
      if (isOffline) throw new DialError('blocked', 'the render has no network');
      return online.route(...asked);
    },
  };
  const services = { dialer, connectionLog: createConnectionLog(), rewriteHeaders };
  // Idle browser connections are never timed out from here: the render's end is their end.
  const server = createServer({ allowHalfOpen: true, noDelay: true });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    void serveConnection(services, socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = closeOnce(server, sockets);
  return {
    port: portOf(server),
    entries: services.connectionLog.entries,
    useProxy(given) {
      proxy = given;
    },
    goOffline() {
      isOffline = true;
    },
    async [Symbol.asyncDispose]() {
      closed();
      dialer.close();
      await close();
    },
  };
}

/** Upstream connections end with the browser's, tunnels included, so ending these ends all. */
function closeOnce(server: Server, sockets: ReadonlySet<Socket>): () => Promise<void> {
  let closing: Promise<unknown> | undefined;
  return async () => {
    if (!closing) {
      closing = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
    }
    await closing;
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the listener has no port');
  return address.port;
}
