import type { Readable } from 'node:stream';
import type { EventPayload, TargetKind } from '@platen/kernel';

type SentEvent = EventPayload<'Network.requestWillBeSent'>;
type Received = EventPayload<'Network.responseReceived'>['response'];

/** One header line; a name may come more than once. HTTP/1 names keep their case, HTTP/2 ones are lower case and begin with the pseudo-headers. */
export interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

/**
 * `whole` · `truncated` at the request's limit · `partial`: the load broke off, or was under way when the recording ended · `missing`:
 * the browser did not have it any more · `unasked`: nobody wanted bodies · `none`: by the protocol there is none.
 */
export type BodyState = 'complete' | 'truncated' | 'partial' | 'missing' | 'not-requested' | 'none';

/** A body without its transfer and content codings. */
export interface ExchangeBody {
  readonly state: BodyState;
  /** Bytes that are kept. */
  readonly bytes: number;
  /** Bytes that the page got, as far as they were told. */
  readonly seen: number;
  /** What is kept is valid UTF-8, but for a last character that was cut. */
  readonly utf8: boolean;
  /** Of a whole body, hex. */
  readonly sha256: string | undefined;
  /** Bytes as the page got them; false where the browser gave text that it had decoded: then they are that text in UTF-8. */
  readonly exact: boolean;
  /** May be called any number of times until the render is over. */
  open(): Readable;
}

export interface ExchangeRequest {
  readonly method: string;
  /** Without userinfo; with its fragment. */
  readonly url: string;
  readonly headers: readonly HeaderLine[];
  /** As they were sent, but for their order, which the protocol does not tell; false: what the renderer meant to send. */
  readonly rawHeaders: boolean;
  readonly body: ExchangeBody | undefined;
}

export type ServedFrom = 'network' | 'memory-cache' | 'disk-cache' | 'prefetch-cache' | 'service-worker';

export interface ExchangeResponse {
  /** What the server answered: 304 where the cache's answer was confirmed. */
  readonly status: number;
  readonly statusText: string;
  /** `http/1.1`, `h2`, `h3`. */
  readonly protocol: string;
  readonly headers: readonly HeaderLine[];
  /** The lines as they came. */
  readonly rawHeaders: boolean;
  /** Bytes of status line and headers on the wire, where HTTP/1 was spoken. */
  readonly headerBytes: number | undefined;
  readonly mimeType: string;
  /** Where a redirect leads. */
  readonly redirectUrl: string | undefined;
  readonly servedFrom: ServedFrom;
  /** Bytes that came over the network, headers and codings included; undefined where the load has no end, or Chromium did not count them. */
  readonly transferBytes: number | undefined;
  /** The server's own address, not that of Platen's proxy; undefined where the network was not asked. */
  readonly remote: { readonly address: string; readonly port: number } | undefined;
  /** Tells connections of the browser apart; undefined where none was used. */
  readonly connectionId: string | undefined;
  readonly security: Received['securityDetails'];
  readonly body: ExchangeBody;
}

/** Times in milliseconds of one clock without leaps; `wallStart` puts it on the calendar. */
export interface ExchangeTiming {
  readonly wallStart: Date;
  readonly started: number;
  readonly responded: number | undefined;
  readonly finished: number | undefined;
  /** `Network.ResourceTiming`: its `requestTime` in seconds of the same clock, all else in milliseconds from there. */
  readonly phases: Received['timing'];
}

export interface ExchangeFailure {
  /** Chromium's name, made more exact by what Platen's proxy saw: `net::ERR_NAME_NOT_RESOLVED`; for a load without an end `net::ERR_IO_PENDING`. */
  readonly netError: string;
  readonly cancelled: boolean;
  /** The recording ended first. */
  readonly unfinished: boolean;
  /** Who refused it, `csp`, `inspector`, `mixed-content` ... or the CORS rule that it broke. */
  readonly reason: string | undefined;
}

export interface WebSocketMessage {
  readonly direction: 'send' | 'receive';
  /** Seconds since 1970. */
  readonly time: number;
  /** RFC 6455: 1 text, 2 binary. */
  readonly opcode: number;
  /** Text, or base64 where binary. */
  readonly data: string;
  /** The characters of data that is longer than what is kept of one message; then `data` is empty. */
  readonly leftOut?: number;
}

export interface WebSocketTraffic {
  readonly messages: number;
  /** Messages that were omitted because of the request's limit or for want of room. */
  readonly omitted: number;
  read(): AsyncIterable<WebSocketMessage>;
}

/** One request and what became of it; each hop of a redirect is one. */
export interface Exchange {
  /** The protocol's id; hops of one redirect chain share it. */
  readonly requestId: string;
  /** 0 for the first request of a chain. */
  readonly hop: number;
  /** The page visit that it belongs to. */
  readonly visitId: string | undefined;
  readonly target: { readonly id: string; readonly kind: TargetKind };
  readonly frameId: string | undefined;
  readonly loaderId: string;
  /** `Document`, `Script`, `Fetch`, `WebSocket`, `Preflight` ... */
  readonly resourceType: string;
  readonly priority: string | undefined;
  readonly initiator: SentEvent['initiator'];
  readonly request: ExchangeRequest;
  /** Undefined where none came. */
  readonly response: ExchangeResponse | undefined;
  readonly timing: ExchangeTiming;
  readonly failure: ExchangeFailure | undefined;
  readonly webSocket: WebSocketTraffic | undefined;
}

/** One main document of the page. */
export interface PageNavigationRecord {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly wallStart: Date;
  /** Milliseconds from the start of its request. */
  readonly contentLoadedMs: number | undefined;
  readonly loadedMs: number | undefined;
}

/** What was recorded. It stays until the render is over. */
export interface ExchangeRecord {
  /** `Chromium/156.0.8078.79` */
  readonly browser: { readonly name: string; readonly version: string };
  /** In order; the last is the page that was captured. */
  readonly visits: readonly PageNavigationRecord[];
  readonly count: number;
  /** Requests beyond what one recording holds. */
  readonly dropped: number;
  /** By the start of the request. */
  exchanges(): AsyncIterable<Exchange>;
}

declare module '@platen/kernel' {
  interface CaptureKinds {
    network: ExchangeRecord;
  }
}
