import type { Socket } from 'node:net';
import { DialError, type HostAndPort } from '@platen/kernel';
import { SocksClient } from 'socks';
import { type Credentials, credentialsError } from './credentials.js';

/** Replies about the destination (RFC 1928, 6), by the names of the library, with the error that a direct connection would have. */
const OF_DESTINATION: Readonly<Record<string, string>> = {
  NetworkUnreachable: 'ENETUNREACH',
  HostUnreachable: 'EHOSTUNREACH',
  ConnectionRefused: 'ECONNREFUSED',
  TTLExpired: 'ETIMEDOUT',
  AddressNotSupported: 'EAFNOSUPPORT',
};

/** Asks a SOCKS5 proxy for a connection, over a connection with it: the library opens none. */
export async function open(socket: Socket, { host, port }: HostAndPort, credentials: Credentials | undefined): Promise<Socket> {
  try {
    await SocksClient.createConnection({
      command: 'connect',
      destination: { host, port },
      proxy: { type: 5, host, port, ...(credentials && { userId: credentials.user, password: credentials.password }) },
      existing_socket: socket,
    });
    return socket;
  } catch (error) {
    const text = error instanceof Error ? error.message : '';
    if (/authentication/i.test(text)) throw credentialsError(credentials);
    const [, reply] = /rejected connection - (\w+)/i.exec(text) ?? [];
    const code = OF_DESTINATION[reply ?? ''];
    if (code !== undefined) throw new DialError('failed', code);
    if (reply !== undefined)
      throw new DialError('proxy', `the proxy refuses the connection: ${reply}`, { isFinal: reply === 'NotAllowed' });
    if (/closed/i.test(text)) throw new DialError('proxy', 'the proxy closes the connection without a response');
    throw new DialError('proxy', /invalid/i.test(text) ? 'the proxy does not respond by SOCKS5' : `the proxy has failed: ${text}`);
  }
}
