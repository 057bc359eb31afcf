import type { Socket } from 'node:net';
import { DialError, type Dialer } from './dialer.js';
import type { ConnectionLog } from './connection-log.js';

/** A response of the proxy itself, after which the connection ends. */
export const refusal = (status: string): string => `HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;

interface Call {
  /** `host:port`, as requested. */
  readonly authority: string;
  readonly client: Socket;
  /** Bytes that the browser sent directly after its request. */
  readonly head: Buffer;
}

/** Handles CONNECT (RFC 9110, 9.3.6), which carries https, wss and ws, to any port. */
export async function openTunnel(
  services: { readonly dialer: Dialer; readonly connectionLog: ConnectionLog },
  { authority, client, head }: Call,
): Promise<void> {
  const ask = parseAuthority(authority);
  if (!ask) {
    client.end(refusal('400 Bad Request'));
    return;
  }
  try {
    const route = await services.dialer.route(ask.host, ask.port);
    if (client.destroyed) return;
    const upstream = services.dialer.connect(route);
    services.connectionLog.track(route, upstream);
    join(client, upstream, head);
  } catch (error) {
    services.connectionLog.refuse(ask, error);
    client.end(refusal(error instanceof DialError && error.outcome === 'blocked' ? '403 Forbidden' : '502 Bad Gateway'));
  }
}

function join(client: Socket, upstream: Socket, head: Buffer): void {
  const refuse = (): void => {
    client.end(refusal('502 Bad Gateway'));
  };
  upstream.once('error', refuse);
  upstream.once('connect', () => {
    upstream.off('error', refuse);
    // A reset reaches the browser as a reset, not as an orderly end.
    upstream.once('error', () => client.resetAndDestroy());
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) upstream.write(head);
    client.pipe(upstream).pipe(client);
  });
  upstream.once('close', () => {
    client.destroySoon();
  });
  client.once('close', () => upstream.destroy());
}

/** `host:port`, IPv6 in brackets. */
export function parseAuthority(authority: string): { readonly host: string; readonly port: number } | undefined {
  const match = /^(?:\[([\da-f:.]+)\]|([^:[\]/?#@\s]+)):(\d{1,5})$/i.exec(authority);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  return host !== undefined && port >= 1 && port <= 65_535 ? { host: host.toLowerCase(), port } : undefined;
}
