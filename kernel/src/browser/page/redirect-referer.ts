import type { EventPayload, Params } from '../protocol/contract.js';

type Paused = EventPayload<'Fetch.requestPaused'>;
type Request = Paused['request'];

/**
 * Of all headers set on a request, the browser forwards one to redirect targets and does not let handlers change it there: the referrer.
 * The browser's original referrer is stored, and restored by an additional redirect from the hop to itself.
 */
export interface RefererStore {
  /** Sets the referrer that the browser would have sent on the hop of a redirect, had none been set. */
  restore(paused: Paused, headers: Map<string, string>): void;
  /** Records a referrer that was set. Returns the redirect needed to apply it to the hop; undefined if none is needed. */
  note(paused: Paused, headers: ReadonlyMap<string, string>): Params<'Fetch.fulfillRequest'>[0] | undefined;
}

export function createRefererStore(): RefererStore {
  /** By request, over all its hops. */
  const originals = new Map<string, Pick<Request, 'referrerPolicy'> & { readonly referer: string | undefined }>();
  /** Hops redirected to themselves; on the next hop a referrer may be set as for a new request. */
  const redirectedIds = new Set<string>();
  return {
    restore({ networkId = '', redirectedRequestId, request }, headers) {
      const original = originals.get(networkId);
      if (redirectedRequestId === undefined || !original) return;
      const name = spellingIn(headers) ?? 'Referer';
      const referer = refererTo(request.url, original.referer, original.referrerPolicy);
      if (referer === undefined) headers.delete(name);
      else headers.set(name, referer);
    },
    note({ networkId = '', requestId, redirectedRequestId, request }, headers) {
      const before = new Map(Object.entries(request.headers));
      const own = before.get(spellingIn(before) ?? '');
      if (headers.get(spellingIn(headers) ?? '') === own) return undefined;
      if (!originals.has(networkId)) originals.set(networkId, { referer: own, referrerPolicy: request.referrerPolicy });
      if (redirectedRequestId === undefined || redirectedIds.delete(redirectedRequestId)) return undefined;
      redirectedIds.add(requestId);
      return leadBack(requestId, request);
    },
  };
}

function spellingIn(headers: ReadonlyMap<string, string>): string | undefined {
  return [...headers.keys()].find((name) => name.toLowerCase() === 'referer');
}

/** A redirect to the request's own URL that removes its referrer; method and body stay (RFC 9110, 15.4.8). */
function leadBack(requestId: string, { url, urlFragment = '', headers }: Request): Params<'Fetch.fulfillRequest'>[0] {
  const origin = Object.entries(headers).find(([name]) => name.toLowerCase() === 'origin')?.[1] ?? '*';
  const responseHeaders = [
    { name: 'Location', value: url + urlFragment },
    { name: 'Referrer-Policy', value: 'no-referrer' },
    // Redirects of cross-origin requests need CORS permission, too; the final response must give its own.
    { name: 'Access-Control-Allow-Origin', value: origin },
    { name: 'Access-Control-Allow-Credentials', value: 'true' },
  ];
  return { requestId, responseCode: 307, responseHeaders };
}

/** The referrer after a redirect (Referrer Policy, 8.3); across origins at most an origin, whatever the policy. */
function refererTo(url: string, referer: string | undefined, policy: Request['referrerPolicy']): string | undefined {
  if (referer === undefined || !URL.canParse(referer)) return undefined;
  const from = new URL(referer);
  const to = new URL(url);
  if (from.origin === to.origin) return referer;
  if (policy === 'same-origin' || policy === 'no-referrer') return undefined;
  const downgrade = from.protocol === 'https:' && to.protocol !== 'https:';
  return downgrade && policy !== 'unsafe-url' && policy !== 'origin' ? undefined : `${from.origin}/`;
}
