import { nameNetError, type EgressEntry } from '@platen/kernel';
import type { PendingExchange } from './pending-exchange.js';
import type { ExchangeFailure } from './exchange.js';

/** Undefined if the load was completed. */
export function describeFailure(pending: PendingExchange, entries: readonly EgressEntry[]): ExchangeFailure | undefined {
  const { failure, end, handshake, url } = pending;
  if (failure) {
    const { errorText, canceled, blockedReason, corsErrorStatus } = failure;
    return {
      netError: nameOf(errorText, blockedReason) ?? (pending.response ? errorText : nameNetError({ url, errorText, entries })),
      cancelled: canceled === true,
      unfinished: false,
      reason: blockedReason ?? corsErrorStatus?.corsError,
    };
  }
  // An open WebSocket is not a failure. A response still in progress is incomplete.
  if (end || handshake) return undefined;
  return { netError: 'net::ERR_IO_PENDING', cancelled: false, unfinished: true, reason: undefined };
}

/** A request refused by the page's own policy never reaches the network and is reported without an error name. */
function nameOf(errorText: string, blockedReason: string | undefined): string | undefined {
  if (errorText !== '') return undefined;
  return blockedReason === 'csp' ? 'net::ERR_BLOCKED_BY_CSP' : 'net::ERR_FAILED';
}
