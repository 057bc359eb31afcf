import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The share of the process's file descriptors that connections of clients may take: renders need the others. */
const SHARE = 1 / 4;

/** How many connections the process may hold; undefined where the system does not say (`proc_pid_limits(5)`). */
export function connectionLimit(): number | undefined {
  try {
    const [, files] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return files === undefined ? undefined : Math.max(16, Math.floor(Number(files) * SHARE));
  } catch {
    return undefined;
  }
}

interface Connection {
  /** Requests in progress. */
  requests: number;
  hasAsked: boolean;
}

/**
 * Lets servers hold at most that many connections together: beyond, a new one takes the place of one that has never sent a request, else of the one that has
 * been idle longest; if all have requests in progress, it is refused.
 */
export function limitConnections(limit: number, refuse: (socket: Socket) => void): (server: Server) => void {
  /** The least recently used first. */
  const connections = new Map<Socket, Connection>();
  const touch = (socket: Socket, connection: Connection) => {
    connections.delete(socket);
    connections.set(socket, connection);
  };
  const idle = (isMeant: (connection: Connection) => boolean) =>
    [...connections].find(([, connection]) => connection.requests === 0 && isMeant(connection))?.[0];
  const admit = (socket: Socket) => {
    if (connections.size >= limit) {
      const victim = idle(({ hasAsked }) => !hasAsked) ?? idle(() => true);
      if (victim === undefined) {
        refuse(socket);
        return;
      }
      connections.delete(victim);
      victim.destroy();
    }
    connections.set(socket, { requests: 0, hasAsked: false });
    socket.once('close', () => connections.delete(socket));
  };
  const follow = ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connection.requests += 1;
    connection.hasAsked = true;
    touch(socket, connection);
    response.once('close', () => {
      connection.requests -= 1;
      if (connections.has(socket)) touch(socket, connection);
    });
  };
  return (server) => {
    server.on('connection', admit);
    for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) server.on(event, follow);
  };
}
