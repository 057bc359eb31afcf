import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { codeOf, DialError } from './dial-error.js';
import { connectThrough, dial, proxyError, trustIn } from './dial-upstream.js';
import { openNameResolver, type NameResolver, type Resolve } from './name-resolver.js';
import { type AddressFilter, type Destination, type HostFilter, type AllowRule, blockMetadataServices } from './policy.js';
import type { Route } from './route.js';
import type { ChooseUpstream, Upstream } from './upstream.js';

export interface Dialer {
  /** Resolves the host unless it is an address, and checks the result. Throws a `DialError`. */
  route(host: string, port: number, options?: { readonly secure?: boolean }): Promise<Route>;
  /** Opens a connection to the first of the route's addresses that responds (RFC 8305), past any proxy. */
  connect(route: Route): Socket;
  /** The same, through the proxy of the route, if it has one: then it is established. Throws a `DialError` if the proxy does not do that. */
  open(route: Route): Promise<Socket>;
  /** Cancels pending lookups and requests to proxies. Open connections stay. */
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
  /** Choose the proxy of each connection: the first that names one. May be added later. */
  readonly upstreams?: readonly ChooseUpstream[];
  /** The proxy of the render. */
  readonly proxy?: (() => string | undefined) | undefined;
  /** Certificate authorities in addition to Node's own, as PEM texts. */
  readonly authorities?: readonly string[];
  /** Passed to the filters in each `Destination`. */
  readonly namedByOperator?: boolean;
  /** Resolves names; default: as the machine does. */
  readonly resolve?: Resolve;
}

/** How long a resolved name is cached, as in Chromium's own host cache. Every use is checked. */
const PINNED_MS = 60_000;
type Named = Pick<Upstream, 'host' | 'port' | 'namedByOperator'>;

function refuse(word: string | undefined, toError: (error: DialError) => unknown): void {
  if (word !== undefined) throw toError(new DialError('blocked', word));
}

/**
 * Resolves once, checks every address, and connects to exactly these addresses, so a name that resolves differently later (DNS rebinding)
 * has no effect.
 */
export function createDialer({
  hostFilters = [],
  upstreams = [],
  proxy = () => undefined,
  authorities = [],
  namedByOperator = false,
  resolve,
  ...rules
}: DialerOptions = {}): Dialer {
  const names: NameResolver = resolve === undefined ? openNameResolver() : { resolve, close: () => undefined };
  const addressesOf = pinNames(names.resolve);
  const pending = new Set<Socket>();
  const resolved = async ({ host, port, namedByOperator: isNamed }: Named): Promise<Route> => {
    const addresses = await addressesOf(host).catch((cause: unknown) => {
      throw new DialError('unresolved', codeOf(cause), { cause });
    });
    // One refused address refuses the name: which of them a client ends up with is the attacker's choice.
    for (const { address } of addresses) checkAddress({ address, port, host, ...(isNamed && { namedByOperator: true }) }, rules);
    if (addresses.length === 0) throw new DialError('unresolved', 'ENODATA');
    return { host, port, addresses, lookup: pinnedLookup(addresses) };
  };
  const judgeName = (host: string) => (isIP(host) === 0 ? resultOf(hostFilters, host.toLowerCase().replace(/\.$/, '')) : undefined);
  return {
    async route(host, port, { secure = false } = {}) {
      refuse(judgeName(host), (error) => error);
      const choices = upstreams.map((choose) => () => choose({ host, port, secure }, proxy()));
      const upstream = resultOf(choices, undefined);
      if (upstream === undefined) return resolved({ host, port, namedByOperator });
      // Names of this host are never the proxy's: they would be its own listeners.
      const isLeft = upstream.resolvesNames && isIP(host) === 0 && !/(?:^|\.)localhost\.?$/i.test(host);
      if (!upstream.namedByOperator) refuse(judgeName(upstream.host), proxyError);
      const left = { host, port, addresses: [], lookup: pinnedLookup([]) };
      const route = isLeft ? left : await resolved({ host, port, namedByOperator });
      const way = await resolved(upstream).catch((error: unknown) => {
        throw proxyError(error);
      });
      return { ...route, via: { upstream, route: way } };
    },
    connect: dial,
    async open(route) {
      return route.via === undefined
        ? dial(route)
        : connectThrough({ ...route, via: route.via }, { pending, trust: () => trustIn(authorities) });
    },
    close: () => {
      names.close();
      for (const socket of pending) socket.destroy(new Error('it closed the connection'));
    },
  };
}

type AddressRules = Pick<DialerOptions, 'guards' | 'addressFilters' | 'allowRules'>;

/** @throws DialError if a rule refuses the address */
function checkAddress(asked: Destination, { guards = [], addressFilters = [], allowRules = [] }: AddressRules): void {
  const isPermitted = allowRules.some((rule) => rule(asked));
  const reason = resultOf([...guards, ...(isPermitted ? [] : [blockMetadataServices]), ...addressFilters], asked);
  if (reason !== undefined) throw new DialError('blocked', reason, { address: asked.address });
}

/** The first that any of them has. */
function resultOf<T, R>(filters: readonly ((asked: T) => R | undefined)[], asked: T): R | undefined {
  for (const filter of filters) {
    const reason = filter(asked);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Caches resolved names for a minute. */
function pinNames(resolve: Resolve): Resolve {
  const pinned = new Map<string, { readonly until: number; readonly addresses: Promise<readonly LookupAddress[]> }>();
  return (host) => {
    const family = isIP(host);
    if (family !== 0) return Promise.resolve([{ address: host, family }]);
    const known = pinned.get(host);
    if (known && known.until > Date.now()) return known.addresses;
    const addresses = resolve(host);
    pinned.set(host, { until: Date.now() + PINNED_MS, addresses });
    addresses.catch(() => pinned.delete(host));
    return addresses;
  };
}

function pinnedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}
