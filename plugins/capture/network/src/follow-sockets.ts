import { type EventPayload, type TargetSession, withoutUserinfo } from '@platen/kernel';
import { openSocketRecording, type PendingExchange, UNANSWERED } from './pending-exchange.js';
import { isRecorded, type Following } from './follow-requests.js';
import { headerLines, parseHeaderBlock, receivedHeaders, withoutProxyHeaders } from './header-lines.js';
import { redactUrls } from './redact-exchange.js';
import type { WebSocketMessage } from './exchange.js';

/** Fills the table with one target's WebSockets. `limit`: stored characters of messages per socket. Returns a function that ends it. */
export function followSockets(target: TargetSession, following: Following, limit: number | undefined): () => void {
  const { table, spool } = following;
  const message = (direction: WebSocketMessage['direction']) => (event: EventPayload<'Network.webSocketFrameSent'>) => {
    const { requestId, timestamp, response } = event;
    const pending = table.latest(requestId);
    const time = (pending?.wallTime ?? 0) + timestamp - (pending?.timestamp ?? 0);
    pending?.socket?.add({ direction, time, opcode: response.opcode, data: response.payloadData });
  };
  const listening = [
    target.on('Network.webSocketCreated', (created) => {
      if (!isRecorded(created.url) || table.latest(created.requestId)) return;
      const pending = pendingExchange(created, target, following.visits.shownTo(target));
      if (table.add(pending)) pending.socket = openSocketRecording(spool, limit);
    }),
    target.on('Network.webSocketWillSendHandshakeRequest', ({ requestId, request, timestamp, wallTime }) => {
      const pending = table.latest(requestId);
      if (pending) Object.assign(pending, { timestamp, wallTime, headers: withoutProxyHeaders(headerLines(request.headers)) });
    }),
    target.on('Network.webSocketHandshakeResponseReceived', (event) => {
      const pending = table.latest(event.requestId);
      if (pending) recordHandshake(pending, event);
    }),
    target.on('Network.webSocketFrameSent', message('send')),
    target.on('Network.webSocketFrameReceived', message('receive')),
    target.on('Network.webSocketFrameError', ({ requestId, errorMessage }) => {
      const pending = table.latest(requestId);
      // Chromium's message may end with the error's name, and otherwise contains more than the name.
      const errorText = /net::ERR_\w+/.exec(errorMessage)?.[0] ?? 'net::ERR_FAILED';
      if (pending) pending.failure ??= { errorText };
    }),
    target.on('Network.webSocketClosed', ({ requestId, timestamp }) => {
      const pending = table.latest(requestId);
      if (!pending) return;
      pending.end = { timestamp, transferBytes: undefined };
      if (!pending.response) pending.failure ??= { errorText: 'net::ERR_FAILED' };
    }),
  ];
  return () => {
    for (const stop of listening) stop();
  };
}

function pendingExchange(
  { requestId, url, initiator }: EventPayload<'Network.webSocketCreated'>,
  target: TargetSession,
  during: PendingExchange['during'],
): PendingExchange {
  return {
    ...UNANSWERED,
    requestId,
    hop: 0,
    target,
    during,
    loaderId: '',
    frameId: undefined,
    type: 'WebSocket',
    priority: undefined,
    method: 'GET',
    initiator: redactUrls(initiator ?? { type: 'other' }),
    url: withoutUserinfo(url),
    headers: [],
    rawHeaders: false,
    wallTime: Date.now() / 1000,
    timestamp: Number.NaN,
    hasExtra: false,
  };
}

function recordHandshake(
  pending: PendingExchange,
  { timestamp, response }: EventPayload<'Network.webSocketHandshakeResponseReceived'>,
): void {
  const { status, statusText, headers, headersText, requestHeaders, requestHeadersText } = response;
  if (requestHeadersText !== undefined) {
    pending.headers = withoutProxyHeaders(parseHeaderBlock(requestHeadersText));
    pending.rawHeaders = true;
  } else if (requestHeaders !== undefined) {
    pending.headers = withoutProxyHeaders(headerLines(requestHeaders));
  }
  pending.respondedAt = timestamp;
  pending.handshake = {
    status,
    statusText,
    headers: receivedHeaders(headers, headersText).lines,
    rawHeaders: headersText !== undefined,
  };
}
