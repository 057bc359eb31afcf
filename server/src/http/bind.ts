import { once } from 'node:events';
import { lstat, unlink } from 'node:fs/promises';
import type { Server } from 'node:http';
// eslint-disable-next-line @typescript-eslint/no-restricted-imports -- asks a Unix socket of our own whether anybody listens
import { connect, isIP } from 'node:net';
import { platform } from 'node:os';

/** The address to listen on: `host` and `port`, or the path of a Unix socket. */
export type BindAddress = { readonly host: string; readonly port: number } | { readonly path: string };

/** Reads `--server-bind-address` and `--server-bind-port`: an address with a slash is a path. */
export function toBindAddress(address: string, port: number): BindAddress {
  return address.includes('/') ? { path: address } : { host: address.replace(/^\[(.*)\]$/, '$1'), port };
}

/** Maximum bytes of a Unix socket's path; the system silently truncates longer ones (`sun_path`: unix(7), unix(4) of the BSDs). */
const MAX_SOCKET_PATH = platform() === 'linux' ? 107 : 103;

/** Why a process cannot listen on a Unix socket at the path; undefined if it can. */
export function socketPathFault(path: string): string | undefined {
  return Buffer.byteLength(path) > MAX_SOCKET_PATH ? `the path is longer than ${String(MAX_SOCKET_PATH)} bytes` : undefined;
}

/** Why the address cannot be listened on; undefined if only the attempt can show it. */
export function addressFault(address: BindAddress): string | undefined {
  if ('path' in address) return socketPathFault(address.path);
  const isNumeric = /^[\d.]+$|:/.test(address.host);
  return isNumeric && isIP(address.host) === 0 ? 'it is not an address' : undefined;
}

/** Whether two listeners of a host would conflict, as far as their addresses show. */
export function isSamePlace(one: BindAddress, other: BindAddress): boolean {
  if ('path' in one || 'path' in other) return 'path' in one && 'path' in other && one.path === other.path;
  return one.port !== 0 && one.port === other.port && (holds(one.host, other.host) || holds(other.host, one.host));
}

/** `::` listens for IPv4 too. */
function holds(wide: string, host: string): boolean {
  return wide === host || wide === '::' || (wide === '0.0.0.0' && isIP(host) === 4);
}

/** Another listener has the address. */
export class AddressTakenError extends Error {
  override readonly name = 'AddressTakenError';
}

/**
 * Binds, and resolves with the address as a URL or `unix:PATH`. Throws an error with a text for the operator; it names the owner of a port
 * in use if the caller knows it.
 */
export async function bind(server: Server, address: BindAddress, whoHasIt?: string): Promise<string> {
  const problem = addressFault(address);
  if (problem !== undefined) throw new Error(`cannot listen on ${nameOf(address)}: ${problem}`);
  if ('path' in address) await removeStaleSocket(address.path);
  const listening = once(server, 'listening');
  server.listen(address);
  try {
    await listening;
  } catch (error) {
    throw toBindError(error, address, whoHasIt);
  }
  const bound = server.address();
  if (bound === null || typeof bound === 'string') return `unix:${bound ?? ''}`;
  const host = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return `http://${host}:${String(bound.port)}`;
}

/** Whether only this machine can reach the address. */
export function isLoopback(address: BindAddress): boolean {
  return 'path' in address || address.host === 'localhost' || address.host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(address.host);
}

/** Removes a socket file on which no process accepts connections: a killed server left it behind. */
async function removeStaleSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isSocket()) throw new Error(`cannot listen on ${path}: the path exists and is not a socket`);
  if (await answers(path)) throw new Error(`cannot listen on ${path}: another server is listening there`);
  await unlink(path);
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => {
      settle(true);
    });
    socket.once('error', (error) => {
      settle(!('code' in error && error.code === 'ECONNREFUSED'));
    });
  });
}

function nameOf(address: BindAddress): string {
  return 'path' in address ? address.path : `${address.host} port ${String(address.port)}`;
}

function toBindError(error: unknown, address: BindAddress, whoHasIt?: string): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  const isTaken = code === 'EADDRINUSE';
  const text = `cannot listen on ${nameOf(address)}: ${(isTaken ? whoHasIt : undefined) ?? BIND_HINTS[code] ?? code}`;
  return isTaken ? new AddressTakenError(text, { cause: error }) : new Error(text, { cause: error });
}

const BIND_HINTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is in use; choose another with --server-bind-port',
  EACCES: "permission denied; ports below 1024 and other users' folders require privileges",
  EADDRNOTAVAIL: 'this machine has no such address; see --server-bind-address',
  ENOTFOUND: 'no such host name; see --server-bind-address',
  ENOENT: 'there is no such folder',
};
