import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

export interface TestProxy extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** `host:port` of every connection that it was asked for. */
  readonly asked: readonly string[];
  forget(): void;
}

export interface ProxyBehavior {
  readonly kind?: 'http' | 'https' | 'socks5';
  /** `user:password` that it asks for. */
  readonly credentials?: string;
  /** Its answer to each request: a status, or a SOCKS reply. */
  readonly reply?: number;
  /** It accepts connections, and never answers. */
  readonly isSilent?: boolean;
  /** Resolves names of its own. */
  readonly names?: Readonly<Record<string, string>>;
  /** PEM files of an https proxy. */
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly host?: string;
}

/** A proxy on a loopback port. */
export async function openProxy(behavior: ProxyBehavior = {}): Promise<TestProxy> {
  const { kind = 'http', tls, credentials, host = '127.0.0.1' } = behavior;
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const serve = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    if (behavior.isSilent === true) return;
    (kind === 'socks5' ? serveSocks : serveHttp)(socket, behavior, asked).catch(() => socket.destroy());
  };
  const server: Server =
    tls === undefined ? createServer(serve) : createTlsServer({ key: readFileSync(tls.key), cert: readFileSync(tls.cert) }, serve);
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${kind}://${credentials === undefined ? '' : `${credentials}@`}${host}:${String(port)}`,
    asked,
    forget: () => void asked.splice(0),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function join(client: Socket, upstream: Socket): void {
  client.pipe(upstream).pipe(client);
  upstream.on('error', () => client.destroy()).once('close', () => client.destroySoon());
  client.once('close', () => upstream.destroy());
}

async function dial(host: string, port: number, { names = {} }: ProxyBehavior): Promise<Socket> {
  const upstream = connect({ host: names[host] ?? host, port });
  await once(upstream, 'connect');
  return upstream;
}

async function readUntil(socket: Socket, isWhole: (bytes: Buffer) => boolean): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  while (!isWhole(bytes)) {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) await once(socket, 'readable');
    else bytes = Buffer.concat([bytes, chunk]);
  }
  return bytes;
}

async function serveHttp(client: Socket, behavior: ProxyBehavior, asked: string[]): Promise<void> {
  const head = (await readUntil(client, (bytes) => bytes.includes('\r\n\r\n'))).toString('latin1');
  const [, authority = ''] = /^CONNECT (\S+) /.exec(head) ?? [];
  const answer = (status: number, more = ''): void => void client.end(`HTTP/1.1 ${String(status)} X\r\n${more}Content-Length: 0\r\n\r\n`);
  const { credentials, reply } = behavior;
  const given = /^proxy-authorization: basic (\S+)/im.exec(head)?.[1] ?? '';
  if (credentials !== undefined && Buffer.from(given, 'base64').toString() !== decodeURIComponent(credentials)) {
    answer(407, 'Proxy-Authenticate: Basic realm="proxy"\r\n');
    return;
  }
  asked.push(authority);
  if (reply !== undefined || authority === '') {
    answer(reply ?? 400);
    return;
  }
  const [, host = '', port = ''] = /^\[?([^\]]*?)\]?:(\d+)$/.exec(authority) ?? [];
  const upstream = await dial(host, Number(port), behavior).catch(() => undefined);
  if (upstream === undefined) {
    answer(502);
    return;
  }
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  join(client, upstream);
}

async function serveSocks(client: Socket, behavior: ProxyBehavior, asked: string[]): Promise<void> {
  const { credentials, reply } = behavior;
  const methods = await readUntil(client, (bytes) => bytes.length >= 2 && bytes.length >= 2 + (bytes[1] ?? 0));
  const method = credentials === undefined ? 0 : 2;
  if (!methods.subarray(2).includes(method)) {
    client.end(Buffer.from([5, 0xff]));
    return;
  }
  client.write(Buffer.from([5, method]));
  if (credentials !== undefined) {
    const bytes = await readUntil(client, (all) => all.length >= 3 && all.length >= 3 + (all[1] ?? 0) + (all[2 + (all[1] ?? 0)] ?? 0));
    const user = bytes.subarray(2, 2 + (bytes[1] ?? 0)).toString();
    const password = bytes.subarray(3 + (bytes[1] ?? 0)).toString();
    const isRight = `${user}:${password}` === decodeURIComponent(credentials);
    client.write(Buffer.from([1, isRight ? 0 : 1]));
    if (!isRight) {
      client.end();
      return;
    }
  }
  const lengths: Readonly<Record<number, number>> = { 1: 10, 4: 22 };
  const bytes = await readUntil(client, (all) => all.length >= 5 && all.length >= (lengths[all[3] ?? 0] ?? 7 + (all[4] ?? 0)));
  const end = bytes.length - 2;
  const host =
    bytes[3] === 1
      ? bytes.subarray(4, end).join('.')
      : bytes[3] === 3
        ? bytes.subarray(5, end).toString()
        : (bytes.subarray(4, end).toString('hex').match(/.{4}/g) ?? []).join(':');
  const port = bytes.readUInt16BE(end);
  asked.push(`${host}:${String(port)}`);
  const respond = (code: number): boolean => client.write(Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]));
  const upstream = reply === undefined ? await dial(host, port, behavior).catch(() => undefined) : undefined;
  respond(reply ?? (upstream === undefined ? 5 : 0));
  if (upstream === undefined) client.end();
  else join(client, upstream);
}
