import { type EgressEntry, nameNetError, readHost, type TargetSession, withoutUserinfo } from '@platen/kernel';
import type { Redaction } from '@platen/lib-redaction';
import { describeNoBody } from './body-recording.js';
import { hasNoBody } from './collect-bodies.js';
import type { Extra, PendingExchange, Received, RedirectChain } from './pending-exchange.js';
import type { Exchange, ExchangeBody, ExchangeFailure, ExchangeResponse, ExchangeTiming, HeaderLine, ServedFrom } from './exchange.js';
import type { ExchangeTable } from './exchange-table.js';
import type { Visits } from './track-navigations.js';
import { headerLines } from './header-lines.js';
import { redactExchange } from './redact-exchange.js';

export interface Describing {
  readonly visits: Pick<Visits, 'visitOf'>;
  readonly redaction: Redaction | undefined;
  readonly entries: readonly EgressEntry[];
  readonly bodiesWanted: boolean;
}

/** One function per exchange that builds its description, ordered by when the requests were sent. */
export function describeExchanges(table: ExchangeTable, describing: Describing): readonly (() => Exchange)[] {
  return table.chains
    .flatMap((chain) => {
      const extras = matchExtras(chain);
      return chain.hops.map((pending, index) => ({ pending, chain, extras: extras[index] ?? NO_EXTRAS }));
    })
    .sort((a, b) => sentAt(a) - sentAt(b))
    .map(
      ({ pending, chain, extras }) =>
        () =>
          describe({ pending, chain, extras }, describing),
    );
}

const NO_EXTRAS: HopExtras = { sent: undefined, received: undefined };

interface Known {
  readonly pending: PendingExchange;
  readonly chain: RedirectChain;
  readonly extras: HopExtras;
}

function describe({ pending, chain, extras }: Known, describing: Describing): Exchange {
  const { requestId, hop, target, frameId, loaderId, type, priority, initiator, socket } = pending;
  const exchange: Exchange = {
    requestId,
    hop,
    frameId,
    loaderId,
    priority,
    initiator,
    resourceType: type,
    target: { id: target.targetId, kind: target.kind },
    visitId: describing.visits.visitOf(pending),
    request: {
      method: pending.method,
      url: pending.url,
      headers: extras.sent?.headers ?? pending.headers,
      rawHeaders: pending.rawHeaders || extras.sent !== undefined,
      body: pending.requestBody?.describe(pending.requestBody.received),
    },
    response: describeResponse({ pending, chain, extras }, describing),
    timing: describeTiming(pending, chain),
    failure: describeFailure(pending, describing.entries),
    webSocket: socket?.describe(),
  };
  const { redaction } = describing;
  return Object.freeze(redaction === undefined ? exchange : redactExchange(exchange, redaction));
}

function startOf({ timestamp, end }: PendingExchange): number {
  return Number.isNaN(timestamp) ? (end?.timestamp ?? 0) : timestamp;
}

/** Milliseconds since 1970 when the network was first used, without the time in earlier queues. */
function sentAt({ pending, chain }: Pick<Known, 'pending' | 'chain'>): number {
  const { wallStart, started, phases } = describeTiming(pending, chain);
  return wallStart.getTime() + (phases ? Math.max(0, phases.requestTime * 1000 - started) : 0);
}

function describeTiming(pending: PendingExchange, chain: RedirectChain): ExchangeTiming {
  const { end, response, respondedAt } = pending;
  const first = chain.hops[0] ?? pending;
  const started = startOf(pending);
  return {
    // Hops repeat the wall time of their chain's first hop, but have their own monotonic time.
    wallStart: new Date((first.wallTime + (started - startOf(first))) * 1000),
    started: started * 1000,
    responded: respondedAt === undefined ? undefined : respondedAt * 1000,
    finished: end === undefined ? undefined : end.timestamp * 1000,
    phases: response?.timing,
  };
}

function describeResponse({ pending, extras: { received } }: Known, describing: Describing): ExchangeResponse | undefined {
  const { handshake, response } = pending;
  if (handshake) return describeHandshake(pending, handshake, describing);
  if (!response) return undefined;
  const servedFrom = originOf(pending, response);
  const headers = received?.headers ?? headerLines(response.headers);
  const status = received?.status ?? response.status;
  return {
    status,
    // A revalidated response has the status text of the cached one.
    statusText: status === response.status ? response.statusText : (received?.statusText ?? ''),
    protocol: response.protocol ?? '',
    headers,
    rawHeaders: received !== undefined,
    headerBytes: servedFrom === 'network' && received?.statusText !== undefined ? headerBytesOf(response) : undefined,
    mimeType: response.mimeType,
    redirectUrl: pending.redirected ? locationOf(headers) : undefined,
    servedFrom,
    transferBytes: status === 304 ? pending.end?.transferBytes : transferOf(pending, servedFrom),
    remote: servedFrom === 'network' ? remoteOf(pending.url, describing.entries) : undefined,
    connectionId: servedFrom === 'network' && response.connectionId > 0 ? String(response.connectionId) : undefined,
    security: response.securityDetails,
    body: bodyOf(pending, describing),
  };
}

/** `encodedDataLength` of the response event counts only the headers. */
function headerBytesOf({ encodedDataLength }: Received): number | undefined {
  return encodedDataLength > 0 ? encodedDataLength : undefined;
}

/** For worker scripts Chromium may count nothing, although they came over the network, or only the headers. */
function transferOf({ end, seen, response }: PendingExchange, servedFrom: ServedFrom): number | undefined {
  const bytes = end?.transferBytes;
  if (bytes === undefined || servedFrom !== 'network') return bytes;
  const isUncounted = bytes === 0 || (seen > 0 && bytes === response?.encodedDataLength);
  return isUncounted ? undefined : bytes;
}

function describeHandshake(
  pending: PendingExchange,
  handshake: NonNullable<PendingExchange['handshake']>,
  { entries }: Describing,
): ExchangeResponse {
  return {
    status: handshake.status,
    statusText: handshake.statusText,
    headers: handshake.headers,
    headerBytes: undefined,
    protocol: 'http/1.1',
    rawHeaders: handshake.rawHeaders,
    mimeType: '',
    redirectUrl: undefined,
    servedFrom: 'network',
    transferBytes: undefined,
    connectionId: undefined,
    security: undefined,
    remote: remoteOf(pending.url, entries),
    body: describeNoBody('none'),
  };
}

function bodyOf(pending: PendingExchange, { bodiesWanted }: Describing): ExchangeBody {
  if (hasNoBody(pending)) return describeNoBody('none', pending.seen);
  if (pending.body) return pending.body.describe(pending.seen);
  return describeNoBody(bodiesWanted ? 'missing' : 'not-requested', pending.seen);
}

function originOf({ memoryCached }: PendingExchange, { fromDiskCache, fromServiceWorker, fromPrefetchCache }: Received): ServedFrom {
  if (fromServiceWorker === true) return 'service-worker';
  if (fromPrefetchCache === true) return 'prefetch-cache';
  if (fromDiskCache === true) return 'disk-cache';
  return memoryCached ? 'memory-cache' : 'network';
}

function locationOf(headers: readonly HeaderLine[]): string | undefined {
  const location = headers.find(({ name }) => name.toLowerCase() === 'location')?.value;
  return location === undefined ? undefined : withoutUserinfo(location);
}

/** The protocol reports the address of Platen's proxy. The proxy knows the server that it connected to. */
function remoteOf(text: string, entries: readonly EgressEntry[]): ExchangeResponse['remote'] {
  const requested = readHost(text);
  const entry = entries.findLast((one) => one.outcome === 'allowed' && one.host === requested?.host && one.port === requested.port);
  return entry?.address === undefined ? undefined : { address: entry.address, port: entry.port };
}

/** Undefined if the load was completed. */
function describeFailure(pending: PendingExchange, entries: readonly EgressEntry[]): ExchangeFailure | undefined {
  const { failure, end, handshake, url } = pending;
  if (failure) {
    const { errorText, canceled, blockedReason, corsErrorStatus } = failure;
    return {
      netError: nameOf(errorText, blockedReason) ?? (pending.response ? errorText : nameNetError({ url, errorText, entries })),
      canceled: canceled === true,
      unfinished: false,
      reason: blockedReason ?? corsErrorStatus?.corsError,
    };
  }
  // An open WebSocket is not a failure. A response still in progress is incomplete.
  if (end || handshake) return undefined;
  return { netError: 'net::ERR_IO_PENDING', canceled: false, unfinished: true, reason: undefined };
}

/** A request refused by the page's own policy never reaches the network and is reported without an error name. */
function nameOf(errorText: string, blockedReason: string | undefined): string | undefined {
  if (errorText !== '') return undefined;
  return blockedReason === 'csp' ? 'net::ERR_BLOCKED_BY_CSP' : 'net::ERR_FAILED';
}

/** Data of one hop from ExtraInfo events. */
interface HopExtras {
  readonly sent: Extra | undefined;
  readonly received: Extra | undefined;
}

/**
 * Assigns ExtraInfo events to the hops of a chain. The events identify only the chain, may come before or after the events of their hop,
 * and not every hop has them. Each response reports whether it does, and the events are in the order of the hops.
 */
function matchExtras(chain: RedirectChain): readonly HopExtras[] {
  const sent = [...extrasOf(chain.sentExtras, chain.owner)];
  const received = [...extrasOf(chain.receivedExtras, chain.owner)];
  return chain.hops.map((hop) => ({
    sent: hop.hasExtra === false ? undefined : sent.shift(),
    received: expectsReceived(hop) ? received.shift() : undefined,
  }));
}

/** If several sessions reported, the session that reported the request. */
function extrasOf(extras: ReadonlyMap<TargetSession, readonly Extra[]>, owner: TargetSession | undefined): readonly Extra[] {
  return (owner && extras.get(owner)) ?? [...extras.values()][0] ?? [];
}

/** A load that failed after its headers may have them too. */
function expectsReceived({ hasExtra, failure }: PendingExchange): boolean {
  return hasExtra ?? failure !== undefined;
}
