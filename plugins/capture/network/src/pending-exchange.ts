import { createInterface } from 'node:readline';
import type { EventPayload, TargetSession } from '@platen/kernel';
import type { HeaderLine, WebSocketMessage, WebSocketTraffic } from './exchange.js';
import type { BodyRecording, RecordingSpool } from './body-recording.js';

export type Sent = EventPayload<'Network.requestWillBeSent'>;
export type Received = EventPayload<'Network.responseReceived'>['response'];

/** Data of an ExtraInfo event, without the reasons for its cookies. */
export interface Extra {
  readonly headers: readonly HeaderLine[];
  readonly status: number | undefined;
  /** The reason phrase of an HTTP/1 status line. */
  readonly statusText: string | undefined;
}

export interface Handshake {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly HeaderLine[];
  readonly rawHeaders: boolean;
}

/** Main documents, by the ids of their loaders. */
export interface ShownDocuments {
  readonly byPage: string | undefined;
  /** By the popup that made the request, or the page; undefined before its first document. */
  readonly byTab: string | undefined;
}

/** One request in progress, filled in by events from all sessions that report it. */
export interface PendingExchange {
  readonly requestId: string;
  readonly hop: number;
  readonly target: TargetSession;
  /** The main documents that were shown when it began. */
  readonly during: ShownDocuments;
  readonly loaderId: string;
  readonly frameId: string | undefined;
  readonly type: string;
  readonly priority: string | undefined;
  readonly initiator: Sent['initiator'];
  readonly method: string;
  readonly url: string;
  headers: readonly HeaderLine[];
  rawHeaders: boolean;
  /** Seconds since 1970. */
  wallTime: number;
  /** Seconds of the protocol's monotonic clock. */
  timestamp: number;
  requestBody: BodyRecording | undefined;
  response: Received | undefined;
  respondedAt: number | undefined;
  /** The response to a WebSocket request. */
  handshake: Handshake | undefined;
  /** Whether ExtraInfo follows; undefined if no response reported it. */
  hasExtra: boolean | undefined;
  memoryCached: boolean;
  redirected: boolean;
  /** The session that reports its data. Data from other sessions is not counted. */
  reportedBy: TargetSession | undefined;
  /** Bytes of the body, decoded. */
  seen: number;
  end: { readonly timestamp: number; readonly transferBytes: number | undefined } | undefined;
  failure: Pick<EventPayload<'Network.loadingFailed'>, 'errorText' | 'canceled' | 'blockedReason' | 'corsErrorStatus'> | undefined;
  body: BodyRecording | undefined;
  socket: SocketRecording | undefined;
}

/** The members of a request that no event has filled in. */
export const UNANSWERED = {
  requestBody: undefined,
  response: undefined,
  respondedAt: undefined,
  handshake: undefined,
  hasExtra: undefined,
  memoryCached: false,
  redirected: false,
  reportedBy: undefined,
  seen: 0,
  end: undefined,
  failure: undefined,
  body: undefined,
  socket: undefined,
} as const satisfies Partial<PendingExchange>;

/** The hops of one protocol id. */
export interface RedirectChain {
  readonly owner: TargetSession | undefined;
  readonly hops: readonly PendingExchange[];
  /** In the order of the hops that have them, by the reporting session. */
  readonly sentExtras: ReadonlyMap<TargetSession, readonly Extra[]>;
  readonly receivedExtras: ReadonlyMap<TargetSession, readonly Extra[]>;
}

/** The messages of one WebSocket, written to the spool as one line of JSON each. */
interface SocketRecording {
  add(message: WebSocketMessage): void;
  describe(): WebSocketTraffic;
}

/** Maximum characters of a stored message, because a text is copied several times on its way into the spool. */
const LONGEST = 16 * 2 ** 20;

/** RFC 6455, 5.2. */
const TEXT = 1;

/** `limit`: maximum characters of stored messages, counted in whole messages. */
export function openSocketRecording(spool: RecordingSpool, limit = Infinity): SocketRecording {
  const writer = spool.openWriter();
  let stored = 0;
  let messages = 0;
  let omitted = 0;
  let full = false;
  return {
    add(given) {
      const message =
        given.data.length > LONGEST ? { ...given, data: '', omittedCharacters: given.data.length } : redactMessage(given, spool.redaction);
      full ||= stored + message.data.length > limit || !writer.write(lineOf(message));
      if (full) omitted += 1;
      else {
        stored += message.data.length;
        messages += 1;
      }
    },
    describe: () => ({ messages, omitted, read: () => read(writer.open()) }),
  };
}

function redactMessage(message: WebSocketMessage, redaction: RecordingSpool['redaction']): WebSocketMessage {
  if (redaction === undefined) return message;
  return { ...message, data: message.opcode === TEXT ? redaction.text(message.data) : redaction.base64(message.data) };
}

/** Node's line reader treats these two characters as line ends, and JSON does not escape them. */
function lineOf(message: WebSocketMessage): Buffer {
  const text = JSON.stringify(message).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return Buffer.from(`${text}\n`);
}

async function* read(lines: NodeJS.ReadableStream): AsyncGenerator<WebSocketMessage> {
  // Written by `add`.
  for await (const line of createInterface({ input: lines, crlfDelay: Infinity })) yield JSON.parse(line) as WebSocketMessage;
}
