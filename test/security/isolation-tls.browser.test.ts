import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selfSigned, trusting } from '../plugins/capture/network/secure-site.js';
import { openProber, type Prober } from '../plugins/page/probe.js';

/** Two requests, each by a connection of its own. */
const PAGE = `<!doctype html><script>window.report = fetch('/more', { cache: 'no-store' }).then(() => 'done')</script>`;

let server: Server;
let prober: Prober;
const visits: { readonly path: string; readonly resumed: boolean }[] = [];
beforeAll(async () => {
  server = createServer(await selfSigned(), ({ url, socket }, response) => {
    visits.push({ path: url ?? '', resumed: socket instanceof TLSSocket && socket.isSessionReused() });
    response.writeHead(200, { 'content-type': 'text/html', connection: 'close' }).end(PAGE);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  prober = openProber({ plugins: [trusting] });
});
afterAll(async () => {
  await prober[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

test('L1: a TLS session is resumed within a render, and never by the next', async () => {
  const url = `https://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
  for (let turn = 0; turn < 3; turn++) expect((await prober.probe({ url })).report).toBe('done');
  const of = (path: string) => visits.filter((visit) => visit.path === path).map(({ resumed }) => resumed);
  expect(of('/')).toEqual([false, false, false]);
  // Else the line above would say nothing.
  expect(of('/more')).toEqual([true, true, true]);
});
