import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The pending responses of each connection, oldest first. */
export interface PipelinedResponses {
  of(socket: Duplex): readonly ServerResponse[];
}

/**
 * A connection with more pending responses is closed: a client that sends without reading could make the server hold any number of
 * requests.
 */
const MAX_OWED = 100;

/**
 * Tracks every request of the server. When a connection breaks, Node closes only the response that is being written. Responses to pipelined
 * requests wait behind it without a socket; they are closed here, so that listeners learn that the client has disconnected.
 */
export function trackResponses(server: Server): PipelinedResponses {
  const owed = new WeakMap<Duplex, Set<ServerResponse>>();
  const answersOf = (socket: Duplex) => {
    const known = owed.get(socket);
    if (known !== undefined) return known;
    const answers = new Set<ServerResponse>();
    owed.set(socket, answers);
    // One listener per connection, however many requests it sends.
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

/** `destroy` alone emits no event if there is no socket. */
function closeUnsent(answer: ServerResponse): void {
  answer.destroy();
  answer.emit('close');
}
