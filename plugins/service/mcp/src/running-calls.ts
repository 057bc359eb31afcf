/** A client of protocols until 2025-11-25, by the session id that it was given with the answer to `initialize`. */
export interface Client {
  /** Empty if it has sent none. */
  readonly session: string;
  /** The credential's name. */
  readonly identity: string | undefined;
}

/**
 * The calls in progress, for clients that cancel by a request of its own (`notifications/cancelled`, until 2025-11-25). Later ones close
 * the connection.
 *
 * The ids of calls are small numbers that all clients use: a cancellation ends a call only if credential, session and id are those of the
 * call. The session id is random and names nothing on the server, which accepts any. A client without one cannot cancel: it disconnects. In
 * a batch, cancelling one call ends all of them. If several servers share the work and the cancellation reaches another one, it is ignored.
 */
export interface RunningCalls {
  /** Ends the calls that the messages cancel. */
  cancel(client: Client, messages: readonly unknown[]): void;
  /** Registers the calls among the messages, with what ends them. Returns what removes them. */
  begin(client: Client, messages: readonly unknown[], end: () => void): () => void;
}

export function createRunningCalls(): RunningCalls {
  const running = new Map<string, Set<() => void>>();
  return {
    cancel({ session, identity }, messages) {
      for (const { method, params } of messages.filter(isMessage)) {
        if (method !== 'notifications/cancelled' || !isMessage(params)) continue;
        const ends = running.get(keyOf({ session, identity }, params.requestId)) ?? [];
        for (const end of [...ends]) end();
      }
    },
    begin(client, messages, end) {
      const calls = messages.filter(isMessage).filter(({ method }) => method === 'tools/call');
      const keys = client.session === '' ? [] : calls.map(({ id }) => keyOf(client, id));
      for (const key of keys) running.set(key, (running.get(key) ?? new Set()).add(end));
      return () => {
        for (const key of keys) {
          const ends = running.get(key);
          ends?.delete(end);
          if (ends?.size === 0) running.delete(key);
        }
      };
    },
  };
}

interface Message {
  readonly method?: unknown;
  readonly id?: unknown;
  readonly params?: unknown;
  readonly requestId?: unknown;
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null;
}

/** `1` and `"1"` are different ids. */
function keyOf({ session, identity }: Client, id: unknown): string {
  return JSON.stringify([identity ?? null, session, typeof id === 'string' || typeof id === 'number' ? id : null]);
}
