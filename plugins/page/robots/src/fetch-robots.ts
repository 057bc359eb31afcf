import { OutboundError, readUrl, type Outbound, type OutboundResponse } from '@platen/kernel';
import { lifetimeOf, UNREACHABLE_MS } from './lifetime.js';
import { MAX_BYTES, parseRobots, type RobotsRules } from './parse-robots.js';

/** What an origin's robots.txt comes to. */
export type RobotsAnswer = {
  /** Milliseconds for which it holds from now on; 0: it holds for who asked, and is not kept. */
  readonly lifetimeMs: number;
  /** Bytes that keeping it takes, about. */
  readonly size: number;
} & (
  | { readonly kind: 'rules'; readonly rules: RobotsRules }
  /**
   * The origin's rules are not known, so it is disallowed as a whole (RFC 9309, 2.3.1.4). `unconnected`: there was not even a connection
   * with the origin, so the target's own failure says more. `passing`: another try may have them.
   */
  | { readonly kind: 'unreachable'; readonly why: string; readonly unconnected: boolean; readonly passing: boolean }
);

export type Fetch = Outbound['fetch'];

/** Group names that this program goes by (RFC 9309, 2.2.1). */
const PRODUCT = 'Platen';
/** How long an origin may take for its robots.txt, redirects included. */
const TIMEOUT_MS = 10_000;
/** RFC 9309, 2.3.1.2: at least five are followed, also to other origins. */
const MAX_REDIRECTS = 5;
/** A longer file is no robots.txt; of one that is not, the first 500 KiB are read. */
const MAX_BODY = 10 * 1024 * 1024;

/** Asks an origin for its rules (RFC 9309, 2.3). Never rejects. */
export async function fetchRobots(ask: Fetch, origin: string): Promise<RobotsAnswer> {
  const started = performance.now();
  let url = `${origin}/robots.txt`;
  for (let hop = 0; ; hop++) {
    let response: OutboundResponse;
    try {
      const timeoutMs = Math.max(1, Math.round(TIMEOUT_MS - (performance.now() - started)));
      const headers = { accept: 'text/plain, */*;q=0.1' };
      response = await ask(url, { maxBytes: MAX_BODY, timeoutMs, maxRedirects: 0, wantsBody: isSuccess, headers });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const unconnected = hop === 0 && isUnconnected(error);
      return unreachable(why, { unconnected, keep: !unconnected && !isBlocked(error), passing: isPassing(error) });
    }
    const { status, headers } = response;
    const location = status >= 300 && status < 400 ? headers['location'] : undefined;
    if (location === undefined) return answerOf(response, url);
    const next = readUrl(location, url);
    if (hop === MAX_REDIRECTS || next === undefined || !/^https?:/.test(next.protocol)) return nothing(headers);
    url = next.href;
  }
}

/** What any other status says, its body cannot change. */
function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

function answerOf({ status, headers, body }: OutboundResponse, url: string): RobotsAnswer {
  if (status >= 500 || status === 429)
    return unreachable(`${url} answers with status ${String(status)}`, { unconnected: false, keep: true, passing: true });
  if (!isSuccess(status)) return nothing(headers);
  const text = body.subarray(0, MAX_BYTES).toString();
  return { kind: 'rules', rules: parseRobots(text, PRODUCT), lifetimeMs: lifetimeOf(headers), size: text.length * 4 + 1000 };
}

/** RFC 9309, 2.3.1.3: without the file, everything is allowed. */
function nothing(headers: OutboundResponse['headers']): RobotsAnswer {
  return { kind: 'rules', rules: parseRobots('', PRODUCT), lifetimeMs: lifetimeOf(headers), size: 1000 };
}

interface Fault {
  readonly unconnected: boolean;
  /** Not where the site may listen, or the egress let it pass, the moment after. */
  readonly keep: boolean;
  /** Another try may have the file. */
  readonly passing: boolean;
}

function unreachable(why: string, { keep, ...fault }: Fault): RobotsAnswer {
  return { ...fault, kind: 'unreachable', why, lifetimeMs: keep ? UNREACHABLE_MS : 0, size: 1000 };
}

/** By the rules of the egress, which may change while the server runs. */
function isBlocked(error: unknown): boolean {
  return error instanceof OutboundError && error.reason === 'blocked';
}

/** No name, no address, nobody who listens, no certificate: what the browser would find too. */
function isUnconnected(error: unknown): boolean {
  if (!(error instanceof OutboundError)) return false;
  if (isBlocked(error)) return true;
  const { cause } = error;
  if (error.reason !== 'unreachable' || !(cause instanceof Error)) return false;
  return cause.name === 'DialError' || ('code' in cause && (NOBODY.test(String(cause.code)) || TLS.test(String(cause.code))));
}

/** Not what a rule of the egress refuses, nor a certificate, nor an answer that is no HTTP or too long. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof OutboundError)) return true;
  const { reason, cause } = error;
  if (reason === 'timeout') return true;
  return reason === 'unreachable' && !(cause instanceof Error && 'code' in cause && TLS.test(String(cause.code)));
}

const NOBODY = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/;
const TLS = /^EPROTO$|CERT|SSL|TLS|SIGNATURE/;
