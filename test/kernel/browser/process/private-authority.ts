import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** `folder` has `authority.pem`, the certificate of a private authority, and `server.pem`, one that it issued for 127.0.0.1. */
export interface PrivateSite extends AsyncDisposable {
  readonly folder: string;
  readonly url: string;
}

const CONFIG = `[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[server]
basicConstraints = critical, CA:FALSE
subjectAltName = IP:127.0.0.1
`;

/** An https server that a private certificate authority vouches for, which answers every request with the page. Two days are its validity. */
export async function openPrivateSite(page: string): Promise<PrivateSite> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-authority-'));
  await writeFile(join(folder, 'openssl.cnf'), CONFIG);
  const issue = (name: string, ...args: readonly string[]) =>
    promisify(execFile)(
      'openssl',
      [
        ...['req', '-x509', '-config', 'openssl.cnf', '-extensions', name, '-subj', `/CN=Private ${name}`, '-days', '2', '-nodes'],
        ...['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', `${name}.key`, '-out', `${name}.pem`, ...args],
      ],
      { cwd: folder },
    );
  await issue('authority');
  await issue('server', '-CA', 'authority.pem', '-CAkey', 'authority.key');
  const [key, cert] = await Promise.all([readFile(join(folder, 'server.key')), readFile(join(folder, 'server.pem'))]);
  const server = createServer({ key, cert }, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    folder,
    url: `https://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true });
    },
  };
}
