import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The answers that each connection still owes, oldest first. */
export interface PipelinedResponses {
  of(socket: Duplex): readonly ServerResponse[];
}

/** Past so many on one connection it ends: whoever sends on without reading could make the server hold any number of requests. */
const MAX_OWED = 100;

/**
 * Follows every request of the server. Of a connection that breaks, Node closes only the answer that is being written: those of pipelined
 * requests, which wait behind it without a socket, are closed here, or nobody would hear that their client has left.
 */
export function trackResponses(server: Server): PipelinedResponses {
  const owed = new WeakMap<Duplex, Set<ServerResponse>>();
  const answersOf = (socket: Duplex) => {
    const known = owed.get(socket);
    if (known !== undefined) return known;
    const answers = new Set<ServerResponse>();
    owed.set(socket, answers);
    // One listener a connection, however many requests it brings.
    socket.once('close', () => {
      for (const answer of answers) if (answer.socket === null) closeUnsent(answer);
    });
    return answers;
  };
  const follow = ({ socket }: IncomingMessage, response: ServerResponse) => {
    const answers = answersOf(socket).add(response);
    response.once('close', () => answers.delete(response));
    if (answers.size > MAX_OWED) socket.destroy();
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) server.on(event, follow);
  return { of: (socket) => [...(owed.get(socket) ?? [])] };
}

/** `destroy` alone says nothing where there is no socket. */
function closeUnsent(answer: ServerResponse): void {
  answer.destroy();
  answer.emit('close');
}
