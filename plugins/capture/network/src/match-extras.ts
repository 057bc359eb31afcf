import type { TargetSession } from '@platen/kernel';
import type { RedirectChain, PendingExchange, Extra } from './pending-exchange.js';

/** Data of one hop from ExtraInfo events. */
export interface HopExtras {
  readonly sent: Extra | undefined;
  readonly received: Extra | undefined;
}

/**
 * Assigns ExtraInfo events to the hops of a chain. The events identify only the chain, may come before or after the events of their hop,
 * and not every hop has them. Each response reports whether it does, and the events are in the order of the hops.
 */
export function matchExtras(chain: RedirectChain): readonly HopExtras[] {
  const sent = [...told(chain.sentExtras, chain.owner)];
  const received = [...told(chain.receivedExtras, chain.owner)];
  return chain.hops.map((hop) => ({
    sent: hop.hasExtra === false ? undefined : sent.shift(),
    received: expectsReceived(hop) ? received.shift() : undefined,
  }));
}

/** If several sessions reported, the session that reported the request. */
function told(extras: ReadonlyMap<TargetSession, readonly Extra[]>, owner: TargetSession | undefined): readonly Extra[] {
  return (owner && extras.get(owner)) ?? [...extras.values()][0] ?? [];
}

/** A load that failed after its headers may have them too. */
function expectsReceived({ hasExtra, failure }: PendingExchange): boolean {
  return hasExtra ?? failure !== undefined;
}
