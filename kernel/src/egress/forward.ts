import { Agent, request as send, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { CONNECT_OPTIONS, type Dialler, type Route } from './dialler.js';
import { printable, requestHeaders, responseHeaders } from './headers.js';
import type { Ledger } from './ledger.js';

/** Chromium's own limit for an answer's header block. */
const MAX_RESPONSE_HEADERS = 256 * 1024;

/**
 * A browser's connection and the upstream ones made for it. They end together: an upstream that closes while idle closes the
 * browser's side too, so the browser's own handling of stale connections (retry on a fresh one) works as if it were direct.
 */
interface Pair {
  readonly agent: Agent;
  active: number;
}

/** Answers plain http in absolute form. What cannot be had ends the browser's connection: an answer would pass for the site's. */
export function createForwarder({ dialler, ledger }: { readonly dialler: Dialler; readonly ledger: Ledger }) {
  const pairs = new WeakMap<Socket, Pair>();
  const pairOf = (client: Socket): Pair => {
    const known = pairs.get(client);
    if (known) return known;
    const pair = { agent: new Agent({ keepAlive: true }), active: 0 };
    pairs.set(client, pair);
    client.once('close', () => {
      pair.agent.destroy();
    });
    return pair;
  };
  return async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const ask = parseAbsolute(request.url ?? '');
    if (!ask) {
      refuse(response, 400);
      return;
    }
    if (isSpeculative(request)) {
      refuse(response, 403);
      return;
    }
    const client = request.socket;
    try {
      const route = await dialler.route(ask.host, ask.port);
      if (!client.destroyed) exchange({ request, response, route, path: ask.path, pair: pairOf(client), ledger });
    } catch (error) {
      ledger.refuse(ask, error);
      client.destroy();
    }
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: Route;
  readonly path: string;
  readonly pair: Pair;
  readonly ledger: Ledger;
}

function exchange({ request, response, route, path, pair, ledger }: Exchange): void {
  const client = request.socket;
  const upstream = send({
    agent: pair.agent,
    host: route.host,
    port: route.port,
    lookup: route.lookup,
    ...CONNECT_OPTIONS,
    method: request.method ?? 'GET',
    path,
    headers: requestHeaders(request),
    setHost: false,
    // As forgiving as browsers are; what it lets through is rebuilt before it goes on.
    insecureHTTPParser: true,
    maxHeaderSize: MAX_RESPONSE_HEADERS,
  });
  pair.active += 1;
  upstream.once('socket', (socket: Socket) => {
    if (upstream.reusedSocket) return;
    ledger.track(route, socket);
    socket.once('close', () => {
      if (pair.active === 0) client.destroySoon();
    });
  });
  let answered = false;
  upstream.once('response', (incoming) => {
    answered = true;
    answer(incoming, request, response);
  });
  upstream.on('error', () => {
    if (!answered) client.destroy();
  });
  response.once('close', () => {
    pair.active -= 1;
    stop(upstream, response);
  });
  request.pipe(upstream);
}

function answer(incoming: IncomingMessage, request: IncomingMessage, response: ServerResponse): void {
  response.sendDate = false;
  try {
    response.writeHead(incoming.statusCode ?? 502, printable(incoming.statusMessage ?? ''), responseHeaders(incoming));
  } catch {
    request.socket.destroy();
    return;
  }
  // Headers go out before the first byte of the body, which event streams keep back for long. Node's flushHeaders would write them
  // as UTF-8; an empty buffer makes it keep their bytes.
  response.write(Buffer.alloc(0));
  pipeline(incoming, response, () => {
    // An upload that its server did not want to the end.
    request.unpipe();
    request.resume();
  });
}

/** The browser has gone away in the middle. */
function stop(upstream: ClientRequest, response: ServerResponse): void {
  if (!response.writableFinished) upstream.destroy();
}

/** Speculation rules fetch behind every other control's back (no interception sees them), for pages that nobody will visit. */
function isSpeculative({ headers }: IncomingMessage): boolean {
  return [headers['sec-purpose'], headers.purpose].some((purpose) => /\bprefetch\b/i.test(String(purpose)));
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': 0 }).end();
}

/** `http://host[:port][/path]`, the path as it came. */
function parseAbsolute(url: string): { readonly host: string; readonly port: number; readonly path: string } | undefined {
  const match = /^http:\/\/([^/?#]+)([^#]*)$/i.exec(url);
  if (!match || !URL.canParse(`http://${match[1] ?? ''}/`)) return undefined;
  const { hostname, port } = new URL(`http://${match[1] ?? ''}/`);
  const rest = match[2] ?? '';
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80), path: rest.startsWith('/') ? rest : `/${rest}` };
}
