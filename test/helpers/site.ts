import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = string | Buffer | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string | Buffer };
type Route = Answer | ((request: IncomingMessage, response: ServerResponse) => Answer | undefined | Promise<Answer | undefined>);

export interface Site extends AsyncDisposable {
  /** Absolute URL of a path, on 127.0.0.1 unless another loopback host is named. */
  url(path: string, host?: string): string;
  readonly port: number;
  /** Every request seen, in order. */
  readonly requests: readonly { readonly method: string; readonly url: string; readonly headers: IncomingMessage['headers'] }[];
}

/** A site on a loopback port, a free one unless one is named. Keys are paths (without query); strings are HTML; a function may answer by itself. Unknown paths are 404; of these, `/robots.txt` is not noted. */
export async function openSite(routes: Readonly<Record<string, Route>>, { at = 0 }: { readonly at?: number } = {}): Promise<Site> {
  const requests: { method: string; url: string; headers: IncomingMessage['headers'] }[] = [];
  const listener: RequestListener = (request, response) => {
    // Asked for by Platen itself and not by the page, once in a while: no business of a test that counts requests.
    if (request.url === '/robots.txt' && !('/robots.txt' in routes)) {
      response.writeHead(404).end();
      return;
    }
    requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    answer(routes[new URL(request.url ?? '/', 'http://site').pathname], request, response).catch((error: unknown) => {
      // Told to whoever asked: the test then sees a status that it does not expect.
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end(String(error));
    });
  };
  const server = createServer(listener);
  server.listen(at, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    requests,
    url: (path, host = '127.0.0.1') => `http://${host}:${String(port)}${path}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(route: Route | undefined, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const found = typeof route === 'function' ? await route(request, response) : (route ?? { status: 404, body: 'not here' });
  if (found === undefined) return;
  const { status = 200, headers = {}, body = '' } = typeof found === 'string' || Buffer.isBuffer(found) ? { body: found } : found;
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
  response.end(body);
}
