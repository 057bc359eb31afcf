import type { Readable } from 'node:stream';
import type { EventPayload, TargetKind } from '@platen/kernel';

type SentEvent = EventPayload<'Network.requestWillBeSent'>;
type Received = EventPayload<'Network.responseReceived'>['response'];

/**
 * One header line; a name may occur more than once. HTTP/1 names keep their case; HTTP/2 names are lower case and begin with the
 * pseudo-headers.
 */
export interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

/**
 * `complete` · `truncated` at the request's limit · `partial`: the load was interrupted, or was in progress when the recording ended ·
 * `missing`: the browser no longer had it · `not-requested`: no output uses bodies · `none`: the protocol allows no body.
 */
export type BodyState = 'complete' | 'truncated' | 'partial' | 'missing' | 'not-requested' | 'none';

/** A body without its transfer and content codings. */
export interface ExchangeBody {
  readonly state: BodyState;
  /** Stored bytes. */
  readonly bytes: number;
  /** Bytes that the page received, as far as they were reported. */
  readonly seen: number;
  /** The stored bytes are valid UTF-8, except for a truncated last character. */
  readonly utf8: boolean;
  /** Of a complete body, hex. */
  readonly sha256: string | undefined;
  /** Bytes as the page received them; false: the browser returned decoded text, and the bytes are that text in UTF-8. */
  readonly exact: boolean;
  /** May be called any number of times until the render is over. */
  open(): Readable;
}

export interface ExchangeRequest {
  readonly method: string;
  /** Without userinfo; with its fragment. */
  readonly url: string;
  readonly headers: readonly HeaderLine[];
  /** As sent, except for their order, which the protocol does not report; false: as the renderer intended to send them. */
  readonly rawHeaders: boolean;
  readonly body: ExchangeBody | undefined;
}

export type ServedFrom = 'network' | 'memory-cache' | 'disk-cache' | 'prefetch-cache' | 'service-worker';

export interface ExchangeResponse {
  /** The status from the server: 304 if the cached response was revalidated. */
  readonly status: number;
  readonly statusText: string;
  /** `http/1.1`, `h2`, `h3`. */
  readonly protocol: string;
  readonly headers: readonly HeaderLine[];
  /** The lines as received. */
  readonly rawHeaders: boolean;
  /** Bytes of status line and headers on the wire, if the protocol is HTTP/1. */
  readonly headerBytes: number | undefined;
  readonly mimeType: string;
  /** Where a redirect leads. */
  readonly redirectUrl: string | undefined;
  readonly servedFrom: ServedFrom;
  /** Bytes received over the network, including headers and codings; undefined if the load is unfinished or Chromium did not count them. */
  readonly transferBytes: number | undefined;
  /** The server's own address, not that of Platen's proxy; undefined if the network was not used. */
  readonly remote: { readonly address: string; readonly port: number } | undefined;
  /** Distinguishes connections of the browser; undefined if none was used. */
  readonly connectionId: string | undefined;
  readonly security: Received['securityDetails'];
  readonly body: ExchangeBody;
}

/** Times in milliseconds of a monotonic clock; `wallStart` is the corresponding date. */
export interface ExchangeTiming {
  readonly wallStart: Date;
  readonly started: number;
  readonly responded: number | undefined;
  readonly finished: number | undefined;
  /** `Network.ResourceTiming`: its `requestTime` in seconds of the same clock, all else in milliseconds from there. */
  readonly phases: Received['timing'];
}

export interface ExchangeFailure {
  /**
   * Chromium's error name, refined by data from Platen's proxy: `net::ERR_NAME_NOT_RESOLVED`; for an unfinished load
   * `net::ERR_IO_PENDING`.
   */
  readonly netError: string;
  readonly canceled: boolean;
  /** The recording ended first. */
  readonly unfinished: boolean;
  /** The cause of the refusal, `csp`, `inspector`, `mixed-content` ... or the CORS rule that it violated. */
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
  /** Length in characters of data that exceeds the limit of one stored message; then `data` is empty. */
  readonly omittedCharacters?: number;
}

export interface WebSocketTraffic {
  readonly messages: number;
  /** Messages that were omitted because of the request's limit or because storage was full. */
  readonly omitted: number;
  read(): AsyncIterable<WebSocketMessage>;
}

/** One request and its outcome. Each hop of a redirect is an exchange. */
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
  /** Undefined if there was none. */
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

/** The result of a recording. It is available until the render ends. */
export interface ExchangeRecord {
  /** `Chromium/156.0.8078.79` */
  readonly browser: { readonly name: string; readonly version: string };
  /** In order; the last is the page that was captured. */
  readonly visits: readonly PageNavigationRecord[];
  readonly count: number;
  /** Requests beyond the limit of one recording. */
  readonly dropped: number;
  /** By the start of the request. */
  exchanges(): AsyncIterable<Exchange>;
}

declare module '@platen/kernel' {
  interface CaptureKinds {
    network: ExchangeRecord;
  }
}
