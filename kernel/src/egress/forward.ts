import type { Socket } from 'node:net';
import { readHost } from './read-url.js';
import { DialError } from './dial-error.js';
import type { Dialer } from './dialer.js';
import type { Route } from './route.js';
import type { ConnectionLog } from './connection-log.js';
import { createRequestReader, RequestError, type RequestHead, valuesOf, writeRequestHead } from './read-requests.js';
import { createProxyAuthGuard, type ProxyAuthGuard } from './proxy-auth-guard.js';

/** A response of the proxy itself, after which the connection ends. */
const refusal = (status: string): string => `HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;

/** Other header fields for a request, or the same. */
export type HeaderRewriter = (fields: RequestHead['fields']) => RequestHead['fields'];

interface Services {
  readonly dialer: Dialer;
  readonly connectionLog: ConnectionLog;
  readonly rewriteHeaders: HeaderRewriter | undefined;
}

/**
 * Serves one of the browser's connections: plain http in absolute form, everything else by CONNECT. Requests are parsed strictly and
 * rewritten. Responses pass unchanged: browsers accept much that parsers reject (duplicate lengths, malformed fields, bare line feeds), and
 * decide themselves what to refuse. So each connection belongs to one site for its lifetime.
 */
export async function serveConnection(services: Services, client: Socket): Promise<void> {
  client.on('error', () => client.destroy());
  const requests = createRequestReader(client);
  let link: Link | undefined;
  try {
    for (let head = await requests.next(); head !== undefined; head = await requests.next()) {
      if (head.method === 'CONNECT' && link === undefined) {
        await openTunnel(services, { authority: head.target, client, head: await requests.release() });
        return;
      }
      const ask = parseAbsolute(head.target);
      if (ask === undefined) {
        client.end(refusal('400 Bad Request'));
        return;
      }
      // A response would look like the site's.
      if (isSpeculative(head)) break;
      link ??= await openLink(services, client, ask);
      // Another site, on a connection that was used before: the browser tries again on a fresh one.
      if (link?.host !== ask.host || link.port !== ask.port) break;
      link.watch.expect();
      await send(link.upstream, writeRequestHead({ ...head, fields: services.rewriteHeaders?.(head.fields) ?? head.fields }, ask.path));
      for await (const part of requests.body(head)) await send(link.upstream, part);
    }
    client.destroy();
  } catch (error) {
    if (error instanceof RequestError && link === undefined) client.end(refusal('400 Bad Request'));
    else client.destroy();
  }
}

/** A browser's connection and its upstream connection: each ends with the other. */
interface Link {
  readonly host: string;
  readonly port: number;
  readonly upstream: Socket;
  readonly watch: ProxyAuthGuard;
}

/** Undefined if no connection is possible. The browser's connection then ends without a response, which would look like the site's. */
async function openLink({ dialer, connectionLog }: Services, client: Socket, ask: Pick<Link, 'host' | 'port'>): Promise<Link | undefined> {
  let route: Route;
  let upstream: Socket;
  try {
    route = await dialer.route(ask.host, ask.port);
    upstream = await dialer.open(route);
  } catch (error) {
    connectionLog.refuse(ask, error);
    return undefined;
  }
  const watch = createProxyAuthGuard();
  connectionLog.track(route, upstream);
  if (client.destroyed) upstream.destroy();
  passAnswers(upstream, client, watch);
  return { host: ask.host, port: ask.port, upstream, watch };
}

/**
 * An upstream that closes while idle closes the browser's side too, so that the browser's own handling of stale connections (a retry on
 * a fresh one) works as if it were direct.
 */
function passAnswers(upstream: Socket, client: Socket, watch: ProxyAuthGuard): void {
  let connected = !upstream.connecting;
  upstream.once('connect', () => {
    connected = true;
  });
  upstream.on('data', (bytes: Buffer) => {
    if (watch.asksForProxyAuth(bytes)) client.destroy();
    else if (!client.write(bytes)) upstream.pause();
  });
  client.on('drain', () => upstream.resume());
  upstream.once('end', () => client.end());
  // A reset reaches the browser as a reset, not as an orderly end.
  upstream.once('error', () => (connected ? client.resetAndDestroy() : client.destroy()));
  upstream.once('close', () => {
    client.destroySoon();
  });
  client.once('close', () => upstream.destroy());
}

/** Resolves once more data may be sent, or the connection has closed. */
async function send(socket: Socket, bytes: Buffer): Promise<void> {
  if (socket.destroyed || socket.write(bytes)) return;
  await new Promise<void>((resolve) => {
    const settle = (): void => {
      socket.off('drain', settle).off('close', settle);
      resolve();
    };
    socket.on('drain', settle).on('close', settle);
  });
}

/**
 * Speculation rules fetch pages that the render never visits, and interception does not see these requests. Browsers mark them with fields
 * that pages cannot set, unlike `Purpose`. A `<link rel=prefetch>` is no navigation: the page may use what it fetches.
 */
function isSpeculative({ fields }: RequestHead): boolean {
  const purposes = valuesOf(fields, 'sec-purpose').join();
  if (!/\bprefetch\b/i.test(purposes)) return false;
  const isNavigation = valuesOf(fields, 'sec-fetch-mode').includes('navigate') || /\bprerender\b/i.test(purposes);
  return isNavigation || valuesOf(fields, 'sec-speculation-tags').length > 0;
}

/** `http://host[:port][/path]`, with the path unchanged. Whether the host exists cannot be decided by its spelling. */
function parseAbsolute(url: string): { readonly host: string; readonly port: number; readonly path: string } | undefined {
  const match = /^http:\/\/[^/?#]+((?:[/?][^#]*)?)$/i.exec(url);
  const asked = match ? readHost(url) : undefined;
  const path = match?.[1] ?? '';
  return asked && { ...asked, path: path.startsWith('/') ? path : `/${path}` };
}

interface Call {
  /** `host:port`, as requested. */
  readonly authority: string;
  readonly client: Socket;
  /** Bytes that the browser sent directly after its request. */
  readonly head: Buffer;
}

/** Handles CONNECT (RFC 9110, 9.3.6), which carries https, wss and ws, to any port. */
async function openTunnel(
  services: { readonly dialer: Dialer; readonly connectionLog: ConnectionLog },
  { authority, client, head }: Call,
): Promise<void> {
  const ask = parseAuthority(authority);
  if (!ask) {
    client.end(refusal('400 Bad Request'));
    return;
  }
  try {
    // Also of `ws:`, which the browser sends like `wss:`.
    const route = await services.dialer.route(ask.host, ask.port, { secure: ask.port !== 80 });
    if (isGone(client)) return;
    const upstream = await services.dialer.open(route);
    services.connectionLog.track(route, upstream);
    // The client may have gone meanwhile.
    if (isGone(client)) upstream.destroy();
    else join(client, upstream, head);
  } catch (error) {
    services.connectionLog.refuse(ask, error);
    client.end(refusal(error instanceof DialError && error.outcome === 'blocked' ? '403 Forbidden' : '502 Bad Gateway'));
  }
}

function isGone({ destroyed }: Socket): boolean {
  return destroyed;
}

function join(client: Socket, upstream: Socket, head: Buffer): void {
  const refuse = (): void => {
    client.end(refusal('502 Bad Gateway'));
  };
  const begin = (): void => {
    upstream.off('error', refuse);
    // A reset reaches the browser as a reset, not as an orderly end.
    upstream.once('error', () => client.resetAndDestroy());
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) upstream.write(head);
    client.pipe(upstream).pipe(client);
  };
  upstream.once('error', refuse);
  if (upstream.connecting) upstream.once('connect', begin);
  else begin();
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
