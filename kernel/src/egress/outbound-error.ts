/**
 * `blocked`: a rule refused the address. `proxy`: the proxy that connections go through has failed. `too_large`: more than `maxBytes`. `malformed`: the response is not HTTP, or does not match its
 * content coding. Its message names the URL without credentials.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly reason: 'blocked' | 'proxy' | 'unreachable' | 'malformed' | 'too_large' | 'redirects' | 'timeout' | 'scheme';

  constructor(reason: OutboundError['reason'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}
