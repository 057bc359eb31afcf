import fresh from 'fresh';
import type { ServerContext } from './request-state.js';

/**
 * Whether the client's copy is still valid (RFC 9110, 13.2.2), once the response's validators are set. `Cache-Control: no-cache` is for
 * caches on the way, and `fetch` sends it with every conditional request: it is ignored here.
 */
export function isNotModified({ method, headers, response }: ServerContext): boolean {
  const { 'cache-control': _forCaches, ...conditions } = headers;
  return (method === 'GET' || method === 'HEAD') && fresh(conditions, response.headers);
}
