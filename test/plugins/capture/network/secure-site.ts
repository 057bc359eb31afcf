import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { definePlugin } from '@platen/kernel';

/** HTTP/2 over TLS, with a certificate of its own making. */
export async function openSecureSite(page: string): Promise<AsyncDisposable & { readonly url: string }> {
  const sessions = new Set<{ destroy(): void }>();
  const server = createSecureServer(await selfSigned(), (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'set-cookie': ['a=1', 'b=2'] }).end(page);
  });
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

export async function selfSigned(): Promise<{ readonly key: Buffer; readonly cert: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
    const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key, '-out', cert];
    await promisify(execFile)('openssl', ['req', '-x509', ...made, ...subject]);
    return { key: await readFile(key), cert: await readFile(cert) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Lets pages load whose certificate nobody vouches for. */
export const trusting = definePlugin({
  name: 'trusting',
  apply({ hooks }) {
    hooks.beforeNavigate.tapPromise('trusting', async ({ page }) => {
      await page.send('Security.setIgnoreCertificateErrors', { ignore: true });
    });
  },
});
