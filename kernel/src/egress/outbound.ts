import { trustIn } from './dial-upstream.js';
import { createDialer, type DialerOptions } from './dialer.js';
import {
  sendRequest,
  formatUrlForLog,
  openResponse,
  type OutboundRequest,
  type OutboundResponse,
  type OutboundStream,
} from './send-request.js';
import { OutboundError } from './outbound-error.js';
import { readUrl } from './read-url.js';
import type { AddressFilter, HostFilter, AllowRule } from './policy.js';
import type { ChooseUpstream } from './upstream.js';

/** The server's own requests to other hosts: rules, lists, keys, robots.txt. Never requests of pages. */
export interface Outbound {
  /** Adds a rule for every connection of every render and of `fetch`, from its next connection on. A reason refuses it. */
  addAddressFilter(filter: AddressFilter): void;
  /** Adds a rule for the names of all these connections, checked before lookup. */
  addHostFilter(filter: HostFilter): void;
  /** Adds exceptions for destinations set by the operator. They apply only to the rule that refuses metadata addresses. */
  addAllowRule(rule: AllowRule): void;
  /** Adds a choice of proxies for all these connections: the first one that names a proxy counts. */
  addUpstream(choose: ChooseUpstream): void;
  /** Adds hosts whose certificates the client does not verify. */
  addInsecureHosts(isInsecure: HostMatch): void;
  /**
   * Fetches by http or https, without cookies and credentials other than the given ones. `Authorization` and `Cookie` are sent to the first
   * origin only. Rejects with an `OutboundError`, or with the signal's reason; resolves for a response of any status.
   */
  fetch(url: string, options: OutboundOptions): Promise<OutboundResponse>;
  /**
   * Opens a body of any length by the same rules, without redirects: they are returned. The connection ends with the body, which the caller
   * reads or destroys, or with the signal.
   */
  open(
    url: string,
    options: Pick<OutboundOptions, 'headers' | 'namedByOperator' | 'proxy'> & { readonly signal: AbortSignal },
  ): Promise<OutboundStream>;
}

/** Whether a host, with the port of a connection, is one of those meant. */
export type HostMatch = (host: string, port: number) => boolean;

export interface OutboundOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Of the body, decoded. */
  readonly maxBytes: number;
  /** For all of it, redirects included. */
  readonly timeoutMs: number;
  /** Maximum number of redirects; default 5. With 0 a redirect itself is returned. */
  readonly maxRedirects?: number;
  /** Decides by status whether to read the response body; default: always. An unread body is empty and causes no errors. */
  readonly wantsBody?: (status: number) => boolean;
  readonly signal?: AbortSignal;
  /** The operator named the URL's host in a flag: it may have a private address. All other rules hold. Not for requests with redirects. */
  readonly namedByOperator?: boolean;
  /** The proxy of the render that the request belongs to: `plan.browser.proxy`. */
  readonly proxy?: string | undefined;
}

const MAX_REDIRECTS = 5;

/** "Redirect status" of the Fetch standard. */
export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}
const CREDENTIALS = new Set(['authorization', 'cookie', 'proxy-authorization']);

type OutboundParts = DialerOptions & {
  readonly addressFilters: AddressFilter[];
  readonly hostFilters?: HostFilter[];
  readonly allowRules?: AllowRule[];
  readonly upstreams?: ChooseUpstream[];
  /** `User-Agent` of requests that set none. */
  readonly userAgent?: string;
};

/** Shares the rules with the renders' egress: both read the same lists. */
export function createOutbound({
  addressFilters,
  hostFilters = [],
  allowRules = [],
  upstreams = [],
  authorities = [],
  userAgent = 'Platen',
  ...options
}: OutboundParts): Outbound {
  const lists = { ...options, authorities, addressFilters, hostFilters, allowRules, upstreams };
  const insecureHosts: HostMatch[] = [];
  const trust = { secureContext: trustIn(authorities), isInsecure: matchAny(insecureHosts) };
  return {
    ...addersOf({ ...lists, insecureHosts }),
    async fetch(url, { maxBytes, timeoutMs, maxRedirects = MAX_REDIRECTS, wantsBody = () => true, signal, ...first }) {
      const expired = AbortSignal.timeout(timeoutMs);
      const nextOf = ({ status, headers }: Pick<OutboundResponse, 'status' | 'headers'>): string | undefined =>
        maxRedirects > 0 && isRedirect(status) ? headers['location'] : undefined;
      const dialer = createDialer({ ...lists, namedByOperator: first.namedByOperator ?? false, proxy: () => first.proxy });
      const way = {
        ...{ dialer, ...trust, maxBytes },
        wants: (answer: Pick<OutboundResponse, 'status' | 'headers'>) => nextOf(answer) === undefined && wantsBody(answer.status),
        signal: signal ? AbortSignal.any([signal, expired]) : expired,
      };
      const follow = async (request: OutboundRequest, left: number): Promise<OutboundResponse> => {
        const answer = await sendRequest(request, way);
        const next = nextOf(answer);
        if (next !== undefined && left === 0) throw tooManyRedirects(request.url, maxRedirects);
        return next === undefined ? answer : follow(redirect(request, answer.status, next), left - 1);
      };
      try {
        return await follow(openRequest(url, { ...first, headers: { 'user-agent': userAgent, ...first.headers } }), maxRedirects);
      } catch (error) {
        signal?.throwIfAborted();
        if (expired.aborted)
          throw new OutboundError('timeout', `${formatUrlForLog(new URL(url))} did not respond within ${String(timeoutMs)} ms`, error);
        throw error;
      } finally {
        dialer.close();
      }
    },
    open: (url, { headers, signal, namedByOperator = false, proxy }) => {
      const request = openRequest(url, { headers: { 'user-agent': userAgent, ...headers } });
      const dialer = createDialer({ ...lists, namedByOperator, proxy: () => proxy });
      // The address is known once the response has begun.
      return openResponse(request, { dialer, ...trust, signal }).finally(dialer.close);
    },
  };
}

type Lists = Required<Pick<OutboundParts, 'addressFilters' | 'hostFilters' | 'allowRules' | 'upstreams'>> & {
  readonly insecureHosts: HostMatch[];
};

function matchAny(matches: readonly HostMatch[]): HostMatch {
  return (host, port) => matches.some((isMatch) => isMatch(host, port));
}

function addersOf({ addressFilters, hostFilters, allowRules, upstreams, insecureHosts }: Lists): Omit<Outbound, 'fetch' | 'open'> {
  return {
    addAddressFilter: (filter) => void addressFilters.push(filter),
    addHostFilter: (filter) => void hostFilters.push(filter),
    addAllowRule: (rule) => void allowRules.push(rule),
    addUpstream: (choose) => void upstreams.push(choose),
    addInsecureHosts: (isInsecure) => void insecureHosts.push(isInsecure),
  };
}

/** The client for requests on behalf of a render: through the proxy that it names, if any. */
export function outboundThrough(proxy: string | undefined, outbound: Outbound): Outbound {
  if (proxy === undefined) return outbound;
  return {
    ...outbound,
    fetch: (url, options) => outbound.fetch(url, { ...options, proxy }),
    open: (url, options) => outbound.open(url, { ...options, proxy }),
  };
}

function openRequest(
  url: string,
  { method = 'GET', headers = {}, body }: Pick<OutboundOptions, 'method' | 'headers' | 'body'>,
): OutboundRequest {
  const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { url: new URL(url), method, headers: lowered, body };
}

function tooManyRedirects(url: URL, most: number): OutboundError {
  return new OutboundError('redirects', `${formatUrlForLog(url)} redirects more than ${String(most)} times`);
}

/** The next request of a redirect (Fetch standard, HTTP-redirect fetch, steps 11 to 15). */
function redirect({ url, method, headers, body }: OutboundRequest, status: number, location: string): OutboundRequest {
  const next = readUrl(location, url.href);
  if (next === undefined) throw new OutboundError('unreachable', `${formatUrlForLog(url)} redirects to an invalid URL`);
  const sentHeaders = next.origin === url.origin ? headers : withoutCredentials(headers);
  const becomesGet = status === 303 ? method !== 'HEAD' : method === 'POST' && status < 303;
  return becomesGet
    ? { url: next, method: 'GET', headers: sentHeaders, body: undefined }
    : { url: next, method, headers: sentHeaders, body };
}

function withoutCredentials(headers: OutboundRequest['headers']): OutboundRequest['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIALS.has(name)));
}

/** Of RFC 9111, 1.2.2: a longer number counts as this one. */
const LONGEST_SECONDS = 2 ** 31;

/** `Retry-After` in whole seconds from now (RFC 9110, 10.2.3: a number, or a date); undefined if it is absent or neither. */
export function readRetryAfter(text: string | undefined): number | undefined {
  const value = text?.trim() ?? '';
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(LONGEST_SECONDS, Math.max(0, seconds));
}
