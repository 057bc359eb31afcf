import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Upstream } from './upstream.js';

/** A destination that was resolved and checked once: connections through it reach only these addresses. */
export interface Route {
  readonly host: string;
  readonly port: number;
  /** Empty if a proxy resolves the name. */
  readonly addresses: readonly LookupAddress[];
  /** The proxy that it leads through, with the way to it. */
  readonly via?: { readonly upstream: Upstream; readonly route: Route };
  /** Returns the checked addresses: for `net`, `tls`, `http` and `https`. */
  readonly lookup: LookupFunction;
}
