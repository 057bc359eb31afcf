import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { EgressEntry } from '../browser/contract.js';
import { createDialler, type DiallerOptions } from './dialler.js';
import { type Amend, serveConnection } from './forward.js';
import { createLedger } from './ledger.js';
import { createOwnListeners, type OwnListeners } from './own-listeners.js';

/** One render's way out: a forward proxy on a loopback port of its own, with the record of what went through it. */
export interface EgressListener extends AsyncDisposable {
  readonly port: number;
  readonly entries: readonly EgressEntry[];
}

export interface ListenOptions {
  /** What of a request over plain http is sent on in place of its header fields; default: they themselves. */
  readonly amend?: Amend;
}

/** Disposing it closes every listener that is still open. */
export interface Egress extends AsyncDisposable {
  open(options?: ListenOptions): Promise<EgressListener>;
}

/**
 * The only way in which a browser reaches the network: http in absolute form, everything else by CONNECT. The ways out themselves are
 * among the listeners that no page reaches.
 */
export function createEgress(options: DiallerOptions = {}, own: OwnListeners = createOwnListeners()): Egress {
  const listeners = new Set<EgressListener>();
  const dialling = { ...options, guards: [own.judge] };
  return {
    async open({ amend } = {}) {
      const listener = await openListener({ ...dialling, amend }, () => {
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
  { amend, ...options }: DiallerOptions & { readonly amend: Amend | undefined },
  closed: () => void,
): Promise<EgressListener> {
  // Names are pinned per listener: what one render learnt is no business of the next.
  const dialler = createDialler(options);
  const services = { dialler, ledger: createLedger(), amend };
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
    entries: services.ledger.entries,
    async [Symbol.asyncDispose]() {
      closed();
      dialler.close();
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
