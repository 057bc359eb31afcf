import { type Outbound, OutboundError, type OutboundResponse, readUrl } from '@platen/kernel';
import { MAX_BYTES, parseRobots, type RobotsRules } from './parse-robots.js';

/** Maximum time that rules are used without a refresh (RFC 9309, 2.4). */
const LONGEST_MS = 24 * 60 * 60 * 1000;

/** Used if the response has no cache lifetime. */
const USUAL_MS = 60 * 60 * 1000;

/** Minimum for every response, so that many renders of one site within minutes fetch once. */
const SHORTEST_MS = 5 * 60 * 1000;

/** Time until unavailable rules are fetched again. */
const UNREACHABLE_MS = 60 * 1000;

/** The result of fetching an origin's robots.txt. */
export type RobotsAnswer = {
  /** Milliseconds for which the result is valid. 0: valid for the waiting callers only, and not cached. */
  readonly lifetimeMs: number;
  /** Approximate memory size in bytes. */
  readonly size: number;
} & (
  | { readonly kind: 'rules'; readonly rules: RobotsRules }
  /**
   * The rules are unknown, so the whole origin is disallowed (RFC 9309, 2.3.1.4). `unconnected`: there was no connection with the origin,
   * so the browser's own error for the target is more useful. `passing`: a retry may succeed.
   */
  | { readonly kind: 'unreachable'; readonly why: string; readonly unconnected: boolean; readonly passing: boolean }
);

export type Fetch = Outbound['fetch'];

/** The group name for this program (RFC 9309, 2.2.1). */
const PRODUCT = 'Platen';
/** Time limit for an origin's robots.txt, including redirects. */
const TIMEOUT_MS = 10_000;
/** RFC 9309, 2.3.1.2: follow at least five redirects, also to other origins. */
const MAX_REDIRECTS = 5;
/** A longer response is rejected as not being a robots.txt; of others, the first 500 KiB are parsed. */
const MAX_BODY = 10 * 1024 * 1024;

/** Fetches an origin's rules (RFC 9309, 2.3). Never rejects. */
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

/** For all other statuses the body is irrelevant. */
function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

function answerOf({ status, headers, body }: OutboundResponse, url: string): RobotsAnswer {
  if (status >= 500 || status === 429)
    return unreachable(`${url} responds with status ${String(status)}`, { unconnected: false, keep: true, passing: true });
  if (!isSuccess(status)) return nothing(headers);
  const text = body.subarray(0, MAX_BYTES).toString();
  return { kind: 'rules', rules: parseRobots(text, PRODUCT), lifetimeMs: lifetimeOf(headers), size: text.length * 4 + 1000 };
}

/** RFC 9309, 2.3.1.3: without the file, everything is allowed. */
function nothing(headers: OutboundResponse['headers']): RobotsAnswer {
  return { kind: 'rules', rules: parseRobots('', PRODUCT), lifetimeMs: lifetimeOf(headers), size: 1000 };
}

interface Failure {
  readonly unconnected: boolean;
  /** False for errors that may be gone a moment later: the site does not listen yet, or the egress rules block it. */
  readonly keep: boolean;
  /** Whether a retry may succeed. */
  readonly passing: boolean;
}

function unreachable(why: string, { keep, ...failure }: Failure): RobotsAnswer {
  return { ...failure, kind: 'unreachable', why, lifetimeMs: keep ? UNREACHABLE_MS : 0, size: 1000 };
}

/** Blocked by egress rules, which may change while the server runs. */
function isBlocked(error: unknown): boolean {
  return error instanceof OutboundError && error.reason === 'blocked';
}

/** Name resolution, connection or certificate errors, which the browser would encounter too. */
function isUnconnected(error: unknown): boolean {
  if (!(error instanceof OutboundError)) return false;
  if (isBlocked(error) || error.reason === 'proxy') return true;
  const { cause } = error;
  if (error.reason !== 'unreachable' || !(cause instanceof Error)) return false;
  return cause.name === 'DialError' || ('code' in cause && (NO_LISTENER.test(String(cause.code)) || TLS.test(String(cause.code))));
}

/** False for blocked addresses, certificate errors, and responses that are not HTTP or too long. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof OutboundError)) return true;
  const { reason, cause } = error;
  if (reason === 'timeout' || reason === 'proxy') return true;
  return reason === 'unreachable' && !(cause instanceof Error && 'code' in cause && TLS.test(String(cause.code)));
}

const NO_LISTENER = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/;
const TLS = /^EPROTO$|CERT|SSL|TLS|SIGNATURE/;

/** Milliseconds for which a response is fresh: `Cache-Control` max-age minus `Age` (RFC 9111, 4.2), within the limits above. */
function lifetimeOf(headers: Readonly<Record<string, string>>): number {
  const control = (headers['cache-control'] ?? '').toLowerCase();
  if (/\bno-(?:store|cache)\b/.test(control)) return SHORTEST_MS;
  const seconds = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,10})/.exec(control)?.[1];
  if (seconds === undefined) return USUAL_MS;
  const age = /^\d{1,10}$/.test(headers['age'] ?? '') ? Number(headers['age']) : 0;
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (Number(seconds) - age) * 1000));
}
