import type { Socket } from 'node:net';
import { codeOf, DialError } from './dial-error.js';
import type { Route } from './route.js';

/** One connection requested from the render's proxy. */
export interface EgressEntry {
  readonly host: string;
  readonly port: number;
  readonly address: string | undefined;
  /** `proxy`: the proxy that connections go through has failed. */
  readonly outcome: 'allowed' | 'blocked' | 'unresolved' | 'failed' | 'proxy';
  readonly reason?: string;
  /** The proxy has refused the connection, and would do so again. */
  readonly isFinal?: true;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** A page can use any number of hosts, so the log is limited. */
const MAX_ENTRIES = 10_000;

type Endpoint = Pick<EgressEntry, 'host' | 'port'>;

/**
 * A render's record of connections. Those to one destination with one outcome share an entry, whose byte counts are live; the last
 * outcome of a destination is the last of its entries.
 */
export interface ConnectionLog {
  readonly entries: readonly EgressEntry[];
  /** Counts a connection from its first byte on, or logs its failure. */
  track(route: Route, socket: Socket): void;
  /** Writes down that a destination was not dialed at all. */
  refuse(ask: Endpoint, error: unknown): void;
}

interface Account {
  readonly entry: EgressEntry;
  add(socket: Socket): void;
}

export function createConnectionLog(): ConnectionLog {
  const entries: EgressEntry[] = [];
  const accounts = new Map<string, Account>();
  const account = (facts: Omit<EgressEntry, 'bytesIn' | 'bytesOut'>): Account => {
    const key = [facts.host, facts.port, facts.address, facts.outcome, facts.reason].join(' ');
    const known = accounts.get(key);
    if (known) {
      entries.push(...entries.splice(entries.indexOf(known.entry), 1));
      return known;
    }
    const opened = openAccount(facts);
    if (entries.length < MAX_ENTRIES) {
      accounts.set(key, opened);
      entries.push(opened.entry);
    }
    return opened;
  };
  return {
    entries,
    track({ host, port, addresses, via }, socket) {
      const fail = (error: Error): void => {
        account({ host, port, address: addresses[0]?.address, outcome: 'failed', reason: codeOf(error) });
      };
      const succeed = (): void => {
        socket.off('error', fail);
        const address = via === undefined ? socket.remoteAddress : addresses[0]?.address;
        account({ host, port, address, outcome: 'allowed' }).add(socket);
      };
      socket.once('error', fail);
      if (via === undefined) socket.once('connect', succeed);
      else succeed();
    },
    refuse({ host, port }, error) {
      const refused = error instanceof DialError ? error : new DialError('unresolved', codeOf(error));
      account({
        host,
        port,
        address: refused.address,
        outcome: refused.outcome,
        reason: refused.message,
        ...(refused.isFinal && { isFinal: true }),
      });
    },
  };
}

function openAccount(facts: Omit<EgressEntry, 'bytesIn' | 'bytesOut'>): Account {
  const live = new Set<Socket>();
  const closed = { in: 0, out: 0 };
  const sum = (start: number, count: (socket: Socket) => number): number =>
    [...live].reduce((total, socket) => total + count(socket), start);
  return {
    entry: {
      ...facts,
      get bytesIn() {
        return sum(closed.in, (socket) => socket.bytesRead);
      },
      get bytesOut() {
        return sum(closed.out, (socket) => socket.bytesWritten);
      },
    },
    add(socket) {
      live.add(socket);
      socket.once('close', () => {
        live.delete(socket);
        closed.in += socket.bytesRead;
        closed.out += socket.bytesWritten;
      });
    },
  };
}
