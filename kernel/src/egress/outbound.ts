import { createSecureContext, rootCertificates } from 'node:tls';
import { createDialler, type DiallerOptions } from './dialler.js';
import { exchange, nameUrl, type Ask, type OutboundResponse } from './exchange.js';
import { OutboundError } from './outbound-error.js';
import { readUrl } from '../read-url.js';
import type { Judge, NameJudge, Permit } from './policy.js';

/** What the server itself asks of other hosts: rules, lists, keys, robots.txt. Never what a page asks for. */
export interface Outbound {
  /** Adds a rule for every connection of every render and of `fetch`, from its next connection on. A reason refuses it. */
  judge(judge: Judge): void;
  /** Adds a rule for the names of all these connections, asked before they are looked up. */
  judgeName(judge: NameJudge): void;
  /** Adds exceptions from the rule that metadata addresses are refused, and from no other: what the operator has named. */
  permit(permit: Permit): void;
  /**
   * Fetches by http or https, with no cookie and no credentials but those given; `Authorization` and `Cookie` stay with the first
   * origin. Rejects with an `OutboundError`, or with the signal's reason; an answer of any status is an answer.
   */
  fetch(url: string, options: OutboundOptions): Promise<OutboundResponse>;
}

export interface OutboundOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Of the body, decoded. */
  readonly maxBytes: number;
  /** For all of it, redirects included. */
  readonly timeoutMs: number;
  /** How many redirects are followed; default 5. With 0 a redirect is the answer. */
  readonly maxRedirects?: number;
  /** By its status, whether the body of the answer is wanted; default: always. Else it is not read, and empty: it cannot be wrong. */
  readonly wantsBody?: (status: number) => boolean;
  readonly signal?: AbortSignal;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const CREDENTIALS = new Set(['authorization', 'cookie', 'proxy-authorization']);

type OutboundParts = DiallerOptions & {
  readonly judges: Judge[];
  readonly nameJudges?: NameJudge[];
  readonly permits?: Permit[];
  /** Certificate authorities beside Node's own, as PEM texts. */
  readonly authorities?: readonly string[];
};

/** Shares the rules with the renders' egress: both read the same lists. */
export function createOutbound({ judges, nameJudges = [], permits = [], authorities = [], ...options }: OutboundParts): Outbound {
  const secureContext = authorities.length === 0 ? undefined : createSecureContext({ ca: [...rootCertificates, ...authorities] });
  return {
    judge(judge) {
      judges.push(judge);
    },
    judgeName(judge) {
      nameJudges.push(judge);
    },
    permit(permit) {
      permits.push(permit);
    },
    async fetch(url, { maxBytes, timeoutMs, maxRedirects = MAX_REDIRECTS, wantsBody = () => true, signal, ...first }) {
      const expired = AbortSignal.timeout(timeoutMs);
      const nextOf = ({ status, headers }: Pick<OutboundResponse, 'status' | 'headers'>): string | undefined =>
        maxRedirects > 0 && REDIRECTS.has(status) ? headers['location'] : undefined;
      const dialler = createDialler({ ...options, judges, nameJudges, permits });
      const way = {
        dialler,
        secureContext,
        maxBytes,
        wants: (answer: Pick<OutboundResponse, 'status' | 'headers'>) => nextOf(answer) === undefined && wantsBody(answer.status),
        signal: signal ? AbortSignal.any([signal, expired]) : expired,
      };
      const follow = async (ask: Ask, left: number): Promise<OutboundResponse> => {
        const answer = await exchange(ask, way);
        const next = nextOf(answer);
        if (next === undefined) return answer;
        if (left === 0) throw new OutboundError('redirects', `${nameUrl(ask.url)} redirects more than ${String(maxRedirects)} times`);
        return follow(redirect(ask, answer.status, next), left - 1);
      };
      try {
        return await follow(openAsk(url, first), maxRedirects);
      } catch (error) {
        signal?.throwIfAborted();
        if (expired.aborted)
          throw new OutboundError('timeout', `${nameUrl(new URL(url))} did not answer within ${String(timeoutMs)} ms`, error);
        throw error;
      } finally {
        dialler.close();
      }
    },
  };
}

function openAsk(url: string, { method = 'GET', headers = {}, body }: Pick<OutboundOptions, 'method' | 'headers' | 'body'>): Ask {
  const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { url: new URL(url), method, headers: lowered, body };
}

/** The next request of a redirect (Fetch standard, HTTP-redirect fetch, steps 11 to 15). */
function redirect({ url, method, headers, body }: Ask, status: number, location: string): Ask {
  const next = readUrl(location, url.href);
  if (next === undefined) throw new OutboundError('unreachable', `${nameUrl(url)} redirects to what is no URL`);
  const kept = next.origin === url.origin ? headers : withoutCredentials(headers);
  const becomesGet = status === 303 ? method !== 'HEAD' : method === 'POST' && status < 303;
  return becomesGet ? { url: next, method: 'GET', headers: kept, body: undefined } : { url: next, method, headers: kept, body };
}

function withoutCredentials(headers: Ask['headers']): Ask['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIALS.has(name)));
}
