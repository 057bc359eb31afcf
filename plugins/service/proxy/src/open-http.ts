import type { Socket } from 'node:net';
import { DialError, type HostAndPort } from '@platen/kernel';
import { authorityOf, type Credentials, credentialsError } from './credentials.js';

const MAX_HEAD = 64 * 1024;
/** By these a proxy reports that it did not reach the destination (RFC 9110, 15.6); Squid uses 503. */
const OF_DESTINATION = new Set([502, 503, 504]);

/** Refusals that end by themselves (RFC 9110, 15.5.9; RFC 6585, 4). */
const PASSING = new Set([408, 429]);

/** Asks an HTTP proxy for a tunnel (RFC 9110, 9.3.6). */
export async function open(socket: Socket, destination: HostAndPort, credentials: Credentials | undefined): Promise<Socket> {
  const authority = authorityOf(destination);
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
  if (credentials !== undefined) {
    const { user, password } = credentials;
    lines.push(`Proxy-Authorization: Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`);
  }
  socket.write([...lines, '', ''].join('\r\n'));
  const head = await readHead(socket);
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |\r\n)/.exec(head)?.[1]);
  if (status >= 200 && status <= 299) return socket;
  if (status === 407) throw credentialsError(credentials);
  if (OF_DESTINATION.has(status)) throw new DialError('failed', `the proxy reports status ${String(status)}`);
  if (Number.isNaN(status)) throw new DialError('proxy', 'the proxy does not respond by HTTP');
  const isFinal = status >= 400 && status <= 499 && !PASSING.has(status);
  throw new DialError('proxy', `the proxy refuses the connection: status ${String(status)}`, { isFinal });
}

/** The head of the response. Bytes after it stay in the socket. */
function readHead(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const settle = (act: () => void): void => {
      socket.off('data', read).off('error', reject).off('end', ended).off('close', ended);
      socket.pause();
      act();
    };
    const ended = (): void => {
      settle(() => {
        reject(new DialError('proxy', 'the proxy closes the connection without a response'));
      });
    };
    const read = (bytes: Buffer): void => {
      text += bytes.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end === -1 && text.length < MAX_HEAD) return;
      settle(() => {
        if (end !== -1 && end + 4 < text.length) socket.unshift(Buffer.from(text.slice(end + 4), 'latin1'));
        resolve(text.slice(0, end === -1 ? 0 : end + 4));
      });
    };
    socket.on('data', read).on('error', reject).on('end', ended).on('close', ended);
  });
}
