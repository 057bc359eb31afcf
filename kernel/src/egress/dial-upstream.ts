import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { codeOf, DialError } from './dial-error.js';
import type { Route } from './route.js';

/** How long a proxy may take to establish a connection: less than robots.txt may take to be fetched, so that its own error is reported. */
const PROXY_MS = 8_000;
/** Addresses of one name that a proxy is asked for. */
const MAX_ADDRESSES = 3;
const CONNECT_OPTIONS = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 500, noDelay: true } as const;

/** Asks for each of the addresses until the proxy has reached one. */
export async function connectThrough(
  { host, port, addresses, via }: Route & { readonly via: NonNullable<Route['via']> },
  { pending, trust }: { readonly pending: Set<Socket>; readonly trust: () => SecureContext | undefined },
): Promise<Socket> {
  const hosts = addresses.length === 0 ? [host] : addresses.slice(0, MAX_ADDRESSES).map(({ address }) => address);
  let last = new DialError('unresolved', 'ENODATA');
  for (const each of hosts) {
    const socket = via.upstream.secure ? dialTls(via.route, trust()) : dial(via.route);
    pending.add(socket);
    const timer = setTimeout(() => socket.destroy(new Error(`it did not respond within ${String(PROXY_MS / 1000)} seconds`)), PROXY_MS);
    try {
      await once(
        socket.on('error', () => undefined),
        via.upstream.secure ? 'secureConnect' : 'connect',
      );
      return (await via.upstream.open(socket, { host: each, port })).resume();
    } catch (error) {
      socket.destroy();
      last = proxyError(socket.errored ?? error);
      if (last.outcome !== 'failed') throw last;
    } finally {
      clearTimeout(timer);
      pending.delete(socket);
    }
  }
  throw last;
}

/** An error on the way to a proxy, or of the proxy. */
export function proxyError(error: unknown): DialError {
  if (error instanceof DialError && (error.outcome === 'proxy' || error.outcome === 'failed')) return error;
  const isBlocked = error instanceof DialError && error.outcome === 'blocked';
  const { address } = isBlocked ? error : {};
  const reason = isBlocked ? `the proxy may not be used: ${error.message}` : `the proxy does not accept connections: ${codeOf(error)}`;
  return new DialError(isBlocked ? 'blocked' : 'proxy', reason, { ...(address !== undefined && { address }), cause: error });
}

export function dial({ host, port, lookup }: Route): Socket {
  return connect({ host, port, lookup, allowHalfOpen: true, ...CONNECT_OPTIONS });
}

function dialTls({ host, port, lookup }: Route, secureContext: SecureContext | undefined): Socket {
  const trust = secureContext === undefined ? {} : { secureContext };
  const name = isIP(host) === 0 ? { servername: host } : {};
  return connectTls({ host, port, lookup, ...name, ...trust, ...CONNECT_OPTIONS });
}

const trusted = new WeakMap<readonly string[], SecureContext>();

/** With these authorities besides Node's own: it takes some milliseconds. Undefined: Node's own. */
export function trustIn(authorities: readonly string[]): SecureContext | undefined {
  if (authorities.length === 0) return undefined;
  const known = trusted.get(authorities) ?? createSecureContext({ ca: [...rootCertificates, ...authorities] });
  trusted.set(authorities, known);
  return known;
}
