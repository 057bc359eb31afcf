import fresh from 'fresh';
import type { ServerContext } from './request-state.js';

/**
 * Whether the client's copy still holds (RFC 9110, 13.2.2), once the answer's validators are set. `Cache-Control: no-cache` speaks to
 * caches on the way, and `fetch` sends it beside every condition: here it has no say.
 */
export function isNotModified({ method, headers, response }: ServerContext): boolean {
  const { 'cache-control': _forCaches, ...conditions } = headers;
  return (method === 'GET' || method === 'HEAD') && fresh(conditions, response.headers);
}
