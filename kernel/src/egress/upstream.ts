import type { Socket } from 'node:net';
import type { HostAndPort } from './read-url.js';

/** A proxy through which connections leave. */
export interface Upstream extends HostAndPort {
  /** Whether connections with it are for TLS. */
  readonly secure: boolean;
  /** Whether names are left to it: they are not resolved here, and rules for addresses do not see them. */
  readonly resolvesNames: boolean;
  /** The operator has named it: it may have a private address. */
  readonly namedByOperator: boolean;
  /**
   * Asks for a connection to a destination, by address unless it resolves names, over a connection with the proxy. Rejects with a
   * `DialError`: `proxy`, or `failed` if the proxy reports a failure of the destination.
   */
  open(socket: Socket, destination: HostAndPort): Promise<Socket>;
}

/** A planned connection. */
export interface Departure extends HostAndPort {
  /** By its port and scheme: the connection is for TLS. */
  readonly secure: boolean;
}

/** Chooses the proxy of a connection; undefined: none. `proxy` is that of the render on whose behalf it is opened. */
export type ChooseUpstream = (departure: Departure, proxy: string | undefined) => Upstream | undefined;
