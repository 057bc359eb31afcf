import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

export interface RawSite extends AsyncDisposable {
  url(path: string): string;
}

/** Answers by path, byte for byte: a character is a byte. */
export async function openRawSite(answers: Readonly<Record<string, string>>): Promise<RawSite> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.once('data', (data: Buffer) => {
      const path = /^\S+ (?:http:\/\/[^/]+)?(\S*)/.exec(data.toString('latin1'))?.[1] ?? '';
      socket.end(Buffer.from(answers[path] ?? 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n', 'latin1'));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: (path) => `http://127.0.0.1:${String(port)}${path}`,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
