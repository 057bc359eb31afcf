import type { TargetSession } from '@platen/kernel';
import type { RedirectChain, PendingExchange, Extra } from './pending-exchange.js';

/** Limits on the requests that a page can make Platen store, in number and in memory, without their bodies. */
const MAX_EXCHANGES = 20_000;
const MAX_WEIGHT = 64 * 1024 * 1024;

/** All requests of a recording, by the protocol's id. Several sessions may report the same id. */
export interface ExchangeTable {
  /** Adds the next hop of an id, unless the table is full. */
  add(pending: PendingExchange): boolean;
  /** The request in progress, or the last one, of an id. */
  latest(requestId: string): PendingExchange | undefined;
  ownerOf(requestId: string): TargetSession | undefined;
  addExtra(event: ExtraInfoEvents): void;
  readonly chains: readonly RedirectChain[];
  readonly exchanges: readonly PendingExchange[];
  readonly dropped: number;
}

/** Headers reported by one session. */
export interface ExtraInfoEvents {
  readonly kind: 'sent' | 'received';
  readonly requestId: string;
  readonly extra: Extra;
  readonly from: TargetSession;
}

interface OpenRedirectChain extends RedirectChain {
  readonly hops: PendingExchange[];
  readonly sentExtras: Map<TargetSession, Extra[]>;
  readonly receivedExtras: Map<TargetSession, Extra[]>;
}

export function createExchangeTable(): ExchangeTable {
  const chains = new Map<string, OpenRedirectChain>();
  let count = 0;
  let weight = 0;
  let dropped = 0;
  const chainOf = (requestId: string): OpenRedirectChain => {
    const known = chains.get(requestId);
    if (known) return known;
    const chain = openChain();
    chains.set(requestId, chain);
    return chain;
  };
  const hasRoom = (): boolean => count < MAX_EXCHANGES && weight < MAX_WEIGHT;
  return {
    add(pending) {
      if (!hasRoom()) {
        dropped += 1;
        return false;
      }
      count += 1;
      weight += weigh(pending.headers) + pending.url.length;
      chainOf(pending.requestId).hops.push(pending);
      return true;
    },
    latest: (requestId) => chains.get(requestId)?.hops.at(-1),
    ownerOf: (requestId) => chains.get(requestId)?.owner,
    addExtra({ kind, requestId, extra, from }) {
      // They may arrive before the request that they belong to.
      if (!hasRoom()) return;
      weight += weigh(extra.headers);
      const extras = chainOf(requestId)[kind === 'sent' ? 'sentExtras' : 'receivedExtras'];
      extras.set(from, [...(extras.get(from) ?? []), extra]);
    },
    get chains() {
      return [...chains.values()];
    },
    get exchanges() {
      return [...chains.values()].flatMap(({ hops }) => hops);
    },
    get dropped() {
      return dropped;
    },
  };
}

function openChain(): OpenRedirectChain {
  const hops: PendingExchange[] = [];
  return {
    hops,
    get owner() {
      return hops[0]?.target;
    },
    sentExtras: new Map(),
    receivedExtras: new Map(),
  };
}

function weigh(headers: PendingExchange['headers']): number {
  return headers.reduce((sum, { name, value }) => sum + name.length + value.length + 32, 512);
}
