import type { Readable } from 'node:stream';

/** One header line; a name may occur more than once. HTTP/2 pseudo-headers begin with a colon. */
export interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

/** A body without its transfer and content codings. */
export interface ArchivedBody {
  /**
   * `complete` · `truncated` at the request's limit · `partial`: the load was interrupted, or was in progress when the recording ended ·
   * `missing`, `not-requested`: there is no body to store · `none`: the protocol allows no body.
   */
  readonly state: 'complete' | 'truncated' | 'partial' | 'missing' | 'not-requested' | 'none';
  /** Stored bytes. */
  readonly bytes: number;
  /** SHA-256 of a complete body, hex. */
  readonly sha256: string | undefined;
  /** May be called any number of times. */
  open(): Readable;
}

export interface ArchivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HeaderLine[];
  readonly body: ArchivedBody | undefined;
}

export interface ArchivedResponse {
  readonly status: number;
  readonly statusText: string;
  /** `http/1.1`, `h2`, `h3`. */
  readonly protocol: string;
  readonly headers: readonly HeaderLine[];
  readonly mimeType: string;
  readonly servedFrom: 'network' | 'memory-cache' | 'disk-cache' | 'prefetch-cache' | 'service-worker';
  /** The server's own address; undefined if the network was not used. */
  readonly remote: { readonly address: string; readonly port: number } | undefined;
  readonly body: ArchivedBody;
}

/** One request and its outcome: an exchange of the recorder has this shape, and a direct fetch is given it. */
export interface ArchivedExchange {
  readonly request: ArchivedRequest;
  /** Undefined if there was none. */
  readonly response: ArchivedResponse | undefined;
  /** `Document`, `Script`, `Fetch`, `EventSource`, `WebSocket`, `Preflight` ... of the protocol. */
  readonly resourceType: string;
  readonly timing: { readonly wallStart: Date };
  /** `unfinished`: the recording ended first. */
  readonly failure: { readonly netError: string; readonly canceled: boolean; readonly unfinished: boolean } | undefined;
}
