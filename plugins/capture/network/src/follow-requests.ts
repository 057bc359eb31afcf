import { type EventPayload, type TargetSession, withoutUserinfo } from '@platen/kernel';
import { openBodyRecording, type RecordingSpool } from './body-recording.js';
import { isEmptyResponse, type Bodies } from './collect-bodies.js';
import { type PendingExchange, type Sent, UNANSWERED } from './pending-exchange.js';
import type { ExchangeTable } from './exchange-table.js';
import { headerLines, receivedHeaders, withoutProxyHeaders } from './header-lines.js';
import { redactUrls } from './redact-exchange.js';
import type { Visits } from './track-navigations.js';

export interface Following {
  readonly table: ExchangeTable;
  readonly spool: RecordingSpool;
  readonly bodies: Bodies;
  readonly visits: Pick<Visits, 'shownTo'>;
  /** Called for every request that has ended or failed. */
  readonly ended: (pending: PendingExchange, target: TargetSession) => void;
}

/** Fills the table from one target's events. Returns a function that ends it. */
export function followRequests(target: TargetSession, following: Following): () => void {
  const { table, bodies } = following;
  const listening = [
    target.on('Network.requestWillBeSent', (sent) => {
      begin(sent, target, following);
    }),
    target.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) => {
      const lines = withoutProxyHeaders(headerLines(headers));
      table.addExtra({ kind: 'sent', requestId, extra: { headers: lines, status: undefined, statusText: undefined }, from: target });
    }),
    target.on('Network.responseReceivedExtraInfo', ({ requestId, headers, headersText, statusCode }) => {
      const { lines, statusText } = receivedHeaders(headers, headersText);
      table.addExtra({ kind: 'received', requestId, extra: { headers: lines, status: statusCode, statusText }, from: target });
    }),
    target.on('Network.requestServedFromCache', ({ requestId }) => {
      const pending = table.latest(requestId);
      if (pending) pending.memoryCached = true;
    }),
    target.on('Network.responseReceived', ({ requestId, response, timestamp, hasExtraInfo }) => {
      const pending = table.latest(requestId);
      if (!pending || pending.response) return;
      Object.assign(pending, { response, respondedAt: timestamp, hasExtra: hasExtraInfo });
      bodies.responded(pending, target);
    }),
    target.on('Network.dataReceived', ({ requestId, dataLength }) => {
      const pending = table.latest(requestId);
      if (!pending) return;
      pending.reportedBy ??= target;
      if (pending.reportedBy === target) pending.seen += dataLength;
    }),
    ...followEnds(target, following),
  ];
  return () => {
    for (const stop of listening) stop();
  };
}

function followEnds(target: TargetSession, { table, ended }: Following): readonly (() => void)[] {
  return [
    target.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
      const pending = table.latest(requestId);
      if (!pending || pending.end) return;
      pending.end = { timestamp, transferBytes: encodedDataLength };
      ended(pending, target);
    }),
    target.on('Network.loadingFailed', ({ requestId, timestamp, errorText, canceled, blockedReason, corsErrorStatus }) => {
      const pending = table.latest(requestId);
      if (!pending || pending.end) return;
      const isWhole = canceled === true && isEmptyResponse(pending);
      pending.end = { timestamp, transferBytes: isWhole ? pending.response?.encodedDataLength : undefined };
      if (!isWhole) {
        pending.failure = {
          errorText,
          ...(canceled === undefined ? {} : { canceled }),
          ...(blockedReason === undefined ? {} : { blockedReason }),
          ...(corsErrorStatus === undefined ? {} : { corsErrorStatus }),
        };
      }
      ended(pending, target);
    }),
  ];
}

function begin(sent: Sent, target: TargetSession, following: Following): void {
  const { table } = following;
  const { requestId, redirectResponse, request } = sent;
  const owner = table.ownerOf(requestId);
  // Two sessions report the document of a cross-site iframe, and a worker's script.
  if (!isRecorded(request.url) || (owner !== undefined && owner !== target)) return;
  const previous = table.latest(requestId);
  if (previous && !redirectResponse) return;
  if (previous && redirectResponse) endHop(previous, sent, redirectResponse);
  const pending = pendingExchange(sent, { target, hop: (previous?.hop ?? -1) + 1, during: following.visits.shownTo(target) });
  if (table.add(pending)) recordRequestBody(pending, request, following);
}

/** Requests that use the network; `data:`, `blob:` and the browser's own pages do not. */
export function isRecorded(url: string): boolean {
  return /^(?:https?|wss?):/i.test(url);
}

function endHop(
  pending: PendingExchange,
  { timestamp, redirectHasExtraInfo }: Sent,
  response: NonNullable<Sent['redirectResponse']>,
): void {
  Object.assign(pending, { response, respondedAt: timestamp, hasExtra: redirectHasExtraInfo, redirected: true });
  pending.end = { timestamp, transferBytes: response.encodedDataLength };
}

function pendingExchange(
  { requestId, loaderId, frameId, type, initiator, request, wallTime, timestamp }: Sent,
  place: Pick<PendingExchange, 'target' | 'hop' | 'during'>,
): PendingExchange {
  return {
    ...UNANSWERED,
    ...place,
    requestId,
    loaderId,
    frameId,
    priority: request.initialPriority,
    wallTime,
    timestamp,
    // Chromium calls it `Other`.
    type: initiator.type === 'preflight' ? 'Preflight' : (type ?? 'Other'),
    initiator: redactUrls(initiator),
    method: request.method,
    url: withoutUserinfo(request.url + (request.urlFragment ?? '')),
    headers: withoutProxyHeaders(headerLines(request.headers)),
    rawHeaders: false,
  };
}

/** Short posted data comes with the event; longer data must be requested. */
function recordRequestBody(
  pending: PendingExchange,
  request: EventPayload<'Network.requestWillBeSent'>['request'],
  { spool, bodies }: Following,
): void {
  if (request.hasPostData !== true) return;
  const body = openBodyRecording(spool);
  pending.requestBody = body;
  const entries = request.postDataEntries ?? [];
  if (entries.length > 0 && entries.every(({ bytes }) => bytes !== undefined)) {
    for (const { bytes = '' } of entries) body.write(Buffer.from(bytes, 'base64'));
    body.end('complete');
  } else {
    bodies.readRequest(pending, body);
  }
}
