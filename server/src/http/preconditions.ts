import { PlatenError } from '@platen/kernel';
import fresh from 'fresh';
import type { Preconditions } from '../service/hooks.js';
import type { ServerContext } from './server-context.js';

/**
 * Checks the request's preconditions against the response's validators, once they are set (RFC 9110, 13.1.1 and 13.1.4). A response without
 * validators satisfies every precondition: it was made for this request.
 */
export function findFailedPrecondition({ method, headers, response }: ServerContext): PlatenError | undefined {
  // POST creates a new result regardless of existing ones.
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const etag = response.get('ETag');
  const { 'if-match': match, 'if-unmodified-since': since } = headers;
  if (match !== undefined) return etag === '' || isListed(etag, match) ? undefined : failed('If-Match');
  // An invalid time is ignored.
  return Date.parse(response.get('Last-Modified')) > Date.parse(since ?? '') ? failed('If-Unmodified-Since') : undefined;
}

/**
 * Reads the preconditions of a request that changes something (RFC 9110, 13.1.1, 13.1.2 and 13.1.4): a function that throws if one fails.
 * Undefined if there are none.
 */
export function readPreconditions({ headers }: ServerContext): Preconditions | undefined {
  const { 'if-match': match, 'if-none-match': noneMatch, 'if-unmodified-since': since } = headers;
  if (match === undefined && noneMatch === undefined && since === undefined) return undefined;
  return (stored) => {
    const { etag = '', lastModified = '' } = stored ?? {};
    if (match !== undefined) {
      if (stored === undefined || !isListed(etag, match)) throw failed('If-Match');
    } else if (Date.parse(lastModified) > Date.parse(since ?? '')) throw failed('If-Unmodified-Since');
    if (noneMatch !== undefined && stored !== undefined && isListed(etag, noneMatch.replaceAll('W/', ''))) throw failed('If-None-Match');
  };
}

/** Strong comparison: a weak tag matches nothing. */
function isListed(etag: string, list: string): boolean {
  return list.trim() === '*' || list.split(',').some((tag) => tag.trim() === etag);
}

function failed(header: string): PlatenError {
  return new PlatenError('precondition_failed', `the stored result does not meet the condition of the header "${header}"`);
}

/**
 * Whether the client's copy is still valid (RFC 9110, 13.2.2), once the response's validators are set. `Cache-Control: no-cache` is for
 * caches on the way, and `fetch` sends it with every conditional request: it is ignored here.
 */
export function isNotModified({ method, headers, response }: ServerContext): boolean {
  const { 'cache-control': _forCaches, ...conditions } = headers;
  return (method === 'GET' || method === 'HEAD') && fresh(conditions, response.headers);
}
