import type { LookupAddress } from 'node:dns';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { openNameResolver, type NameResolver, type Resolve } from './name-resolver.js';
import { type AddressFilter, type HostFilter, type AllowRule, blockMetadataServices } from './policy.js';

/** A destination that was resolved and checked once: connections through it reach only these addresses. */
export interface Route {
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly LookupAddress[];
  /** Returns the checked addresses: for `net`, `tls`, `http` and `https`. */
  readonly lookup: LookupFunction;
}

/** The error of a destination that is not dialed. Its message is for the log and the render's connection log. */
export class DialError extends Error {
  override readonly name = 'DialError';
  readonly outcome: 'blocked' | 'unresolved';
  /** The address that was refused. */
  readonly address: string | undefined;

  constructor(outcome: DialError['outcome'], message: string, options: { readonly address?: string; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.outcome = outcome;
    this.address = options.address;
  }
}

export interface Dialer {
  /** Resolves the host unless it is an address, and checks the result. Throws a `DialError`. */
  route(host: string, port: number): Promise<Route>;
  /** Opens a connection to the first of the route's addresses that responds (RFC 8305). */
  connect(route: Route): Socket;
  /** Cancels pending lookups. Open connections stay. */
  close(): void;
}

export interface DialerOptions {
  /** Checked after the metadata rule. Filters may be added later: the next connection is checked by all. */
  readonly addressFilters?: readonly AddressFilter[];
  /** Checked before a name is looked up. Filters may be added later. */
  readonly hostFilters?: readonly HostFilter[];
  /** Checked first. */
  readonly guards?: readonly AddressFilter[];
  /** The only exceptions to the metadata rule. Rules may be added later. */
  readonly allowRules?: readonly AllowRule[];
  /** Passed to the filters in each `Destination`. */
  readonly namedByOperator?: boolean;
  /** Resolves names; default: as the machine does. */
  readonly resolve?: Resolve;
}

/** How long a resolved name is cached, as in Chromium's own host cache. Every use is checked. */
const PINNED_MS = 60_000;
const CONNECT_OPTIONS = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 500, noDelay: true } as const;

/**
 * Resolves once, checks every address, and connects to exactly these addresses, so a name that resolves differently later (DNS rebinding)
 * has no effect.
 */
export function createDialer({
  guards = [],
  addressFilters = [],
  hostFilters = [],
  allowRules = [],
  namedByOperator = false,
  resolve,
}: DialerOptions = {}): Dialer {
  const names: NameResolver = resolve === undefined ? openNameResolver() : { resolve, close: () => undefined };
  const pinned = new Map<string, { readonly until: number; readonly addresses: Promise<readonly LookupAddress[]> }>();
  const addressesOf = (host: string): Promise<readonly LookupAddress[]> => {
    const family = isIP(host);
    if (family !== 0) return Promise.resolve([{ address: host, family }]);
    const known = pinned.get(host);
    if (known && known.until > Date.now()) return known.addresses;
    const addresses = names.resolve(host);
    pinned.set(host, { until: Date.now() + PINNED_MS, addresses });
    addresses.catch(() => pinned.delete(host));
    return addresses;
  };
  return {
    async route(host, port) {
      const word = isIP(host) === 0 ? reasonOf(hostFilters, host.toLowerCase().replace(/\.$/, '')) : undefined;
      if (word !== undefined) throw new DialError('blocked', word);
      const addresses = await addressesOf(host).catch((cause: unknown) => {
        throw new DialError('unresolved', codeOf(cause), { cause });
      });
      for (const { address } of addresses) {
        // One refused address refuses the name: which of them a client ends up with is the attacker's choice.
        const asked = { address, port, host, ...(namedByOperator && { namedByOperator }) };
        const isPermitted = allowRules.some((rule) => rule(asked));
        const reason = reasonOf([...guards, ...(isPermitted ? [] : [blockMetadataServices]), ...addressFilters], asked);
        if (reason !== undefined) throw new DialError('blocked', reason, { address });
      }
      if (addresses.length === 0) throw new DialError('unresolved', 'ENODATA');
      return { host, port, addresses, lookup: pinnedLookup(addresses) };
    },
    connect: ({ host, port, lookup }) => connect({ host, port, lookup, allowHalfOpen: true, ...CONNECT_OPTIONS }),
    close: () => {
      names.close();
    },
  };
}

/** The first that any of them has. */
function reasonOf<T>(filters: readonly ((asked: T) => string | undefined)[], asked: T): string | undefined {
  for (const filter of filters) {
    const reason = filter(asked);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function pinnedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

/** The errno name, if there is one. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.message : 'failed';
}
